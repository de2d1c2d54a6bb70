import { type Static, type TSchema, Type } from 'typebox';

export { type Static, type TSchema, Type };

/**
 * The values of `textKind`, our own keyword in JSON Schema, which normalises and checks a string
 * (validate.ts).
 */
export type TextKind = 'name' | 'uuid' | 'time' | 'https';

/**
 * The key of the words that say what fits a pattern. A symbol, because only the validator reads
 * them: a serialized schema has none.
 */
export const fittingWords = Symbol('fittingWords');

/** What a schema with a pattern says to whoever sends something else: "must be ...". */
export interface FittingWords {
  readonly [fittingWords]?: string;
}

type Options = Record<string | symbol, unknown>;

/** The schema of a UUID (RFC 9562). It is stored and compared in lower case. */
export const Uuid = (options: Options = {}) =>
  Type.String({ format: 'uuid', textKind: 'uuid', ...options });

/**
 * The schema of a time: ISO 8601 in UTC with milliseconds and "Z". Input may be any RFC 3339 time.
 */
export const Time = (options: Options = {}) =>
  Type.String({ format: 'date-time', textKind: 'time', ...options });

/**
 * The schema of a name or title: one line, trimmed, in NFC, without control or bidi control
 * characters. Lengths count code points.
 */
export const Name = (minLength: number, maxLength: number, options: Options = {}) =>
  Type.String({ minLength, maxLength, textKind: 'name', ...options });

/** The schema of free text, which is kept exactly as sent. */
export const Text = (minLength: number, maxLength: number, options: Options = {}) =>
  Type.String({ minLength, maxLength, ...options });

/** The schema of an absolute https address without credentials. */
export const HttpsUrl = (options: Options = {}) =>
  Type.String({ minLength: 1, maxLength: 2000, textKind: 'https', ...options });

/** The schema of an integer. The limits must be integers that JSON can carry exactly. */
export const Int = (minimum: number, maximum: number, options: Options = {}) =>
  Type.Integer({ minimum, maximum, ...options });

export const Int64 = (options: Options = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

export const Enum = <const Values extends readonly string[]>(
  values: Values,
  options: Options = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });

/** The schema of a string that fits a pattern. `words` are what an error says: "must be ...". */
export const Patterned = (pattern: string, words: string, options: Options = {}) =>
  Type.String({ pattern, [fittingWords]: words, ...options });

/** What fits `^[a-z0-9._-]{1,64}$`, the form of names of contexts and criteria. */
export const NAME_WORDS = 'must be 1 to 64 of a-z, 0-9, ".", "_" and "-"';

/** The schema of a SHA-256 in lower-case hex. */
export const Sha256 = (options: Options = {}) =>
  Patterned('^[0-9a-f]{64}$', 'must be a SHA-256: 64 hexadecimal digits in lower case', options);

/**
 * Returns a schema that also allows null. It uses a list of types instead of `anyOf`, because that
 * serializes faster and gives better errors.
 */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as unknown as { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** Returns the schema of a request member that may be absent or null, which mean the same. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

/** The schema of an object without unknown members. */
export const Closed = <const P extends Record<string, TSchema>>(
  properties: P,
  options: Options = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

export const List = <T extends TSchema>(items: T, options: Options = {}) =>
  Type.Array(items, options);

/**
 * The schema of an object whose members the caller names: at most `maxProperties`, with names that
 * match the pattern; `words` say which names these are.
 */
export const Dictionary = <T extends TSchema>(
  values: T,
  maxProperties: number,
  pattern: string,
  words: string,
  options: Options = {},
) =>
  Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    minProperties: 1,
    maxProperties,
    propertyNames: { pattern, [fittingWords]: words },
    additionalProperties: values,
    ...options,
  });

/** The schema `{ id, createdAt, ... }`, the answer of most mutations. */
export const Ack = <const P extends Record<string, TSchema>>(more: P, options: Options = {}) =>
  Closed({ id: Uuid(), createdAt: Time(), ...more }, options);

/** The schema of the answer to a deletion. */
export const Deleted = Closed({ id: Uuid() }, { title: 'Deleted' });

declare const filled: unique symbol;

/** Marks a member that the validator fills in when a caller leaves it out. */
interface Filled {
  readonly [filled]: true;
}

/**
 * Returns the schema of a member with a default. Callers may omit it, but handlers always get it.
 */
export const Defaulted = <S extends TSchema>(schema: S) =>
  Type.Optional(schema) as Type.TOptional<S> & Filled;

/** The type of an object as a handler gets it: members with a default are always present. */
export type StaticFilled<T extends TSchema> = Static<T> &
  (T extends Type.TObject<infer Properties>
    ? {
        readonly [Name in keyof Properties as Properties[Name] extends Filled
          ? Name
          : never]: Static<Properties[Name]>;
      }
    : unknown);

/** The query members of everything that has pages with numbers. */
export const pageQuery = {
  offset: Defaulted(
    Int(0, 2_147_483_647, {
      default: 0,
      description: 'How many to skip: for the next page, this offset and its limit together.',
      examples: [0],
    }),
  ),
  limit: Defaulted(
    Int(1, 100, { default: 50, description: 'How many to return at most.', examples: [50] }),
  ),
};

/** The query members that every list has. */
export const listQuery = {
  ...pageQuery,
  before: Type.Optional(
    Uuid({
      description:
        'The id of the last row that you have seen: the page goes on after it, at the same cost ' +
        'at any depth. The `Link` of a page has it.',
    }),
  ),
};
