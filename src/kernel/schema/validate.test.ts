import { describe, expect, it } from 'vitest';
import { operations } from '../../operations.ts';
import { StoaError } from '../errors.ts';
import type { AnyOperation } from '../operation/any-operation.ts';
import { Closed, Enum, Int, List, Name, type TSchema } from './schema.ts';
import { normaliseFileName } from './text.ts';
import { createValidator } from './validate.ts';

const registry = operations as unknown as readonly AnyOperation[];

type SchemaShape = {
  readonly [keyword: string]: unknown;
  readonly properties?: Record<string, SchemaShape>;
  readonly items?: SchemaShape;
};
const schemas = registry.flatMap(({ name, body, query }) => [
  ...(body ? [{ name, place: 'body' as const, schema: body as TSchema }] : []),
  ...(query ? [{ name, place: 'query' as const, schema: query as TSchema }] : []),
]);
const buildValid = (schema: SchemaShape): SchemaShape[] => [
  schema,
  ...Object.values(schema.properties ?? {}).flatMap(buildValid),
  ...(schema.items ? buildValid(schema.items) : []),
];
const parts = schemas.flatMap(({ name, schema }) =>
  buildValid(schema as unknown as SchemaShape).map((part) => ({ name, part })),
);
const hasType = ({ type }: SchemaShape, one: string) => [type].flat().includes(one);

/** What is thrown for a value. */
function getRefusal(schema: TSchema, value: unknown, place: 'body' | 'query' = 'body'): StoaError {
  try {
    createValidator(schema, place)(value);
  } catch (error) {
    if (error instanceof StoaError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('a request with more faults than anyone reads', () => {
  const list = Closed({ list: List(Enum(['a', 'b']), { maxItems: 50 }) });

  it('[error.bounded] has the first twenty described, and is told how many there are more', () => {
    const { members, message } = getRefusal(list, { list: Array(50).fill('c') });
    expect(members.errors).toHaveLength(20);
    expect(members.errors?.[19]).toEqual({
      pointer: '/body/list/19',
      detail: 'must be one of a, b',
    });
    expect(message).toBe('/body/list/0 must be one of a, b (and 49 more).');
    expect(getRefusal(list, { list: Array(20).fill('c') }).members.errors).toHaveLength(20);
  });

  it('[error.bounded] [wire.unknown-members] by members that nobody knows', () => {
    const buildUnknownMembers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));
    for (const count of [1, 20, 21, 45_000]) {
      const { members, message } = getRefusal(list, { list: [], ...buildUnknownMembers(count) });
      expect(members.errors).toHaveLength(Math.min(count, 20));
      expect(members.errors?.[0]).toEqual({
        pointer: '/body/m0',
        detail: 'is not a known member: leave it out, or correct its name',
      });
      expect(message).toBe(
        '/body/m0 is not a known member: leave it out, or correct its name' +
          `${count > 1 ? ` (and ${count - 1} more)` : ''}.`,
      );
    }
  });

  it('[error.bounded] cuts the name of a member, never inside a character', () => {
    for (const name of ['~'.repeat(500_000), `x${'😀'.repeat(200_000)}`]) {
      const { members, message } = getRefusal(list, { list: [], [name]: 1 });
      expect(members.errors?.[0]?.pointer).toMatch(/^\/body\/.{100,400}…$/u);
      expect(message.length).toBeLessThan(500);
    }
  });

  it.for(schemas)(
    '[error.bounded] [ops.no-freeze] $name ($place): any member with 20,000 of the wrong',
    ({ schema, place }) => {
      const { properties = {} } = schema as unknown as SchemaShape;
      const wrong = [...Object.keys(properties), 'unknown'].map((name) => ({
        [name]: Array(20_000).fill(1),
      }));
      const many = Object.fromEntries(
        Array.from({ length: 20_000 }, (_, index) => [`m${index}`, '']),
      );
      for (const value of [...wrong, many]) {
        // Of the member that may be anything, the others are missing.
        const anything = Object.entries(properties).some(
          ([name, { type }]) => type === undefined && name in value,
        );
        if (anything && !('required' in schema && (schema.required as string[]).length > 1))
          continue;
        const { members } = getRefusal(schema, { ...value }, place);
        expect(JSON.stringify(members).length).toBeLessThan(10_000);
      }
    },
  );
});

describe('the schemas of requests', () => {
  it('[ops.no-freeze] limit each list and name, to refuse them by their size', () => {
    for (const { name, part } of parts) {
      if (hasType(part, 'array')) expect(part.maxItems, name).toEqual(expect.any(Number));
      if (part.textKind === 'name') expect(part.maxLength, name).toEqual(expect.any(Number));
      // Members that the caller names are counted instead.
      if (hasType(part, 'object') && part.maxProperties === undefined)
        expect(part.additionalProperties, name).toBe(false);
      // What looks at sizes does not know these.
      expect(
        Object.keys(part).filter((keyword) =>
          /^(anyOf|oneOf|allOf|prefixItems|patternProperties|\$ref)$/.test(keyword),
        ),
      ).toEqual([]);
    }
    expect(parts.length).toBeGreaterThan(50);
  });
});

describe('names', () => {
  const named = Closed({ name: Name(1, 120), rank: Int(0, 9) });
  // Far beyond a body's 512 KiB: Unicode would sort these marks for minutes.
  const marks = '\u0315\u0300'.repeat(300_000);

  it('[ops.no-freeze] [wire.code-points] with 600,000 marks have too many characters', () => {
    const errors = [{ pointer: '/body/name', detail: 'must have 1 to 120 characters' }];
    expect(getRefusal(named, { name: `a${marks}`, rank: 1 }).members).toEqual({ errors });
    expect(normaliseFileName(`a${marks}.txt`)).toEqual({
      fault: 'must have at most 255 characters',
    });
  });

  it('[wire.names] [wire.code-points] count in NFC and without white space', () => {
    // Each is one character of four.
    for (const letter of ['\u1f82', '\u{1d15e}', '\uac01']) {
      const value = {
        name: `${' '.repeat(9_000)}${letter.normalize('NFD').repeat(60)}${'\u3000'.repeat(9_000)}`,
        rank: 1,
      };
      createValidator(named, 'body')(value);
      expect(value.name).toBe(letter.repeat(60).normalize('NFC'));
    }
    const longest = { name: '\u1f82'.normalize('NFD').repeat(120), rank: 1 };
    createValidator(named, 'body')(longest);
    expect(longest.name).toBe('\u1f82'.repeat(120));
  });
});
