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

const COMMON_HEADERS = ['X-Request-Id', 'ETag', 'RateLimit-Policy', 'RateLimit'] as const;

/**
 * Describes the address of the document itself, the only one that is not an operation. It checks
 * no credential and costs its caller's address a read.
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
      headers: buildHeaders(components, [...COMMON_HEADERS]),
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
    304: { description: 'Unchanged.', headers: buildHeaders(components, [...COMMON_HEADERS]) },
    // Headers that are too large are refused at any address.
    ...buildRefusals(
      ['invalid_request', 'rate_limited', 'internal_error', 'unavailable'],
      true,
      components,
      baseUrl,
    ),
  },
});
