import { page } from '../../kernel/operation/page-operation.ts';
import { renderDocumentsPage } from './documents.page.ts';

export const showDocuments = page(
  'showDocuments',
  {
    path: '/docs',
    tag: 'docs',
    summary: 'Show all documents as a page, with a sentence about each.',
    description: 'For people. Programs can use `/llms.txt`.',
    auth: 'public',
  },
  async ({ installation }) => renderDocumentsPage(installation),
);
