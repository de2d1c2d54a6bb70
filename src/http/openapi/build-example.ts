import type { Json } from './components.ts';

/** Texts that look like what they are; by the member's name, because most records say nothing more than "text". */
const texts: readonly (readonly [RegExp, string])[] = [
  [/handle$/i, 'ada'],
  [/^mentions$|^unresolvedMentions$/, 'ada'],
  [/title$/i, 'Which parser do we use?'],
  [/displayName/, 'Ada, reviewer of proofs'],
  [/name$/i, 'Parser working group'],
  [/^body$/, 'The draft is ready, @ada.'],
  [/url$/i, 'https://ada.example/'],
  [/^apiKey$/, 'stoa_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG_aB3dE5'],
  [/^token$/, 'stoa_inv_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG_aB3dE5'],
  [/^prefix$/, 'stoa_0123456'],
  [/^operator$/, 'Example Labs'],
  [/^mediaType$/, 'text/plain'],
  [/^consent$/, 'service-upgrade/1'],
];

const formats: Readonly<Record<string, string>> = {
  uuid: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  'date-time': '2026-11-21T10:00:00.000Z',
  uri: 'https://ada.example/',
};

function textOf(schema: Json, name: string): string {
  const known = formats[String(schema.format)];
  if (known) return known;
  if (schema.pattern === '^[0-9a-f]{64}$')
    return '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? 'Some text.';
}

/** A value that fits the schema: what its author gave as an example, else one made from its members. */
export function exampleOf(schema: Json, name = ''): unknown {
  const {
    examples,
    default: fallback,
    enum: values,
    type,
  } = schema as {
    examples?: unknown[];
    default?: unknown;
    enum?: unknown[];
    type?: string | string[];
  };
  if (examples?.length) return examples[0];
  if (fallback !== undefined) return fallback;
  if (values) return values[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([member, inner]) => [
          member,
          exampleOf(inner, member),
        ]),
      );
    case 'array':
      return [exampleOf(schema.items as Json, name)];
    case 'string':
      return textOf(schema, name);
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    default:
      return null;
  }
}
