import { page } from '../../kernel/operation/page-operation.ts';
import { renderDocumentPage } from './document.page.ts';
import { getDocumentByName } from './get-document-by-name.ts';
import { documentName } from './schemas.ts';

export const showDocument = page(
  'showDocument',
  {
    path: '/docs/{name}',
    tag: 'docs',
    summary: 'Show a document as a page.',
    description:
      'For people. Shows the same as `{op:getDocument}`. Headings have anchors, such as ' +
      '`/docs/errors#not_found`.',
    auth: 'public',
    params: documentName,
    errors: ['not_found'],
  },
  async ({ installation }, { params: { name } }) =>
    renderDocumentPage(getDocumentByName(name), installation),
);
