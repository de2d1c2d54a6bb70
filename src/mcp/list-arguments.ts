import { isMutation } from '../kernel/operation/any-operation.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import type { TSchema } from '../kernel/schema/schema.ts';
import { type ArgumentPlace, idDescriptions, toArgumentName } from './tool-arguments.ts';
import {
  addExamples,
  buildFileArguments,
  buildKeySchema,
  type JsonSchema,
  rangeArguments,
  toJsonSchema,
} from './tool-schemas.ts';

type Members = Readonly<Record<string, TSchema>>;

/** An argument of a tool: its schema, and where it belongs in the operation. */
interface ToolArgument {
  readonly name: string;
  readonly place: ArgumentPlace;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

const listMembers = (
  schema: TSchema | undefined,
  part: ArgumentPlace['part'],
  rename = (name: string) => name,
): ToolArgument[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Members;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([member, inner]) => ({
    name: rename(member),
    place: { part, member },
    schema: addExamples(toJsonSchema(inner)),
    required: required.includes(member),
  }));
};

const describeId = (one: ToolArgument): ToolArgument => ({
  ...one,
  schema: { ...one.schema, description: idDescriptions[one.name] ?? one.schema.description },
});

const listOwnArguments = (
  part: ArgumentPlace['part'],
  schemas: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): ToolArgument[] =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    place: { part, member: name },
    schema,
    required: required.includes(name),
  }));

/**
 * Returns all arguments of a call side by side, in the order of path, query and body.
 * Errors: throws when two have the same name.
 */
export function listArguments(
  operation: Operation | ContentOperation,
  fileBytes: number,
): ToolArgument[] {
  const argumentsFound = [
    ...listMembers(operation.params, 'path', (name) => toArgumentName(operation.path, name)).map(
      describeId,
    ),
    ...listMembers(operation.query, 'query'),
    ...listMembers(operation.body, 'body'),
    ...(operation.upload
      ? listOwnArguments('file', buildFileArguments(fileBytes), ['name', 'content'])
      : []),
    ...(operation.kind === 'content' && operation.ranges
      ? listOwnArguments('range', rangeArguments, [])
      : []),
    ...(isMutation(operation)
      ? listOwnArguments(
          'idempotencyKey',
          { idempotencyKey: buildKeySchema(operation) },
          operation.idempotency ? ['idempotencyKey'] : [],
        )
      : []),
  ];
  const duplicate = argumentsFound.find(
    ({ name }, index) => argumentsFound.findIndex((other) => other.name === name) !== index,
  );
  if (duplicate)
    throw new Error(
      `The tool ${operation.tool} has two arguments named "${duplicate.name}": rename one of ` +
        `them in ${operation.name}.`,
    );
  return argumentsFound;
}
