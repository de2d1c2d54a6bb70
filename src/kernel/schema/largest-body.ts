import type { TSchema } from './schema.ts';

/** The members of JSON Schema that bound the length of a value. */
interface Bounds {
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Bounds>>;
  readonly items?: Bounds;
  readonly maxItems?: number;
  readonly anyOf?: readonly Bounds[];
}

/** Bytes of a code point that is escaped as two surrogates, such as `\ud83d\ude00`. */
const ESCAPED_BYTES = 12;
/** Bytes of a string whose length the schema leaves to a format: an id, a time, a digest. */
const SHORT_BYTES = 512;
/** Bytes of a number, a boolean or null. */
const SCALAR_BYTES = 32;
/** Bytes of whitespace, quotes and commas around a value or a name. */
const BESIDE_BYTES = 32;

/** Returns the length of the longest value of a schema in bytes; infinite where it has no bound. */
function computeLargest(schema: Bounds): number {
  const { anyOf, items, maxItems, properties, type } = schema;
  if (anyOf) return Math.max(...anyOf.map(computeLargest));
  const types = [type].flat();
  if (types.includes('array'))
    return items && maxItems !== undefined
      ? maxItems * (computeLargest(items) + BESIDE_BYTES)
      : Number.POSITIVE_INFINITY;
  if (types.includes('object')) {
    if (!properties) return Number.POSITIVE_INFINITY;
    return Object.entries(properties)
      .map(([name, value]) => name.length * 6 + computeLargest(value) + BESIDE_BYTES)
      .reduce((sum, bytes) => sum + bytes, BESIDE_BYTES);
  }
  if (schema.enum) return SHORT_BYTES;
  if (types.includes('string')) {
    if (schema.maxLength !== undefined) return schema.maxLength * ESCAPED_BYTES;
    return schema.format || schema.pattern ? SHORT_BYTES : Number.POSITIVE_INFINITY;
  }
  return types[0] === undefined ? Number.POSITIVE_INFINITY : SCALAR_BYTES;
}

/** Bytes that the body of any operation may have, however short its largest value is. */
export const LEAST_BODY_BYTES = 64 * 1024;

/**
 * Returns the number of bytes that the body of an operation may have, between `minimum` and
 * `maximum`: enough for the largest value of its schema, with every character escaped.
 */
export const computeBodyLimit = (
  schema: TSchema | undefined,
  minimum: number,
  maximum: number,
): number =>
  Math.max(minimum, Math.min(maximum, schema ? computeLargest(schema as Bounds) : minimum));
