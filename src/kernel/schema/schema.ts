import { type Static, type TSchema, Type } from 'typebox';

export { type Static, type TSchema, Type };

/**
 * JSON Schema keywords beyond the standard one: `textKind` normalises and checks a string
 * (validate.ts).
 */
export type TextKind = 'name' | 'uuid' | 'time' | 'https';

type Options = Record<string, unknown>;

/** Any RFC 9562 UUID; stored and compared in lower case. */
export const Uuid = (options: Options = {}) =>
  Type.String({ format: 'uuid', textKind: 'uuid', ...options });

/** ISO 8601 UTC with milliseconds and "Z". As input any RFC 3339 time. */
export const Time = (options: Options = {}) =>
  Type.String({ format: 'date-time', textKind: 'time', ...options });

/**
 * A name or title: one line, trimmed, NFC, no control or bidi control characters. Lengths count
 * code points.
 */
export const Name = (minLength: number, maxLength: number, options: Options = {}) =>
  Type.String({ minLength, maxLength, textKind: 'name', ...options });

/** Free text, kept exactly as sent. */
export const Text = (minLength: number, maxLength: number, options: Options = {}) =>
  Type.String({ minLength, maxLength, ...options });

export const HttpsUrl = (options: Options = {}) =>
  Type.String({ minLength: 1, maxLength: 2000, textKind: 'https', ...options });

/** An integer that JSON can carry exactly. */
export const Int = (minimum: number, maximum: number, options: Options = {}) =>
  Type.Integer({ minimum, maximum, ...options });

export const Int64 = (options: Options = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

export const Enum = <const Values extends readonly string[]>(
  values: Values,
  options: Options = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });

/** Lower-case hex SHA-256. */
export const Sha256 = (options: Options = {}) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', ...options });

/**
 * The value or null. One `type` list instead of `anyOf`: it serializes faster and its errors read
 * better.
 */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as unknown as { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** A member of a request that may be absent or null; both mean the same. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

/** An object that knows all its members. */
export const Closed = <const P extends Record<string, TSchema>>(
  properties: P,
  options: Options = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

export const List = <T extends TSchema>(items: T, options: Options = {}) =>
  Type.Array(items, options);

/** An object whose members the caller names: at most so many, named by the pattern. */
export const Dictionary = <T extends TSchema>(
  values: T,
  maxProperties: number,
  pattern: string,
  options: Options = {},
) =>
  Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    minProperties: 1,
    maxProperties,
    propertyNames: { pattern },
    additionalProperties: values,
    ...options,
  });

/** `{ id, createdAt, ... }`: the answer to most mutations. */
export const Ack = <const P extends Record<string, TSchema>>(more: P, options: Options = {}) =>
  Closed({ id: Uuid(), createdAt: Time(), ...more }, options);

/** The answer to a deletion. */
export const Deleted = Closed({ id: Uuid() }, { title: 'Deleted' });

/** Query members of every list. */
export const pageQuery = {
  offset: Type.Optional(
    Int(0, 2_147_483_647, {
      default: 0,
      description: 'How many to skip: for the next page, this offset and its limit together.',
      examples: [0],
    }),
  ),
  limit: Type.Optional(
    Int(1, 100, { default: 50, description: 'How many to return at most.', examples: [50] }),
  ),
};
