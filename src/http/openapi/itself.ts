import type { Components, Json } from './components.ts';
import { headersOf } from './documented-headers.ts';
import { sharedParameter } from './parameters.ts';
import { refusals } from './responses.ts';

const part = (type: 'array' | 'object', description: string): Json => ({ type, description });

const schema: Json = {
  type: 'object',
  properties: {
    openapi: { type: 'string', enum: ['3.1.1'] },
    info: part('object', 'Title, version and license.'),
    servers: part('array', 'The address of this installation.'),
    tags: part('array', 'What each group of operations is about.'),
    paths: part('object', 'Every operation, by path and method.'),
    components: part('object', 'What the operations share.'),
  },
  required: ['openapi', 'info', 'servers', 'tags', 'paths', 'components'],
};

/** The one address that is no operation: where the document itself is read. Neither credentials nor rate limits are looked at there. */
export const itself = (components: Components, info: Json, baseUrl: string): Json => ({
  operationId: 'getOpenApi',
  tags: ['discovery'],
  summary: 'This document: every operation, in OpenAPI 3.1.1.',
  security: [{}],
  parameters: [
    sharedParameter(components, 'IfNoneMatch'),
    sharedParameter(components, 'RequestId'),
  ],
  responses: {
    200: {
      description: 'Done.',
      headers: headersOf(components, ['X-Request-Id', 'ETag']),
      content: {
        'application/json': {
          schema,
          example: {
            openapi: '3.1.1',
            info,
            servers: [{ url: baseUrl }],
            tags: [],
            paths: {},
            components: {},
          },
        },
      },
    },
    304: { description: 'Unchanged.', headers: headersOf(components, ['X-Request-Id', 'ETag']) },
    // Headers may be too large anywhere.
    ...refusals(['invalid_request', 'internal_error', 'unavailable'], false, components, baseUrl),
  },
});
