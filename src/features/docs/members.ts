import { type ApiDocument, type ApiSchema, resolved } from '../../kernel/operation/api-document.ts';

/** A member of a record, and of the records in it. */
export interface Member {
  /** "messages[].files[].name". */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Deeper than this the example shows more than a table. */
const DEEPEST = 4;

/** A schema without references, and without "or null". */
function core(
  api: ApiDocument,
  schema: ApiSchema,
): { readonly schema: ApiSchema; readonly nullable: boolean } {
  const found = resolved<ApiSchema>(api, schema as ApiSchema);
  const choice = found.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (choice.length === 1 && choice[0])
    return {
      ...core(api, { ...choice[0], ...(found.description && { description: found.description }) }),
      nullable: true,
    };
  return { schema: found, nullable: Array.isArray(found.type) && found.type.includes('null') };
}

const bounds = ({ minimum, maximum, minLength, maxLength, maxItems }: ApiSchema): string => {
  const most = maximum !== undefined && maximum < 2_147_483_647 ? maximum : undefined;
  if (most !== undefined) return `, ${minimum ?? 0} to ${most}`;
  if (maxLength !== undefined)
    return `, ${minLength ? `${minLength} to ` : 'at most '}${maxLength} characters`;
  return maxItems === undefined ? '' : ` (at most ${maxItems})`;
};

/** What may stand there, in words. */
export function typeOf(api: ApiDocument, given: ApiSchema): string {
  const { schema, nullable } = core(api, given);
  const only = [schema.type ?? []].flat().find((one) => one !== 'null');
  const values = schema.enum?.filter((one) => one !== null).map((one) => JSON.stringify(one));
  const name = values
    ? values.join(', ')
    : only === 'array'
      ? `list of ${typeOf(api, schema.items ?? {})}`
      : schema.anyOf
        ? schema.anyOf.map((one) => typeOf(api, one)).join(' or ')
        : `${only ?? 'any JSON value'}${schema.format ? ` (${schema.format})` : ''}`;
  return `${name}${values ? '' : bounds(schema)}${nullable ? ' or null' : ''}`;
}

/** All members of a record, those of the records in it after them. */
export function membersOf(api: ApiDocument, given: ApiSchema, prefix = '', depth = 0): Member[] {
  const { schema } = core(api, given);
  if (schema.items)
    return membersOf(api, schema.items, prefix === '' ? '[].' : `${prefix.slice(0, -1)}[].`, depth);
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const { schema: inner } = core(api, member);
    const one = {
      name: path,
      type: typeOf(api, member),
      required: required.includes(name),
      description: member.description ?? inner.description ?? '',
    };
    return [one, ...(depth + 1 < DEEPEST ? membersOf(api, member, `${path}.`, depth + 1) : [])];
  });
}
