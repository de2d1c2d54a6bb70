import fc from 'fast-check';

/**
 * What inputs are drawn from: values that fit a schema, values that nearly do, and texts that are
 * no JSON at all.
 */

export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly textKind?: string;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
};

const NUL = '\u0000';

/**
 * Texts that have broken other services: NUL, unpaired surrogates, bidi, what looks like code, a
 * lot of anything.
 */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    NUL,
    `a${NUL}b`,
    '\ud800',
    'x\udfff',
    '\u202egnp.exe',
    '\u2066x',
    '\ufeff',
    '\u0007',
    '\u2028',
    '\r\nX-Evil: 1',
    '\\',
    '"',
    "'; DROP TABLE agents; --",
  ),
  fc.constantFrom(
    'null',
    'true',
    '0',
    '-0',
    '-1',
    '1e999',
    '0x10',
    '9007199254740993',
    'NaN',
    '1.5',
    '[]',
    '{}',
    '%s%n',
    '#{7*7}',
    '{{7*7}}',
    '<script>',
    '../../etc/passwd',
  ),
  fc.constantFrom(
    'x'.repeat(300),
    '😀'.repeat(2001),
    '文'.repeat(30_000),
    'é'.normalize('NFD').repeat(200),
    '🏳️‍🌈',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

const nestArrays = (levels: number): unknown =>
  JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

/** A value of any kind but, most likely, the right one. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    Number.MAX_VALUE,
    -1e308,
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    nestArrays(20),
    nestArrays(40),
  ),
  oddText,
  oddText.map((text) => [text]),
  fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '', 'a/b~c', 'id'),
    fc.constantFrom(null, 1, 'x'),
    { maxKeys: 3 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Gives the values that are known of a member or a parameter, or others where none is known. */
export type Known = (name: string, others: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>;

/** Small numbers are what most members mean. */
const buildInteger = ({ minimum = 0, maximum = 1000 }: Schema): fc.Arbitrary<number> => {
  const max = Math.min(maximum, 2 ** 31 - 1);
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: minimum, max: Math.min(max, minimum + 3) }) },
    { weight: 1, arbitrary: fc.integer({ min: minimum, max }) },
  );
};

const DAY_MS = 86_400_000;

/** Most times are soon, as deadlines are. */
export const time = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 20 * 24 }) },
    { weight: 1, arbitrary: fc.integer({ min: -48, max: 0 }) },
  )
  .map((hours) => new Date(Date.now() + (hours * DAY_MS) / 24).toISOString());

/**
 * A record that mostly has what it needs, or one member more. With each optional member in half of
 * the records, hardly any of a long list would fit the others.
 */
export const buildSparseRecord = (
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  required: readonly string[],
): fc.Arbitrary<Record<string, unknown>> => {
  const needed = Object.fromEntries(
    Object.entries(members).filter(([name]) => required.includes(name)),
  );
  const optional = Object.entries(members).filter(([name]) => !required.includes(name));
  return fc.oneof(
    { weight: 2, arbitrary: fc.record(needed) },
    ...(optional.length === 0
      ? []
      : [
          {
            weight: 3,
            arbitrary: fc
              .constantFrom(...optional)
              .chain(([name, value]) => fc.record({ ...needed, [name]: value })),
          },
          { weight: 2, arbitrary: fc.record({ ...members }, { requiredKeys: [...required] }) },
        ]),
  );
};

/**
 * Values of a schema; those of members that are known as `known` gives them, so that a good part of
 * the calls gets through. `name` is the name of the member that has the schema.
 */
export function buildFittingValue(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const { type, enum: values, anyOf } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (anyOf) return fc.oneof(...anyOf.map((one) => buildFittingValue(one, known, name)));
  if (values) return fc.constantFrom(...values);
  if (Array.isArray(type))
    return fc.oneof(
      fc.constant(null),
      ...type
        .filter((one) => one !== 'null')
        .map((one) => buildFittingValue({ ...schema, type: one }, known, name)),
    );
  switch (type) {
    case 'object':
      return buildSparseRecord(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([member, inner]) => [
            member,
            buildFittingValue(inner, known, member),
          ]),
        ),
        schema.required ?? [],
      );
    case 'array':
      return fc.array(buildFittingValue(schema.items ?? {}, known, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'integer':
      return known(name, buildInteger(schema));
    case 'boolean':
      return fc.boolean();
    case 'string':
      if (schema.textKind === 'uuid' || schema.format === 'uuid') return known(name, fc.uuid());
      if (schema.textKind === 'https') return fc.webUrl({ validSchemes: ['https'] });
      if (schema.textKind === 'time' || schema.format === 'date-time')
        return fc.oneof(
          { weight: 4, arbitrary: time },
          { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((at) => at.toISOString()) },
        );
      if (schema.pattern)
        return known(
          name,
          fc.stringMatching(new RegExp(schema.pattern), { maxLength: schema.maxLength ?? 64 }),
        );
      return known(
        name,
        fc.string({
          unit: 'grapheme',
          minLength: schema.minLength ?? 0,
          maxLength: Math.min(schema.maxLength ?? 60, 60),
        }),
      );
    default:
      return oddValue;
  }
}

/**
 * A value that nearly fits: most members right, some odd or left out, and now and then one that
 * nobody knows.
 */
