import type { Components, JsonObject } from './components.ts';
import { buildHeaders } from './documented-headers.ts';
import { addSharedParameter } from './parameters.ts';
import { buildRefusals } from './responses.ts';

const describePart = (type: 'array' | 'object', description: string): JsonObject => ({
  type,
  description,
});

const schema: JsonObject = {
  type: 'object',
  properties: {
    openapi: { type: 'string', enum: ['3.1.1'] },
    info: describePart('object', 'Title, version and license.'),
    servers: describePart('array', 'The address of this installation.'),
    tags: describePart('array', 'What each group of operations is about.'),
    paths: describePart('object', 'Every operation, by path and method.'),
    components: describePart('object', 'What the operations share.'),
  },
  required: ['openapi', 'info', 'servers', 'tags', 'paths', 'components'],
};

/**
 * Describes the address of the document itself, the only one that is not an operation. It checks
 * neither credentials nor rate limits.
 */
export const describeOpenApiPath = (
  components: Components,
  info: JsonObject,
  baseUrl: string,
): JsonObject => ({
  operationId: 'getOpenApi',
  tags: ['discovery'],
  summary: 'This document: every operation, in OpenAPI 3.1.1.',
  security: [{}],
  parameters: [
    addSharedParameter(components, 'IfNoneMatch'),
    addSharedParameter(components, 'RequestId'),
  ],
  responses: {
    200: {
      description: 'Done.',
      headers: buildHeaders(components, ['X-Request-Id', 'ETag']),
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
    304: { description: 'Unchanged.', headers: buildHeaders(components, ['X-Request-Id', 'ETag']) },
    // Headers that are too large are refused at any address.
    ...buildRefusals(
      ['invalid_request', 'internal_error', 'unavailable'],
      false,
      components,
      baseUrl,
    ),
  },
});
