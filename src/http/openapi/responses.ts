import { codesOf } from '../../kernel/codes-of.ts';
import { type ErrorCode, errorTable, toProblem } from '../../kernel/errors.ts';
import { isMutation, type Operation, type StreamOperation } from '../../kernel/operation.ts';
import type { Components, Json } from './components.ts';
import { exampleOf } from './example-of.ts';
import { headersOf } from './headers.ts';
import { Problem } from './problem.ts';
import { exampleError } from './problem-examples.ts';

const REQUEST_ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const isList = (operation: Operation): boolean => {
  const { properties } = (operation.query ?? {}) as { properties?: Json };
  return (operation.output as Json).type === 'array' && properties?.offset !== undefined;
};

function contentOf(operation: Operation | StreamOperation, components: Components): Json {
  if (operation.kind === 'stream') return { [operation.media]: { schema: { type: 'string' } } };
  return { 'application/json': { schema: components.schema(operation.output), example: operation.examples?.output ?? exampleOf(operation.output as Json) } };
}

function ok(operation: Operation | StreamOperation, components: Components): Json {
  const headers = headersOf(components, [
    'X-Request-Id',
    ...(operation.auth === 'admin' ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
    ...(operation.kind === 'call' && isList(operation) ? (['Link', 'X-Total-Count'] as const) : []),
    ...(operation.kind === 'call' && operation.cached ? (['ETag'] as const) : []),
    ...(isMutation(operation) ? (['Idempotency-Replayed'] as const) : []),
    ...(operation.untrusted ? (['X-Content-Trust'] as const) : []),
  ]);
  return { description: operation.kind === 'stream' ? 'A stream that goes on until you leave.' : 'Done.', headers, content: contentOf(operation, components) };
}

/** All errors of one status, with an example of each. */
function problem(status: number, codes: readonly ErrorCode[], components: Components, baseUrl: string): Json {
  const example = (code: ErrorCode) =>
    components.ref('examples', code, { summary: errorTable[code].title, value: toProblem(exampleError(code), baseUrl, REQUEST_ID) });
  const waits = codes.some((code) => ['rate_limited', 'unavailable', 'idempotency_in_progress'].includes(code));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}`).join('\n\n'),
    headers: headersOf(components, ['X-Request-Id', ...(waits ? (['Retry-After'] as const) : []), ...(status === 401 ? (['WWW-Authenticate'] as const) : [])]),
    content: {
      'application/problem+json': {
        schema: { allOf: [components.schema(Problem), { type: 'object', properties: { code: { type: 'string', enum: codes } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

/** Every answer of an operation by its status. */
export function responsesOf(operation: Operation | StreamOperation, components: Components, baseUrl: string): Json {
  const responses: Json = { 200: ok(operation, components) };
  if (operation.kind === 'call' && operation.cached) responses[304] = { description: 'Unchanged.', headers: headersOf(components, ['X-Request-Id', 'ETag']) };
  const all = codesOf(operation);
  for (const status of new Set(all.map((code) => errorTable[code].status))) {
    const codes = all.filter((code) => errorTable[code].status === status);
    // Most operations share most of their groups: each stands once.
    responses[status] = components.ref('responses', codes.join('.'), problem(status, codes, components, baseUrl));
  }
  return responses;
}
