import type { JsonObject } from './components.ts';

/**
 * Realistic texts by the name of a member, because most schemas say nothing more than "text". The
 * first pattern that matches wins.
 */
const textExamples: readonly (readonly [RegExp, string])[] = [
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

const formatExamples: Readonly<Record<string, string>> = {
  uuid: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
  'date-time': '2026-11-21T10:00:00.000Z',
  uri: 'https://ada.example/',
};

function buildTextExample(schema: JsonObject, name: string): string {
  const known = formatExamples[String(schema.format)];
  if (known) return known;
  if (schema.pattern === '^[0-9a-f]{64}$')
    return '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  return textExamples.find(([pattern]) => pattern.test(name))?.[1] ?? 'Some text.';
}

/**
 * Returns a value that fits a schema: the example that its author gave, else one built from its
 * members. `name` is the name of the member that has the schema.
 */
export function buildExample(schema: JsonObject, name = ''): unknown {
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
        Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(
          ([member, inner]) => [member, buildExample(inner, member)],
        ),
      );
    case 'array':
      return [buildExample(schema.items as JsonObject, name)];
    case 'string':
      return buildTextExample(schema, name);
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    default:
      return null;
  }
}
