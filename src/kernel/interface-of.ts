import { type AnyOperation, ignoresUnknownQuery } from './operation/any-operation.ts';
import type { Operation } from './operation/operation.ts';
import { Closed } from './schema/schema.ts';
import { serializer } from './schema/serializer.ts';
import { createOutputCheck, createValidator, type Validate } from './schema/validate.ts';

/** Checks of what a caller sends. */
interface InputCheck {
  readonly params: Validate;
  readonly query: Validate;
  readonly body: Validate;
}

/** How an answer is written, and what is wrong with one. */
interface OutputForm {
  readonly stringify: (output: unknown) => string;
  readonly fault: (output: unknown) => string | undefined;
}

/** Compiled when first used, and kept. */
function once<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

const nothing = Closed({});

export const inputOf = once<AnyOperation, InputCheck>((operation) => ({
  params: createValidator(operation.params ?? nothing, 'path'),
  query: createValidator(
    operation.query ?? nothing,
    ignoresUnknownQuery(operation) ? 'query of a page' : 'query',
  ),
  body: createValidator(operation.body ?? nothing, 'body'),
}));

export const outputOf = once<Operation, OutputForm>(({ output }) => ({
  stringify: serializer(output),
  fault: createOutputCheck(output),
}));
