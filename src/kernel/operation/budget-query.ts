import { Closed, Int, type TSchema, Type } from '../schema/schema.ts';
import { MAX_BUDGET, MIN_BUDGET } from '../text/budget.rules.ts';
import type { Spec } from './spec.ts';

/** The query members of every read that is a tool. */
export const budgetQuery = {
  budget: Type.Optional(
    Int(MIN_BUDGET, MAX_BUDGET, {
      description:
        'The most code points that the JSON of the answer may have. What does not fit is on the ' +
        'next page; a single long item is cut.',
      examples: [8000],
    }),
  ),
  excerptFrom: Type.Optional(
    Int(0, 2_147_483_647, {
      description: 'With a budget: where to go on in an item that was cut, its `nextFrom`.',
      examples: [0],
    }),
  ),
};

/** Whether an operation takes a budget: every read with a JSON answer that is a tool. */
export const takesBudget = ({ method, tool }: Pick<Spec, 'method' | 'tool'>): boolean =>
  method === 'GET' && tool !== undefined;

/** Returns the query of an operation, with that of budgets where it takes one. */
export function addBudgetQuery(spec: Spec): TSchema | undefined {
  if (!takesBudget(spec)) return spec.query;
  const { properties = {} } = (spec.query ?? {}) as { properties?: Record<string, TSchema> };
  return Closed({ ...properties, ...budgetQuery });
}

/** The schema of what is left of a text that was cut. */
export const Truncated = Closed(
  {
    nextFrom: Int(0, 2_147_483_647, { description: 'Where to read on.' }),
    length: Int(0, 2_147_483_647, { description: 'Code points of the whole text.' }),
  },
  { title: 'Truncated' },
);

/** The schema of a piece of an answer, or of an item, that is longer than its budget. */
export const ExcerptPart = Closed(
  {
    excerpt: Type.String({ description: 'A piece of the JSON of an item that was too long.' }),
    truncated: Type.Union([Truncated, Type.Null()], { description: 'Null at its end.' }),
  },
  { title: 'ExcerptPart' },
);

type Schema = Readonly<Record<string, unknown>>;

const getMembers = (schema: unknown): Readonly<Record<string, Schema>> =>
  (schema as { readonly properties?: Readonly<Record<string, Schema>> } | undefined)?.properties ??
  {};

/** The title of the schema of messages, which are cut in their body. */
const CUT_IN_TEXT = 'Message';

/** Returns the schema of a record, or of what is sent of it where it is longer than its budget. */
function orExcerpt(schema: unknown): Schema {
  const record = schema as Schema & { readonly required?: readonly string[] };
  if (record.title !== CUT_IN_TEXT) return { anyOf: [record, ExcerptPart] };
  const truncated = Type.Union([Truncated, Type.Null()]);
  const cut = {
    ...record,
    title: `${CUT_IN_TEXT}WithinBudget`,
    properties: { ...getMembers(record), truncated },
    required: [...(record.required ?? []), 'truncated'],
  };
  return { anyOf: [record, cut] };
}

/** Whether a schema is that of a list whose items may be cut. */
const hasPieces = ({ type, items }: Schema): boolean =>
  type === 'array' && (items as Schema).type === 'object';

/**
 * Returns the schema of the answers of an operation, with the pieces that it has where a budget is
 * too small for an item.
 */
export function addExcerpts(spec: Pick<Spec, 'method' | 'tool' | 'output' | 'query'>): TSchema {
  const output = spec.output as Schema;
  if (!takesBudget(spec)) return spec.output;
  if (hasPieces(output)) return { ...output, items: orExcerpt(output.items) } as TSchema;
  const { offset, cursor } = getMembers(spec.query);
  const members = Object.entries(getMembers(output));
  const isPage = offset !== undefined || cursor !== undefined;
  if (!isPage || !members.some(([, schema]) => hasPieces(schema)))
    return orExcerpt(output) as unknown as TSchema;
  const properties = Object.fromEntries(
    members.map(([name, schema]) => [
      name,
      hasPieces(schema) ? { ...schema, items: orExcerpt(schema.items) } : schema,
    ]),
  );
  return { ...output, properties } as unknown as TSchema;
}
