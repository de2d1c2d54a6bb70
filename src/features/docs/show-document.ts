import { page } from '../../kernel/operation/page-operation.ts';
import { documentPage } from './documents.page.ts';
import { documentOf } from './get-document-by-name.ts';
import { documentName } from './schemas.ts';

export const showDocument = page(
  'showDocument',
  {
    path: '/docs/{name}',
    tag: 'docs',
    summary: 'A document, as a page.',
    description:
      'For people; the same as `GET /docs/{name}.md`. Its headings have anchors: `/docs/errors#not_found`.',
    auth: 'public',
    params: documentName,
    errors: ['not_found'],
  },
  async ({ installation }, { params: { name } }) => documentPage(documentOf(name), installation),
);
