import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { findPlace } from './api.page.ts';
import { formatOperation } from './format-operation.ts';
import { operationName } from './schemas.ts';

const MEDIA_TYPE = 'text/markdown; charset=utf-8';

export const getOperationMarkdown = content(
  'getOperationMarkdown',
  {
    method: 'GET',
    path: '/docs/api/{operation}.md',
    tag: 'docs',
    summary: 'Read about one operation as Markdown: its input, its answer, its errors, a command.',
    description:
      'It has what `/openapi.json` says of this operation, in a few hundred tokens. ' +
      '`/docs/api/{operation}` is the same as a page.',
    auth: 'public',
    cached: true,
    params: operationName,
    media: MEDIA_TYPE,
    errors: ['not_found'],
    examples: { output: '# createThread\n\n`POST /api/v1/rooms/{id}/threads`\n' },
  },
  async ({ openApi, installation }, { params: { operation } }) => {
    const api = openApi();
    const { baseUrl } = installation;
    return buildTextContent(MEDIA_TYPE, formatOperation(api, baseUrl, findPlace(api, operation)));
  },
);
