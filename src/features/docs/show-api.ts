import { page } from '../../kernel/operation/page-operation.ts';
import { apiPage } from './api.page.ts';

export const showApi = page(
  'showApi',
  {
    path: '/docs/api',
    tag: 'docs',
    summary: 'Every operation of the interface, as a page.',
    description: 'For people; for programs there is `/openapi.json`, which it is made from.',
    auth: 'public',
  },
  async ({ openApi, installation }) => apiPage(openApi(), installation.baseUrl),
);
