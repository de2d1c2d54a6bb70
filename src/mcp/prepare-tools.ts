import type { Tool } from '@modelcontextprotocol/server';
import type { Installation } from '../kernel/installation.ts';
import { type AnyOperation, isMutation } from '../kernel/operation/any-operation.ts';
import { addExcerpts, takesBudget } from '../kernel/operation/budget-query.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { fillTexts, type Wording } from '../kernel/operation/operation-references.ts';
import { findMissingCapability, findMissingFeature } from '../kernel/scopes.ts';
import { getContinuationSchemas, listContinuationMembers } from './around-answer.ts';
import { describeTool } from './descriptions.ts';
import { listArguments } from './list-arguments.ts';
import { findPaging, type Paging } from './read-on.ts';
import type { ArgumentPlaces } from './tool-arguments.ts';
import { ContentPart, type JsonSchema, toJsonSchema } from './tool-schemas.ts';

/** The member that holds an answer that is not an object; null for an object. */
export type Wrap = 'items' | 'item' | null;

/** A tool as it is listed, and how its arguments become a call. */
export interface PreparedTool {
  readonly operation: Operation | ContentOperation;
  readonly listing: Tool;
  readonly places: ArgumentPlaces;
  readonly wrap: Wrap;
  readonly paging: Paging;
}

type CallableOperation = Operation | ContentOperation;

/** Whether an agent can call an operation: it is a tool, and its capability is not switched off. */
function isCallable(
  operation: AnyOperation,
  { features }: Installation,
): operation is CallableOperation {
  const { scope, feature, tool, kind } = operation;
  if (tool === undefined || (kind !== 'call' && kind !== 'content')) return false;
  return !findMissingFeature(feature, features) && !findMissingCapability(scope, features);
}

/** The schema of an answer as an object, and how the answer becomes one. */
interface OutputShape {
  readonly schema: Tool['outputSchema'] & object;
  readonly wrap: Wrap;
}

/** Adds the members that only tools have to the schema of an object, or of several. */
function addOwnMembers(schema: JsonSchema, own: JsonSchema, always: readonly string[]): JsonSchema {
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union))
    return {
      ...schema,
      [schema.anyOf ? 'anyOf' : 'oneOf']: union.map((one: JsonSchema) =>
        addOwnMembers(one, own, always),
      ),
    };
  const { properties = {}, required = [] } = schema as {
    readonly properties?: JsonSchema;
    readonly required?: readonly string[];
  };
  return {
    ...schema,
    properties: { ...own, ...properties },
    required: [...new Set([...always, ...required])],
  };
}

/**
 * Returns the schema of the answer of a tool. It begins with the mark of text by others, and with
 * how a list continues.
 */
function buildOutput(operation: CallableOperation, paging: Paging): OutputShape {
  const { schema, wrap } = buildAnswer(operation);
  const { untrusted } = operation;
  const own = {
    ...(untrusted && { contentTrust: { const: 'untrusted' } }),
    ...getContinuationSchemas(paging, takesBudget(operation)),
  };
  const always = [...(untrusted ? ['contentTrust'] : []), ...listContinuationMembers(paging)];
  return { wrap, schema: { ...addOwnMembers(schema, own, always), type: 'object' } };
}

/** Returns the schema of the answer as an object: the protocol has no other structured content. */
function buildAnswer(operation: CallableOperation): OutputShape {
  if (operation.kind === 'content') return { schema: ContentPart, wrap: null };
  const schema = toJsonSchema(addExcerpts(operation));
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

const isUnionOfObjects = ({ anyOf, oneOf }: JsonSchema): boolean =>
  ((anyOf ?? oneOf ?? [null]) as (JsonSchema | null)[]).every((one) => one?.type === 'object');

/**
 * Returns hints for clients that ask before they act. A call is destructive if it overwrites or
 * removes something. A call with a required idempotency key is idempotent: with the same arguments
 * it is the same call.
 */
function buildAnnotations(operation: CallableOperation): Tool['annotations'] {
  const { method, idempotency, rotatesCredential, untrusted, body } = operation;
  const readOnlyHint = !isMutation(operation);
  return {
    readOnlyHint,
    destructiveHint:
      !readOnlyHint &&
      (method === 'DELETE' ||
        (method === 'PUT' && body !== undefined) ||
        rotatesCredential === true),
    idempotentHint: readOnlyHint || method !== 'POST' || idempotency === 'required',
    openWorldHint: untrusted === true,
  };
}

/** Converts the name of a tool, such as "create_room", to a title. */
const toTitle = (tool: string): string =>
  tool.charAt(0).toUpperCase() + tool.slice(1).replaceAll('_', ' ');

/**
 * Prepares the tools of an installation, by name and in the order of the registry.
 * Errors: throws when an operation cannot be a tool.
 */
export function prepareTools(
  operations: readonly AnyOperation[],
  installation: Installation,
  wording: Wording,
): ReadonlyMap<string, PreparedTool> {
  const tools = new Map<string, PreparedTool>();
  for (const operation of operations) {
    if (!isCallable(operation, installation)) continue;
    const name = operation.tool ?? '';
    const argumentsFound = listArguments(operation, installation.limits.fileBytes);
    const paging = operation.kind === 'call' ? findPaging(operation) : null;
    const { schema: outputSchema, wrap } = buildOutput(operation, paging);
    const inputSchema: Tool['inputSchema'] = {
      type: 'object',
      properties: Object.fromEntries(
        argumentsFound.map((one) => [
          one.name,
          { ...one.schema, description: String(one.schema.description ?? '') },
        ]),
      ),
      required: argumentsFound.filter(({ required }) => required).map((one) => one.name),
      additionalProperties: false,
    };
    const listing: Tool = {
      name,
      title: toTitle(name),
      description: describeTool(operation),
      inputSchema,
      outputSchema,
      annotations: buildAnnotations(operation),
    };
    tools.set(name, {
      operation,
      listing: fillTexts(listing, wording),
      wrap,
      paging,
      places: new Map(argumentsFound.map((one) => [one.name, one.place])),
    });
  }
  return tools;
}
