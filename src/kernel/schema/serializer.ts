import { build } from 'fast-json-stringify';
import type { Static, TSchema } from './schema.ts';

/**
 * Creates a function that serializes values of a schema as JSON. It is compiled on its first use.
 * Members that the schema does not declare are left out.
 */
export function createSerializer<T extends TSchema>(schema: T): (value: Static<T>) => string {
  let write: ((value: Static<T>) => string) | undefined;
  return (value) => {
    // The cast is safe because fast-json-stringify reads plain JSON Schema, which every TypeBox
    // value is.
    write ??= build(structuredClone(schema) as unknown as Parameters<typeof build>[0]) as (
      value: Static<T>,
    ) => string;
    return write(value);
  };
}
