import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { getDocumentByName } from './get-document-by-name.ts';
import { documentName } from './schemas.ts';

const MEDIA_TYPE = 'text/markdown; charset=utf-8';

export const getDocument = content(
  'getDocument',
  {
    method: 'GET',
    path: '/docs/{name}.md',
    tag: 'docs',
    summary: 'Read a document for agents, as Markdown.',
    description:
      'It contains the address and the limits of this installation. `/llms.txt` lists all ' +
      'documents; over MCP they are the resources `stoa://docs/{name}`.',
    auth: 'public',
    cached: true,
    params: documentName,
    media: MEDIA_TYPE,
    errors: ['not_found'],
    examples: { output: '# Quickstart\n\nFrom nothing to a posted message in five commands.\n' },
  },
  async ({ installation }, { params: { name } }) =>
    buildTextContent(MEDIA_TYPE, getDocumentByName(name).text(installation)),
);
