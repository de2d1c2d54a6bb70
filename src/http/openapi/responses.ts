import { type AnyOperation, isForPeople, isMutation } from '../../kernel/operation/any-operation.ts';
import { codesOf } from '../../kernel/operation/error-codes.ts';
import { type ErrorCode, errorTable, toProblem } from '../../kernel/errors.ts';
import type { Operation } from '../../kernel/operation/operation.ts';
import type { Components, Json } from './components.ts';
import { exampleOf } from './build-example.ts';
import { headersOf } from './documented-headers.ts';
import { Problem } from './problem-schema.ts';
import { exampleError } from './problem-examples.ts';

const REQUEST_ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const isList = (operation: Operation): boolean => {
  const { properties } = (operation.query ?? {}) as { properties?: Json };
  return (operation.output as Json).type === 'array' && properties?.offset !== undefined;
};

/** Whether the answer can be asked for with If-None-Match. */
export const hasEtag = (operation: AnyOperation): boolean =>
  operation.kind !== 'stream' && operation.cached === true;

/** Whether parts of the answer can be asked for. */
export const hasRanges = (operation: AnyOperation): boolean =>
  operation.kind === 'content' && operation.ranges === true;

const isText = (media: string): boolean => /^text\/|[/+]xml\b/.test(media);

function contentOf(operation: AnyOperation, components: Components): Json {
  // OpenAPI 3.1 says of bytes that are no text only that they are some.
  if (operation.kind !== 'call')
    return {
      [operation.media.split(';', 1)[0] as string]: {
        schema: isText(operation.media) ? { type: 'string' } : {},
        ...(operation.examples?.output !== undefined && { example: operation.examples.output }),
      },
    };
  return {
    'application/json': {
      schema: components.schema(operation.output),
      example: operation.examples?.output ?? exampleOf(operation.output as Json),
    },
  };
}

function ok(operation: AnyOperation, components: Components): Json {
  const headers = headersOf(components, [
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
  ]);
  return {
    description: operation.kind === 'stream' ? 'A stream that goes on until you leave.' : 'Done.',
    headers,
    content: contentOf(operation, components),
  };
}

/** All errors of one status, with an example of each; told by a page to whoever does not ask for JSON, where a page is what is answered. */
function problem(
  status: number,
  codes: readonly ErrorCode[],
  page: boolean,
  components: Components,
  baseUrl: string,
): Json {
  const example = (code: ErrorCode) =>
    components.ref('examples', code, {
      summary: errorTable[code].title,
      value: toProblem(exampleError(code), baseUrl, REQUEST_ID),
    });
  const waits = codes.some((code) =>
    ['rate_limited', 'unavailable', 'idempotency_in_progress'].includes(code),
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}`).join('\n\n'),
    headers: headersOf(components, [
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
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
      ...(page && { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

/** Errors by their status. */
export function refusals(
  all: readonly ErrorCode[],
  page: boolean,
  components: Components,
  baseUrl: string,
): Json {
  const statuses = [...new Set(all.map((code) => errorTable[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = all.filter((code) => errorTable[code].status === status);
      // Most operations share most of their groups: each stands once.
      const name = [...codes, ...(page ? ['page'] : [])].join('.');
      return [
        status,
        components.ref('responses', name, problem(status, codes, page, components, baseUrl)),
      ];
    }),
  );
}

/** Every answer of an operation by its status. */
export function responsesOf(
  operation: AnyOperation,
  components: Components,
  baseUrl: string,
): Json {
  const responses: Json = { 200: ok(operation, components) };
  if (hasRanges(operation)) {
    const whole = ok(operation, components);
    responses[206] = {
      ...whole,
      description: 'The part that was asked for.',
      headers: { ...(whole.headers as Json), ...headersOf(components, ['Content-Range']) },
    };
  }
  if (hasEtag(operation)) {
    const limited = operation.auth === 'admin' ? [] : (['RateLimit-Policy', 'RateLimit'] as const);
    const marked = operation.untrusted ? (['X-Content-Trust'] as const) : [];
    responses[304] = {
      description: 'Unchanged.',
      headers: headersOf(components, ['X-Request-Id', ...limited, 'ETag', ...marked]),
    };
  }
  const page = isForPeople(operation);
  return { ...responses, ...refusals(codesOf(operation), page, components, baseUrl) };
}
