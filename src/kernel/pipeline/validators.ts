import { memoize } from '../memoize.ts';
import { type AnyOperation, ignoresUnknownQuery } from '../operation/any-operation.ts';
import type { Operation } from '../operation/operation.ts';
import { Closed } from '../schema/schema.ts';
import { createSerializer } from '../schema/serializer.ts';
import { createOutputCheck, createValidator, type Validate } from '../schema/validate.ts';

/** Checks of the three parts of a call. */
interface InputValidators {
  readonly params: Validate;
  readonly query: Validate;
  readonly body: Validate;
}

/** Writes an answer as JSON, and finds what in it does not fit the schema. */
interface OutputSerializer {
  readonly stringify: (output: unknown) => string;
  readonly findFault: (output: unknown) => string | undefined;
}

const emptySchema = Closed({});

/** Compiled when an operation is first called. */
export const getInputValidators = memoize<AnyOperation, InputValidators>((operation) => ({
  params: createValidator(operation.params ?? emptySchema, 'path'),
  query: createValidator(
    operation.query ?? emptySchema,
    ignoresUnknownQuery(operation) ? 'query of a page' : 'query',
  ),
  body: createValidator(operation.body ?? emptySchema, 'body'),
}));

/** Compiled when an operation is first answered. */
export const getOutputSerializer = memoize<Operation, OutputSerializer>(({ output }) => ({
  stringify: createSerializer(output),
  findFault: createOutputCheck(output),
}));
