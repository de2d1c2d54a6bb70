import type { Operation } from './operation.ts';
import { Closed } from './schema.ts';
import { serializer } from './serializer.ts';
import { createOutputCheck, createValidator, type Validate } from './validate.ts';

/** What is made once from an operation's schemas. */
export interface Interface {
  readonly params: Validate;
  readonly query: Validate;
  readonly body: Validate;
  readonly stringify: (output: unknown) => string;
  readonly fault: (output: unknown) => string | undefined;
}

const nothing = Closed({});
const made = new WeakMap<Operation, Interface>();

/** The checks and the serializer of an operation, compiled when first used and kept. */
export function interfaceOf(operation: Operation): Interface {
  let known = made.get(operation);
  if (!known) {
    known = {
      params: createValidator(operation.params ?? nothing, 'path'),
      query: createValidator(operation.query ?? nothing, 'query'),
      body: createValidator(operation.body ?? nothing, 'body'),
      stringify: serializer(operation.output),
      fault: createOutputCheck(operation.output),
    };
    made.set(operation, known);
  }
  return known;
}
