import type { Problem } from '../errors.ts';
import type { AnyOperation } from './any-operation.ts';

/**
 * The texts of operations and errors are shown by several edges, and each edge names an operation
 * in its own way. So a text refers to an operation by placeholder: `{op:createRoom}`, or
 * `{op:joinRoom(<id>)}` with values for the parameters of its path. `{idempotencyKey}` stands for
 * the header of REST and the argument of a tool.
 */
const REFERENCE = /\{(?:op:(\w+)(?:\(([\w,-]*)\))?|idempotencyKey)\}/g;

/** Matches anything that looks like a reference to an operation, even a misspelled one. */
const ATTEMPT = /\{ *op\b[^}]*\}?/gi;

/** Replaces the references in a text by the names that one edge uses. */
export type Wording = (text: string) => string;

export const createWording = (
  operations: readonly AnyOperation[],
  describe: (operation: AnyOperation, values: readonly string[]) => string,
  idempotencyKey: string,
): Wording => {
  const operationsByName = new Map(operations.map((one) => [one.name, one]));
  return (text) =>
    text.replace(REFERENCE, (reference: string, name?: string, values?: string) => {
      if (name === undefined) return idempotencyKey;
      const operation = operationsByName.get(name);
      // An error may quote its caller, so an unknown name is text like any other.
      return operation ? describe(operation, values?.split(',') ?? []) : reference;
    });
};

function toRequestLine({ method, path }: AnyOperation, values: readonly string[]): string {
  const rest = [...values];
  return `${method} ${path.replace(/\{\w+\}/g, (parameter) => rest.shift() ?? parameter)}`;
}

/** Creates the wording of REST and OpenAPI, in which `{op:createRoom}` is "POST /api/v1/rooms". */
export const createRestWording = (operations: readonly AnyOperation[]): Wording =>
  createWording(operations, toRequestLine, 'Idempotency-Key');

/**
 * Creates the wording of tools, in which `{op:createRoom}` is "create_room". An operation that is
 * not a tool is named as in REST.
 */
export const createToolWording = (operations: readonly AnyOperation[]): Wording =>
  createWording(
    operations,
    (operation, values) => operation.tool ?? toRequestLine(operation, values),
    'idempotencyKey',
  );

/** Returns a copy of plain data, such as a JSON Schema, with all of its references replaced. */
export const fillTexts = <T>(data: T, wording: Wording): T =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? wording(value) : value,
  ) as T;

/** Returns a problem with the references in its details replaced. */
export const fillProblem = (problem: Problem, wording: Wording): Problem => ({
  ...problem,
  detail: wording(problem.detail),
  ...(problem.errors && {
    errors: problem.errors.map(({ pointer, detail }) => ({ pointer, detail: wording(detail) })),
  }),
});

/** Returns the references in a text that name no operation. */
export const findBrokenReferences = (text: string, operations: readonly AnyOperation[]): string[] =>
  createRestWording(operations)(text).match(ATTEMPT) ?? [];

/**
 * Asserts that the texts and schemas of all operations refer only to operations that exist.
 * Errors: throws an Error with the operation and the reference, which aborts startup.
 */
export function assertReferences(operations: readonly AnyOperation[]): void {
  for (const operation of operations) {
    const [broken] = findBrokenReferences(JSON.stringify(operation), operations);
    if (broken !== undefined)
      throw new Error(
        `A text of ${operation.name} refers to ${broken}, and no operation has that name. ` +
          'Correct the reference.',
      );
  }
}
