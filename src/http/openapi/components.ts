import type { TSchema } from '../../kernel/schema/schema.ts';

/** A plain object of the document. */
export type JsonObject = Record<string, unknown>;

type Kind = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mapValues = (object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(value as JsonObject)]),
  );

/**
 * Collects what the parts of a document share. Each thing is once under `components`, and the parts
 * refer to it. Only things that are used are included.
 */
export class Components {
  readonly #kinds: Record<Kind, Map<string, JsonObject>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    examples: new Map(),
    headers: new Map(),
  };

  /**
   * Adds a thing and returns a reference to it. Errors: throws when two different things have one
   * name.
   */
  ref(kind: Kind, name: string, value: JsonObject): JsonObject {
    const known = this.#kinds[kind].get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(value))
      throw new Error(`Two different ${kind} are called ${name}. Give one another title.`);
    this.#kinds[kind].set(name, value);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /**
   * Converts one of our schemas to OpenAPI 3.1: schemas with a title become references, and our own
   * keywords are removed.
   */
  schema(schema: TSchema | JsonObject): JsonObject {
    const { title, type } = schema as JsonObject;
    if (typeof title !== 'string') return this.#plain(schema as JsonObject);
    if (!Array.isArray(type)) return this.ref('schemas', title, this.#plain(schema as JsonObject));
    const [only] = type.filter((one) => one !== 'null');
    return {
      anyOf: [
        this.ref('schemas', title, this.#plain({ ...(schema as JsonObject), type: only })),
        { type: 'null' },
      ],
    };
  }

  #plain({ textKind, ...schema }: JsonObject): JsonObject {
    const result: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties')
        result[keyword] = mapValues(value as JsonObject, (member) => this.schema(member));
      else if (['anyOf', 'oneOf', 'allOf'].includes(keyword))
        result[keyword] = (value as JsonObject[]).map((one) => this.schema(one));
      else if (['items', 'additionalProperties'].includes(keyword) && isObject(value))
        result[keyword] = this.schema(value);
      else result[keyword] = value;
    }
    if (textKind === 'https') result.format = 'uri';
    return result;
  }

  toJSON(): JsonObject {
    const sortMap = (map: Map<string, JsonObject>) =>
      Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
    return Object.fromEntries(
      Object.entries(this.#kinds).flatMap(([kind, map]) =>
        map.size > 0 ? [[kind, sortMap(map)]] : [],
      ),
    );
  }
}
