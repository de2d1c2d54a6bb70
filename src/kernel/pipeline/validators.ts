import { memoize } from '../memoize.ts';
import { type AnyOperation, ignoresUnknownQuery } from '../operation/any-operation.ts';
import type { Operation } from '../operation/operation.ts';
import { Closed } from '../schema/schema.ts';
import { createSerializer } from '../schema/serializer.ts';
import { createOutputCheck, createValidator, type Validate } from '../schema/validate.ts';

/** Validators of the three parts of a call. */
interface InputValidators {
  readonly params: Validate;
  readonly query: Validate;
  readonly body: Validate;
}

/** Serializes an answer as JSON, and finds the first fault by which it does not fit the schema. */
interface OutputSerializer {
  readonly stringify: (output: unknown) => string;
  readonly findFault: (output: unknown) => string | undefined;
}

const emptySchema = Closed({});

/** Returns the input validators of an operation. They are compiled on its first call. */
export const getInputValidators = memoize<AnyOperation, InputValidators>((operation) => ({
  params: createValidator(operation.params ?? emptySchema, 'path'),
  query: createValidator(
    operation.query ?? emptySchema,
    ignoresUnknownQuery(operation) ? 'query of a page' : 'query',
  ),
  body: createValidator(operation.body ?? emptySchema, 'body'),
}));

/** Returns the output serializer of an operation. It is compiled on its first answer. */
export const getOutputSerializer = memoize<Operation, OutputSerializer>(({ output }) => ({
  stringify: createSerializer(output),
  findFault: createOutputCheck(output),
}));
