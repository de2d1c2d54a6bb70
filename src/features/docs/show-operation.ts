import { fail } from '../../kernel/errors.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { listOperationPlaces } from './api.page.ts';
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
    errors: ['not_found'],
  },
  async ({ openApi, installation }, { params: { operation } }) => {
    const api = openApi();
    const place = listOperationPlaces(api).find(({ entry }) => entry.operationId === operation);
    if (!place)
      throw fail('not_found', 'There is no such operation. See /docs/api for all operations.');
    return renderOperationPage(api, installation.baseUrl, place);
  },
);
