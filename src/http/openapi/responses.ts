import { type ErrorCode, errorTable, toProblem } from '../../kernel/errors.ts';
import {
  type AnyOperation,
  isForPeople,
  isMutation,
} from '../../kernel/operation/any-operation.ts';
import { addExcerpts, takesBudget } from '../../kernel/operation/budget-query.ts';
import { listErrorCodes } from '../../kernel/operation/error-codes.ts';
import type { Operation } from '../../kernel/operation/operation.ts';
import { buildExample } from './build-example.ts';
import type { Components, JsonObject } from './components.ts';
import { buildHeaders } from './documented-headers.ts';
import { buildExampleError } from './problem-examples.ts';
import { Problem } from './problem-schema.ts';

const REQUEST_ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const isList = (operation: Operation): boolean => {
  const { properties } = (operation.query ?? {}) as { properties?: JsonObject };
  return (operation.output as JsonObject).type === 'array' && properties?.offset !== undefined;
};

/** Whether the operation supports If-None-Match. */
export const hasEtag = (operation: AnyOperation): boolean =>
  operation.kind !== 'stream' && operation.cached === true;

/** Whether the operation answers with parts on request. */
export const hasRanges = (operation: AnyOperation): boolean =>
  operation.kind === 'content' && operation.ranges === true;

const isText = (media: string): boolean => /^text\/|[/+]xml\b/.test(media);

function buildContent(operation: AnyOperation, components: Components): JsonObject {
  // For bytes that are not text, OpenAPI 3.1 has only an empty schema.
  if (operation.kind !== 'call')
    return {
      [operation.media.replace(/;.*$/, '')]: {
        schema: isText(operation.media) ? { type: 'string' } : {},
        ...(operation.examples?.output !== undefined && { example: operation.examples.output }),
      },
      ...(operation.kind === 'content' &&
        operation.markdown && { 'text/markdown': { schema: { type: 'string' } } }),
    };
  return {
    'application/json': {
      schema: components.schema(addExcerpts(operation)),
      example: operation.examples?.output ?? buildExample(operation.output as JsonObject),
    },
    ...(operation.toMarkdown && { 'text/markdown': { schema: { type: 'string' } } }),
  };
}

function buildSuccess(operation: AnyOperation, components: Components): JsonObject {
  const headers = buildHeaders(components, [
    'X-Request-Id',
    ...(operation.auth === 'admin' ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
    ...(operation.kind === 'call' && isList(operation) ? (['Link', 'X-Total-Count'] as const) : []),
    ...(hasEtag(operation) ? (['ETag'] as const) : []),
    ...(hasRanges(operation) ? (['Accept-Ranges'] as const) : []),
    ...(operation.kind === 'content' && operation.download
      ? (['Content-Disposition'] as const)
      : []),
    ...(isMutation(operation) ? (['Idempotency-Replayed'] as const) : []),
    ...(operation.untrusted ? (['X-Content-Trust'] as const) : []),
    ...(operation.kind === 'call' && takesBudget(operation) ? (['X-Budget-Spent'] as const) : []),
  ]);
  return {
    description:
      operation.kind === 'stream' ? 'A stream that goes on until you disconnect.' : 'Done.',
    headers,
    content: buildContent(operation, components),
  };
}

/**
 * Returns the response for all errors of one status, with an example of each. With `page`, clients
 * whose Accept names text/html get the error as a page.
 */
function buildProblemResponse(
  status: number,
  codes: readonly ErrorCode[],
  page: boolean,
  components: Components,
  baseUrl: string,
): JsonObject {
  const buildProblemExample = (code: ErrorCode) =>
    components.ref('examples', code, {
      summary: errorTable[code].title,
      value: toProblem(buildExampleError(code), baseUrl, REQUEST_ID),
    });
  const waits = codes.some((code) =>
    ['rate_limited', 'unavailable', 'idempotency_in_progress'].includes(code),
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}`).join('\n\n'),
    headers: buildHeaders(components, [
      'X-Request-Id',
      ...(waits ? (['Retry-After'] as const) : []),
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ...(status === 416 ? (['Content-Range'] as const) : []),
    ]),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            components.schema(Problem),
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, buildProblemExample(code)])),
      },
      ...(page && { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

/** Returns the responses for errors, by status. */
export function buildRefusals(
  all: readonly ErrorCode[],
  page: boolean,
  components: Components,
  baseUrl: string,
): JsonObject {
  const statuses = [...new Set(all.map((code) => errorTable[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = all.filter((code) => errorTable[code].status === status);
      // Most operations share most of their groups, so each group is a shared component.
      const name = [...codes, ...(page ? ['page'] : [])].join('.');
      return [
        status,
        components.ref(
          'responses',
          name,
          buildProblemResponse(status, codes, page, components, baseUrl),
        ),
      ];
    }),
  );
}

/** Returns the responses of an operation, by status. */
export function buildResponses(
  operation: AnyOperation,
  components: Components,
  baseUrl: string,
): JsonObject {
  const responses: JsonObject = { 200: buildSuccess(operation, components) };
  if (hasRanges(operation)) {
    const whole = buildSuccess(operation, components);
    responses[206] = {
      ...whole,
      description: 'The part that was asked for.',
      headers: { ...(whole.headers as JsonObject), ...buildHeaders(components, ['Content-Range']) },
    };
  }
  if (hasEtag(operation)) {
    const limited = operation.auth === 'admin' ? [] : (['RateLimit-Policy', 'RateLimit'] as const);
    const marked = operation.untrusted ? (['X-Content-Trust'] as const) : [];
    responses[304] = {
      description: 'Unchanged.',
      headers: buildHeaders(components, ['X-Request-Id', ...limited, 'ETag', ...marked]),
    };
  }
  if (operation.kind === 'form' && operation.toNextPath)
    responses[303] = {
      description: 'Done, for a client whose Accept names text/html: go on there.',
      headers: {
        ...(buildSuccess(operation, components).headers as JsonObject),
        ...buildHeaders(components, ['Location']),
      },
    };
  const page = isForPeople(operation);
  return { ...responses, ...buildRefusals(listErrorCodes(operation), page, components, baseUrl) };
}
