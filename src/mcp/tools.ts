import type { Tool } from '@modelcontextprotocol/server';
import { type AnyOperation, isMutation } from '../kernel/operation/any-operation.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Installation } from '../kernel/installation.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import type { TSchema } from '../kernel/schema/schema.ts';
import { type Capability, isOffered, missingSwitch } from '../kernel/scopes.ts';
import { argumentName, origins, type Place, type Places } from './tool-arguments.ts';
import { describe } from './descriptions.ts';
import {
  asJsonSchema,
  ContentPart,
  fileArguments,
  idempotencyArgument,
  type Json,
  rangeArguments,
  withExamples,
} from './tool-schemas.ts';

/** An answer that is no object is put under this name. */
export type Wrap = 'items' | 'item' | null;

/** A tool as it is listed, and how its arguments become a call. Made once. */
export interface PreparedTool {
  readonly operation: Operation | ContentOperation;
  readonly listing: Tool;
  readonly places: Places;
  readonly wrap: Wrap;
}

type Callable = Operation | ContentOperation;

/** What an agent can call: what has a tool, and a capability that is not switched off. */
function isOfferedHere(operation: AnyOperation, { features }: Installation): operation is Callable {
  const { scope, feature, tool, kind } = operation;
  if (tool === undefined || (kind !== 'call' && kind !== 'content')) return false;
  if (missingSwitch(feature, features)) return false;
  return scope === undefined || scope === 'forum' || isOffered(scope as Capability, features);
}

type Members = Readonly<Record<string, TSchema>>;

interface Argument {
  readonly name: string;
  readonly place: Place;
  readonly schema: Json;
  readonly required: boolean;
}

const membersOf = (
  schema: TSchema | undefined,
  part: Place['part'],
  rename = (name: string) => name,
): Argument[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Members;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([member, inner]) => ({
    name: rename(member),
    place: { part, member },
    schema: withExamples(asJsonSchema(inner)),
    required: required.includes(member),
  }));
};

const withOrigin = (one: Argument): Argument => ({
  ...one,
  schema: { ...one.schema, description: origins[one.name] ?? one.schema.description },
});

const own = (
  part: Place['part'],
  schemas: Readonly<Record<string, Json>>,
  required: readonly string[],
): Argument[] =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    place: { part, member: name },
    schema,
    required: required.includes(name),
  }));

/** Everything that a call takes, side by side, in the order of address, query, body. Errors: throws when two have the same name. */
function argumentsOf(operation: Callable, fileBytes: number): Argument[] {
  const found = [
    ...membersOf(operation.params, 'path', (name) => argumentName(operation.path, name)).map(
      withOrigin,
    ),
    ...membersOf(operation.query, 'query'),
    ...membersOf(operation.body, 'body'),
    ...(operation.upload ? own('file', fileArguments(fileBytes), ['name', 'content']) : []),
    ...(operation.kind === 'content' && operation.ranges ? own('range', rangeArguments, []) : []),
    ...(isMutation(operation)
      ? own(
          'idempotencyKey',
          { idempotencyKey: idempotencyArgument(operation) },
          operation.idempotency ? ['idempotencyKey'] : [],
        )
      : []),
  ];
  const twice = found.find(
    ({ name }, index) => found.findIndex((other) => other.name === name) !== index,
  );
  if (twice)
    throw new Error(
      `The tool ${operation.tool} has two arguments named "${twice.name}": rename one of them in ${operation.name}.`,
    );
  return found;
}

/** What comes back, as an object: the protocol knows no other structured content. */
function outputOf(operation: Callable): {
  readonly schema: Tool['outputSchema'] & object;
  readonly wrap: Wrap;
} {
  if (operation.kind === 'content') return { schema: ContentPart, wrap: null };
  const schema = asJsonSchema(operation.output);
  const wrap: Wrap =
    schema.type === 'array'
      ? 'items'
      : schema.type === 'object' || isUnionOfObjects(schema)
        ? null
        : 'item';
  if (wrap === null) return { schema: { ...schema, type: 'object' }, wrap };
  return {
    schema: {
      type: 'object',
      properties: { [wrap]: schema },
      required: [wrap],
      additionalProperties: false,
    },
    wrap,
  };
}

const isUnionOfObjects = ({ anyOf, oneOf }: Json): boolean =>
  ((anyOf ?? oneOf ?? [null]) as (Json | null)[]).every((one) => one?.type === 'object');

/**
 * Hints for clients that ask before they act. What overwrites or takes away is destructive; a call with a required idempotency key is
 * the same call when its arguments are, so repeating it does nothing more.
 */
function annotationsOf(operation: Callable): Tool['annotations'] {
  const { method, idempotency, rotates, untrusted, body } = operation;
  const readOnlyHint = !isMutation(operation);
  return {
    readOnlyHint,
    destructiveHint:
      !readOnlyHint &&
      (method === 'DELETE' || (method === 'PUT' && body !== undefined) || rotates === true),
    idempotentHint: readOnlyHint || method !== 'POST' || idempotency === 'required',
    openWorldHint: untrusted === true,
  };
}

/** "create_room" as a title. */
const titleOf = (tool: string): string =>
  tool.charAt(0).toUpperCase() + tool.slice(1).replaceAll('_', ' ');

/** The tools of an installation by name, in the order of the registry. Errors: throws when an operation cannot be one. */
export function prepareTools(
  operations: readonly AnyOperation[],
  installation: Installation,
  words: (text: string) => string,
): ReadonlyMap<string, PreparedTool> {
  const tools = new Map<string, PreparedTool>();
  for (const operation of operations) {
    if (!isOfferedHere(operation, installation)) continue;
    const name = operation.tool ?? '';
    const found = argumentsOf(operation, installation.limits.fileBytes);
    const { schema: outputSchema, wrap } = outputOf(operation);
    const inputSchema: Tool['inputSchema'] = {
      type: 'object',
      properties: Object.fromEntries(
        found.map((one) => [
          one.name,
          { ...one.schema, description: words(String(one.schema.description ?? '')) },
        ]),
      ),
      required: found.filter(({ required }) => required).map((one) => one.name),
      additionalProperties: false,
    };
    const listing: Tool = {
      name,
      title: titleOf(name),
      description: words(describe(operation)),
      inputSchema,
      outputSchema,
      annotations: annotationsOf(operation),
    };
    tools.set(name, {
      operation,
      listing,
      wrap,
      places: new Map(found.map((one) => [one.name, one.place])),
    });
  }
  return tools;
}
