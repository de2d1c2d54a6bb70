import type { TSchema } from '../../kernel/schema/schema.ts';

export type Json = Record<string, unknown>;

type Kind = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mapValues = (object: Json, change: (value: Json) => Json): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value as Json)]));

/** What the parts of a document share: each stands once under `components` and is referred to. Only what is used gets in. */
export class Components {
  readonly #kinds: Record<Kind, Map<string, Json>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    examples: new Map(),
    headers: new Map(),
  };

  /** Errors: throws when two different things have one name. */
  ref(kind: Kind, name: string, value: Json): Json {
    const known = this.#kinds[kind].get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(value))
      throw new Error(`Two different ${kind} are called ${name}. Give one another title.`);
    this.#kinds[kind].set(name, value);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** A schema of ours as OpenAPI 3.1 knows it: records with a title by reference, without keywords of our own. */
  schema(schema: TSchema | Json): Json {
    const { title, type } = schema as Json;
    if (typeof title !== 'string') return this.#plain(schema as Json);
    if (!Array.isArray(type)) return this.ref('schemas', title, this.#plain(schema as Json));
    const [only] = type.filter((one) => one !== 'null');
    return {
      anyOf: [
        this.ref('schemas', title, this.#plain({ ...(schema as Json), type: only })),
        { type: 'null' },
      ],
    };
  }

  #plain({ textKind, ...schema }: Json): Json {
    const result: Json = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties')
        result[keyword] = mapValues(value as Json, (member) => this.schema(member));
      else if (['anyOf', 'oneOf', 'allOf'].includes(keyword))
        result[keyword] = (value as Json[]).map((one) => this.schema(one));
      else if (['items', 'additionalProperties'].includes(keyword) && isObject(value))
        result[keyword] = this.schema(value);
      else result[keyword] = value;
    }
    if (textKind === 'https') result.format = 'uri';
    return result;
  }

  toJSON(): Json {
    const sorted = (map: Map<string, Json>) =>
      Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
    return Object.fromEntries(
      Object.entries(this.#kinds).flatMap(([kind, map]) =>
        map.size > 0 ? [[kind, sorted(map)]] : [],
      ),
    );
  }
}
