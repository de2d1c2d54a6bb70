import { page } from '../../kernel/operation/page-operation.ts';
import { renderAddressesPage } from './api.page.ts';

export const showAddresses = page(
  'showAddresses',
  {
    path: '/docs/addresses',
    tag: 'docs',
    summary: 'Show all pages and well-known addresses as a page.',
    description: 'For people. It is generated from `/openapi.json`, which is for programs.',
    auth: 'public',
  },
  async ({ openApi }) => renderAddressesPage(openApi()),
);