export function buildNearlyFittingValue(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, inner]) => [
      name,
      fc.oneof(
        { weight: 7, arbitrary: buildFittingValue(inner, known, name) },
        { weight: 1, arbitrary: oddValue },
      ),
    ]),
  );
  const some = fc.record(members, { requiredKeys: [] });
  const extra = fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'extra', '', 'a/b~c', 'Name', 'id'),
    oddValue,
    {
      minKeys: 1,
      maxKeys: 1,
      noNullPrototype: true,
    },
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.record(members, { requiredKeys: [...(schema.required ?? [])] }) },
    { weight: 1, arbitrary: some },
    { weight: 1, arbitrary: fc.tuple(some, extra).map(([value, more]) => ({ ...value, ...more })) },
    { weight: 1, arbitrary: oddValue },
  );
}

const toBytes = (text: string) => Buffer.from(text);

/**
 * Bytes that are sent as JSON: what `value` says, or something near it that no parser should take.
 */
export const buildPayload = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 20, arbitrary: value.map((one) => toBytes(JSON.stringify(one) ?? 'null')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fc.nat(40))
        .map(([one, cut]) => toBytes((JSON.stringify(one) ?? 'null').slice(0, -1 - cut))),
    },
    {
      weight: 1,
      arbitrary: value.map((one) =>
        toBytes((JSON.stringify(one) ?? 'null').replace(/^\{"([^"]*)":/, '{"$1":1,"$1":')),
      ),
    },
    {
      weight: 1,
      arbitrary: value.map((one) =>
        Buffer.concat([
          toBytes((JSON.stringify(one) ?? 'null').slice(0, -1)),
          Buffer.from([0xff, 0xc0, 0x22]),
        ]),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          '',
          ' ',
          '{',
          '}',
          '\ufeff{}',
          "{'a':1}",
          '{"a":NaN}',
          '{"a":1e999}',
          '{"a":01}',
          '{}{}',
          '{"a":"\t"}',
          'undefined',
          '"\\ud800"',
          `${'['.repeat(200)}`,
        )
        .map(toBytes),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) },
  );

/** Bytes that are sent as a form: the members of `value` as fields, or something near it. */
export const buildForm = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> => {
  const fields = value.map((one) => {
    const pairs = Object.entries((one ?? {}) as object).map(([name, text]) => [
      name,
      typeof text === 'string' ? text : JSON.stringify(text),
    ]);
    return pairs
      .map((pair) => pair.map((text = '') => encodeURIComponent(text.toWellFormed())).join('='))
      .join('&');
  });
  const odd = [
    '',
    '&&',
    '=',
    'a',
    '%',
    '%zz=%',
    'reason=%ff',
    'reason=%00',
    'reason=spam&reason=spam',
    '__proto__=1',
    'detail=%ed%a0%80',
    '+=+',
    'a[]=1',
  ];
  return fc.oneof(
    { weight: 14, arbitrary: fields.map(toBytes) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fields, fc.constantFrom(...odd))
        .map(([all, more]) => toBytes(`${all}&${more}`)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) },
  );
};

/** A parameter of a path or a query as it is written there: encoded, or not well enough. */
export const buildEncodedText = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 14,
      arbitrary: value.map((one) =>
        encodeURIComponent(String(typeof one === 'string' ? one.toWellFormed() : one)),
      ),
    },
    {
      weight: 1,
      arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 2000)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '%',
        '%zz',
        '%ff',
        '%c0%80',
        '%00',
        '..',
        '.',
        '%2e%2e',
        '%2f',
        '*',
        ';',
        '+',
        '%25',
        '{id}',
        ':id',
        '~',
        '[0]',
      ),
    },
  );

export const headerText: fc.Arbitrary<string> = fc.oneof(
  fc.uuid(),
  fc.constantFrom(
    '',
    ' ',
    'x',
    'two words',
    'é',
    '\t',
    'a,b',
    '"quoted"',
    'x'.repeat(256),
    '../..',
    '%00',
    '\u00ff',
  ),
);

const part = fc.record({
  name: fc.oneof({ weight: 8, arbitrary: fc.constant('file') }, { weight: 1, arbitrary: oddText }),
  filename: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a.txt', 'é.txt', '../a', 'C:\\a') },
    { weight: 3, arbitrary: oddText },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  type: fc.oneof(fc.constantFrom('text/plain', 'image/png', 'text/html; charset=x', ''), oddText),
  content: fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    oddText.map(toBytes),
  ),
});

/** A form with the boundary "b" and one file, or nearly one. */
export const uploadBody: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.array(part, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }) },
    ),
    fc.option(fc.nat(200), { freq: 5 }),
  )
  .map(([parts, length]) => {
    const pieces = parts.map(({ name, filename, type, content }) => {
      const named = filename === null ? '' : `; filename="${filename}"`;
      return [
        toBytes(
          `--b\r\nContent-Disposition: form-data; name="${name}"${named}\r\nContent-Type: ` +
            `${type}\r\n\r\n`,
        ),
        content,
        toBytes('\r\n'),
      ];
    });
    return Buffer.concat([...pieces.flat(), toBytes('--b--\r\n')]).subarray(0, length ?? undefined);
  });
