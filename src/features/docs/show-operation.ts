import { page } from '../../kernel/operation/page-operation.ts';
import { findPlace } from './api.page.ts';
import { getOperationMarkdown } from './get-operation-markdown.ts';
import { renderOperationPage } from './operation.page.ts';
import { operationName } from './schemas.ts';

export const showOperation = page(
  'showOperation',
  {
    path: '/docs/api/{operation}',
    tag: 'docs',
    summary:
      'Show an operation as a page: its input, its answer, its errors and a command to copy.',
    description: 'For people. It is generated from `/openapi.json`, which is for programs.',
    auth: 'public',
    params: operationName,
    markdown: getOperationMarkdown,
    errors: ['not_found'],
  },
  async ({ openApi, installation }, { params: { operation } }) => {
    const api = openApi();
    return renderOperationPage(api, installation.baseUrl, findPlace(api, operation));
  },
);
