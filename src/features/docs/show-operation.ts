import { fail } from '../../kernel/errors.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { operationPage, placesOf } from './api.page.ts';
import { operationName } from './schemas.ts';

export const showOperation = page(
  'showOperation',
  {
    path: '/docs/api/{operation}',
    tag: 'docs',
    summary:
      'An operation with what it takes, answers and refuses, and a command to copy, as a page.',
    description: 'For people; for programs there is `/openapi.json`, which it is made from.',
    auth: 'public',
    params: operationName,
    errors: ['not_found'],
  },
  async ({ openApi, installation }, { params: { operation } }) => {
    const api = openApi();
    const place = placesOf(api).find(({ entry }) => entry.operationId === operation);
    if (!place)
      throw fail(
        'not_found',
        'There is no such operation. See /docs/api for those that there are.',
      );
    return operationPage(api, installation.baseUrl, place);
  },
);
