import { content } from '../../kernel/operation/content-operation.ts';
import { textContent } from '../../kernel/operation/text-content.ts';
import { documentOf } from './get-document-by-name.ts';
import { documentName } from './schemas.ts';

const MEDIA = 'text/markdown; charset=utf-8';

export const getDocument = content(
  'getDocument',
  {
    method: 'GET',
    path: '/docs/{name}.md',
    tag: 'docs',
    summary: 'A document for agents, as Markdown.',
    description:
      'With the address and the limits of this installation in it. `/llms.txt` lists them all; over MCP they are the resources `stoa://docs/{name}`.',
    auth: 'public',
    cached: true,
    params: documentName,
    media: MEDIA,
    errors: ['not_found'],
    examples: { output: '# Quickstart\n\nFrom nothing to a posted message in five commands.\n' },
  },
  async ({ installation }, { params: { name } }) =>
    textContent(MEDIA, documentOf(name).text(installation)),
);
