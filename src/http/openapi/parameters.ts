import { isMutation, type Operation, type StreamOperation } from '../../kernel/operation.ts';
import type { TSchema } from '../../kernel/schema.ts';
import type { Components, Json } from './components.ts';
import { exampleOf } from './example-of.ts';

const KEY = 'Yours to choose, a new one for each new action. Repeat an uncertain call with the same key: it happens once, and you get the first answer again.';
const UUID = '4b1d7c52-6a0e-4f53-9c59-0d6b3f0f8f6e';
const key = (required: boolean): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description: KEY,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: UUID,
});

const headers = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own id for this request; logs and errors carry it. One that does not fit is replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    example: 'nightly-42',
  },
  IdempotencyKey: key(false),
  RequiredIdempotencyKey: key(true),
  RegistrationKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A fresh UUID that only you know: whoever has it can fetch the answer again.',
    schema: { type: 'string', format: 'uuid' },
    example: UUID,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the answer that you have.',
    schema: { type: 'string' },
    example: '"LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ"',
  },
} satisfies Record<string, Json>;

function members(schema: TSchema | undefined, place: 'path' | 'query', components: Components): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, { description, examples, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: components.schema(rest),
    example: exampleOf({ ...rest, ...(examples !== undefined && { examples }) }, name),
  }));
}

/** Path, query and headers of an operation. */
export function parametersOf(operation: Operation | StreamOperation, components: Components): Json[] {
  const shared = (name: keyof typeof headers) => components.ref('parameters', name, headers[name]);
  const idempotency = operation.idempotency ? 'RequiredIdempotencyKey' : operation.rate === 'registrations' ? 'RegistrationKey' : 'IdempotencyKey';
  const own = operation.kind === 'stream' ? Object.entries(operation.headers ?? {}) : [];
  return [
    ...members(operation.params, 'path', components),
    ...members(operation.query, 'query', components),
    ...own.map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } })),
    ...(isMutation(operation) ? [shared(idempotency)] : []),
    ...(operation.kind === 'call' && operation.cached ? [shared('IfNoneMatch')] : []),
    shared('RequestId'),
  ];
}
