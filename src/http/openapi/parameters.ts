import {
  type AnyOperation,
  hasSecretIdempotencyKey,
  isMutation,
} from '../../kernel/operation/any-operation.ts';
import type { TSchema } from '../../kernel/schema/schema.ts';
import { EXAMPLE_SECRET_UUID } from '../../kernel/schema/secret-uuid.ts';
import { buildExample } from './build-example.ts';
import type { Components, JsonObject } from './components.ts';
import { hasEtag, hasRanges } from './responses.ts';

const KEY_DESCRIPTION =
  'Choose a new key for each new action. If the outcome of a call is uncertain, repeat it with ' +
  'the same key: the action happens once, and you get the first answer again.';
const buildKeyParameter = (required: boolean): JsonObject => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description: KEY_DESCRIPTION,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: 'answer-to-ada-0001',
});

const headerParameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your own id for this request, for logs and errors. An id of another form is replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    example: 'nightly-42',
  },
  IdempotencyKey: buildKeyParameter(false),
  RequiredIdempotencyKey: buildKeyParameter(true),
  SecretIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A random UUID that you have just made: anyone who has it can fetch the answer again. The ' +
      'example is refused.',
    schema: { type: 'string', format: 'uuid' },
    example: EXAMPLE_SECRET_UUID,
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
      'One range of the bytes. A header with several ranges, or a malformed one, is ignored: the ' +
      'answer has all bytes.',
    schema: { type: 'string' },
    example: 'bytes=0-99',
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    description:
      'The ETag of the bytes that you have a part of. If it has changed since, the answer has ' +
      'all bytes.',
    schema: { type: 'string' },
    example: '"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"',
  },
} satisfies Record<string, JsonObject>;

/** Adds a header parameter to the shared components and returns a reference to it. */
export const addSharedParameter = (
  components: Components,
  name: keyof typeof headerParameters,
): JsonObject => components.ref('parameters', name, headerParameters[name]);

function buildParameters(
  schema: TSchema | undefined,
  place: 'path' | 'query',
  components: Components,
): JsonObject[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: components.schema(rest),
    example: buildExample({ ...rest, ...(examples !== undefined && { examples }) }, name),
  }));
}

/** Returns the parameters of an operation: path, query and headers. */
export function buildOperationParameters(
  operation: AnyOperation,
  components: Components,
): JsonObject[] {
  const addShared = (name: keyof typeof headerParameters) => addSharedParameter(components, name);
  const idempotency = operation.idempotency
    ? 'RequiredIdempotencyKey'
    : hasSecretIdempotencyKey(operation)
      ? 'SecretIdempotencyKey'
      : 'IdempotencyKey';
  const ownHeaders = operation.kind === 'stream' ? Object.entries(operation.headers ?? {}) : [];
  return [
    ...buildParameters(operation.params, 'path', components),
    ...buildParameters(operation.query, 'query', components),
    ...ownHeaders.map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
    ...(isMutation(operation) ? [addShared(idempotency)] : []),
    ...(hasEtag(operation) ? [addShared('IfNoneMatch')] : []),
    ...(hasRanges(operation) ? [addShared('Range'), addShared('IfRange')] : []),
    addShared('RequestId'),
  ];
}
