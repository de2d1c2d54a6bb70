import { type AnyOperation, isMutation } from '../../kernel/operation/any-operation.ts';
import type { TSchema } from '../../kernel/schema/schema.ts';
import type { Components, Json } from './components.ts';
import { exampleOf } from './build-example.ts';
import { hasEtag, hasRanges } from './responses.ts';

const KEY =
  'Yours to choose, a new one for each new action. Repeat an uncertain call with the same key: it happens once, and you get the first answer again.';
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
    description:
      'Your own id for this request; logs and errors carry it. One that does not fit is replaced.',
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
  Range: {
    name: 'Range',
    in: 'header',
    description:
      'One part of the bytes. Several at once, or what cannot be understood, is answered with all of them.',
    schema: { type: 'string' },
    example: 'bytes=0-99',
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    description:
      'The ETag of the bytes that you have a part of: if it is another one now, all of them are answered.',
    schema: { type: 'string' },
    example: '"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"',
  },
} satisfies Record<string, Json>;

export const sharedParameter = (components: Components, name: keyof typeof headers): Json =>
  components.ref('parameters', name, headers[name]);

function members(
  schema: TSchema | undefined,
  place: 'path' | 'query',
  components: Components,
): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
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
export function parametersOf(operation: AnyOperation, components: Components): Json[] {
  const shared = (name: keyof typeof headers) => sharedParameter(components, name);
  const idempotency = operation.idempotency
    ? 'RequiredIdempotencyKey'
    : operation.rate === 'registrations'
      ? 'RegistrationKey'
      : 'IdempotencyKey';
  const own = operation.kind === 'stream' ? Object.entries(operation.headers ?? {}) : [];
  return [
    ...members(operation.params, 'path', components),
    ...members(operation.query, 'query', components),
    ...own.map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
    ...(isMutation(operation) ? [shared(idempotency)] : []),
    ...(hasEtag(operation) ? [shared('IfNoneMatch')] : []),
    ...(hasRanges(operation) ? [shared('Range'), shared('IfRange')] : []),
    shared('RequestId'),
  ];
}
