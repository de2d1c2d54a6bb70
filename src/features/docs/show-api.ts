import { page } from '../../kernel/operation/page-operation.ts';
import { renderApiPage } from './api.page.ts';

export const showApi = page(
  'showApi',
  {
    path: '/docs/api',
    tag: 'docs',
    summary: 'Show all operations of the API as a page.',
    description: 'For people. It is generated from `/openapi.json`, which is for programs.',
    auth: 'public',
  },
  async ({ openApi, installation }) => renderApiPage(openApi(), installation.baseUrl),
);
