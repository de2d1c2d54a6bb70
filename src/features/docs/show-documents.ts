import { listDocuments } from '../../kernel/documents/documents.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { documentsPage } from './documents.page.ts';

export const showDocuments = page(
  'showDocuments',
  {
    path: '/docs',
    tag: 'docs',
    summary: 'All documents with a sentence each, as a page.',
    description: 'For people; for programs there is `/llms.txt`.',
    auth: 'public',
  },
  async () => documentsPage(listDocuments()),
);
