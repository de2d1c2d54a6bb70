import {
  type ApiDocument,
  type ApiSchema,
  resolveReference,
} from '../../kernel/operation/api-document.ts';

/** A member of a record or of a record in it. */
export interface SchemaMember {
  /** The path of the member, such as "messages[].files[].name". */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Nesting levels that a table shows. Deeper ones are clearer in the example. */
const MAX_DEPTH = 4;

/**
 * Resolves references in a schema and removes "or null". `nullable` says whether null was allowed.
 */
function unwrapSchema(
  api: ApiDocument,
  schema: ApiSchema,
): { readonly schema: ApiSchema; readonly nullable: boolean } {
  const found = resolveReference<ApiSchema>(api, schema);
  const choice = found.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (choice.length === 1 && choice[0])
    return {
      ...unwrapSchema(api, {
        ...choice[0],
        ...(found.description && { description: found.description }),
      }),
      nullable: true,
    };
  return { schema: found, nullable: Array.isArray(found.type) && found.type.includes('null') };
}

const describeBounds = ({
  minimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
}: ApiSchema): string => {
  const max = maximum !== undefined && maximum < 2_147_483_647 ? maximum : undefined;
  if (max !== undefined) return `, ${minimum ?? 0} to ${max}`;
  if (maxLength !== undefined)
    return `, ${minLength ? `${minLength} to ` : 'at most '}${maxLength} characters`;
  return maxItems === undefined ? '' : ` (at most ${maxItems})`;
};

function describeShape(api: ApiDocument, schema: ApiSchema): string {
  const type = [schema.type ?? []].flat().find((name) => name !== 'null');
  if (type === 'array') return `list of ${describeType(api, schema.items ?? {})}`;
  if (schema.anyOf) return schema.anyOf.map((choice) => describeType(api, choice)).join(' or ');
  return `${type ?? 'any JSON value'}${schema.format ? ` (${schema.format})` : ''}`;
}

/** Describes the values that a schema allows, in words. */
export function describeType(api: ApiDocument, given: ApiSchema): string {
  const { schema, nullable } = unwrapSchema(api, given);
  const orNull = nullable ? ' or null' : '';
  const values = schema.enum?.filter((value) => value !== null);
  if (values) return `${values.map((value) => JSON.stringify(value)).join(', ')}${orNull}`;
  return `${describeShape(api, schema)}${describeBounds(schema)}${orNull}`;
}

/** Lists all members of a record. Each is followed by the members of the record in it. */
export function listSchemaMembers(
  api: ApiDocument,
  given: ApiSchema,
  prefix = '',
  depth = 0,
): SchemaMember[] {
  const { schema } = unwrapSchema(api, given);
  if (schema.items)
    return listSchemaMembers(
      api,
      schema.items,
      prefix === '' ? '[].' : `${prefix.slice(0, -1)}[].`,
      depth,
    );
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const { schema: inner } = unwrapSchema(api, member);
    const listed = {
      name: path,
      type: describeType(api, member),
      required: required.includes(name),
      description: member.description ?? inner.description ?? '',
    };
    return [
      listed,
      ...(depth + 1 < MAX_DEPTH ? listSchemaMembers(api, member, `${path}.`, depth + 1) : []),
    ];
  });
}
