import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoize } from '../memoize.ts';
import type { TSchema } from './schema.ts';
import { createSerializer } from './serializer.ts';

/** The length of the JSON that is made in one turn of the event loop: about a millisecond. */
const TURN_LENGTH = 128 * 1024;

/** Yields a value as JSON, piece by piece. */
type Writer = (value: unknown) => Iterable<string>;

/** The parts of a schema that decide how its values are sliced. */
type Shape = TSchema & {
  readonly type?: unknown;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
};

const hasLists: (schema: Shape) => boolean = memoize(
  ({ type, properties = {} }) =>
    type === 'array' || (type === 'object' && Object.values(properties).some(hasLists)),
);

/** Writes a value as `createSerializer` does, in one piece. */
function createWholeWriter(schema: TSchema): Writer {
  const serialize = createSerializer(schema) as (value: unknown) => string;
  return (value) => [serialize(value)];
}

function createListWriter(schema: TSchema, items: TSchema): Writer {
  const write = getWriter(items);
  const writeWhole = createWholeWriter(schema);
  return function* (values) {
    if (!Array.isArray(values)) return yield* writeWhole(values);
    let before = '[';
    for (const value of values) {
      yield before;
      yield* write(value);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  };
}

function createObjectWriter(
  schema: TSchema,
  properties: Readonly<Record<string, TSchema>>,
  required: readonly string[],
): Writer {
  const writeWhole = createWholeWriter(schema);
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    start: `${JSON.stringify(name)}:`,
    write: getWriter(schema),
  }));
  return function* (object) {
    if (typeof object !== 'object' || object === null) return yield* writeWhole(object);
    let before = '{';
    for (const { name, start, write } of members) {
      const value = (object as Readonly<Record<string, unknown>>)[name];
      if (value === undefined && required.includes(name)) throw new Error(`"${name}" is required!`);
      if (value === undefined) continue;
      yield before + start;
      yield* write(value);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  };
}

/** Returns the writer of a schema. Lists are sliced, and closed objects that contain lists. */
const getWriter: (schema: Shape) => Writer = memoize((schema) => {
  const { items, properties, required = [], additionalProperties } = schema;
  if (!hasLists(schema)) return createWholeWriter(schema);
  if (items) return createListWriter(schema, items);
  if (properties && additionalProperties === false)
    return createObjectWriter(schema, properties, required);
  return createWholeWriter(schema);
});

/**
 * Serializes a value of a schema as JSON, as `createSerializer` does but for the order of members,
 * which is that of the schema, in turns of the event loop if it is long. A long text is returned as
 * UTF-8 bytes, which need not be copied to be sent. It waits for no queue, because its caller has a
 * turn that others wait for.
 */
export async function serializeInTurns(schema: TSchema, value: unknown): Promise<string | Buffer> {
  const done: Buffer[] = [];
  let text = '';
  for (const piece of getWriter(schema)(value)) {
    text += piece;
    if (text.length < TURN_LENGTH) continue;
    done.push(Buffer.from(text));
    text = '';
    await nextTurn();
  }
  return done.length === 0 ? text : Buffer.concat([...done, Buffer.from(text)]);
}
