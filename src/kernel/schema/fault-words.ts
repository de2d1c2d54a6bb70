import type { ErrorObject } from 'ajv/dist/2020.js';
import { type FittingWords, fittingWords } from './schema.ts';

/** What a fault says about the schema that a value does not fit, and about the value's place. */
type Fault = Pick<ErrorObject, 'keyword' | 'params' | 'parentSchema' | 'propertyName'>;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** "from 1 to 100", "at least 1" or "at most 100". */
function formatSpan(least: unknown, most: unknown, join: 'from' | ''): string {
  if (least === undefined) return `at most ${most}`;
  if (most === undefined) return `at least ${least}`;
  if (least === most) return `exactly ${least}`;
  return `${join} ${least} to ${most}`.trim();
}

/** "1 to 8 items", "exactly 1 item". */
function formatCount(least: unknown, most: unknown, noun: string): string {
  const isOne = (most ?? least) === 1;
  return `${formatSpan(least === 0 ? undefined : least, most, '')} ${noun}${isOne ? '' : 's'}`;
}

const formatTypes = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => typeNames[String(type)] ?? String(type))
    .join(' or ');

type Describe = (
  params: ErrorObject['params'],
  schema: Readonly<Record<string, unknown>> & FittingWords,
) => string;

const describeLength: Describe = (_, { minLength, maxLength }) =>
  minLength === 1 && maxLength === undefined
    ? 'must not be empty'
    : `must have ${formatCount(minLength, maxLength, 'character')}`;
const describeItems: Describe = (_, { minItems, maxItems }) =>
  `must have ${formatCount(minItems, maxItems, 'item')}`;
const describeMembers: Describe = (_, { minProperties, maxProperties }) =>
  `must have ${formatCount(minProperties, maxProperties, 'member')}`;
const describeRange: Describe = (_, { minimum, maximum }) =>
  `must be ${formatSpan(minimum, maximum, 'from')}`;

/** What to say of each keyword of JSON Schema that our schemas of requests use. */
const descriptions: Readonly<Record<string, Describe>> = {
  type: ({ type }) => `must be ${formatTypes(type)}`,
  required: () => 'is required',
  enum: ({ allowedValues }) =>
    `must be one of ${(allowedValues as unknown[]).filter((one) => one !== null).join(', ')}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  pattern: (_, schema) => schema[fittingWords] ?? 'is written in a form that is not accepted',
  propertyNames: ({ propertyName }) =>
    `has the member ${JSON.stringify(propertyName)}, whose name is not accepted: rename it`,
  minLength: describeLength,
  maxLength: describeLength,
  minItems: describeItems,
  maxItems: describeItems,
  minProperties: describeMembers,
  maxProperties: describeMembers,
  minimum: describeRange,
  maximum: describeRange,
  uniqueItems: ({ i, j }) =>
    `must have each item once: the items at ${Math.min(i, j)} and ${Math.max(i, j)} are equal`,
};

/**
 * Says in plain words what is wrong with a value, as what it must be. The validator's own message
 * quotes keywords and patterns, which tell a model or a person nothing.
 */
export function describeFault({ keyword, params, parentSchema = {} }: Fault): string {
  return descriptions[keyword]?.(params, parentSchema) ?? 'is not accepted: see its description';
}
