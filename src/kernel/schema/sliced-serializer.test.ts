import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Closed, Int64, List, nullable, Text, Time, Type } from './schema.ts';
import { createSerializer } from './serializer.ts';
import { serializeInTurns } from './sliced-serializer.ts';

const piece = { text: Text(0, 10_000), at: Time(), note: Type.Optional(nullable(Text(0, 10))) };
const Record = Closed({
  count: Int64(),
  names: List(Text(0, 10)),
  versions: List(Closed({ ...piece, marks: List(Closed(piece)) })),
  left: Type.Optional(List(Text(0, 10))),
  inner: Closed({ first: nullable(Closed(piece)), list: List(List(Int64())) }),
});

const text = fc.string({ unit: 'binary', maxLength: 5 });
const at = fc.constant('2026-11-29T00:00:00.000Z');
const onePiece = { text, at, note: fc.option(text) };
const anyRecord = fc.record(
  {
    count: fc.integer(),
    names: fc.array(text),
    versions: fc.array(fc.record({ ...onePiece, marks: fc.array(fc.record(onePiece)) })),
    left: fc.array(text),
    inner: fc.record({
      first: fc.option(fc.record(onePiece)),
      list: fc.array(fc.array(fc.integer())),
    }),
    undeclared: text,
  },
  { requiredKeys: ['count', 'names', 'versions', 'inner'] },
);

it('[turns.large-answers] makes the same JSON as the serializer of the whole schema', async () => {
  const serialize = createSerializer(Record) as (record: unknown) => string;
  await fc.assert(
    fc.asyncProperty(anyRecord, async (record) => {
      const whole = JSON.parse(serialize(record));
      expect(JSON.parse(String(await serializeInTurns(Record, record)))).toEqual(whole);
    }),
  );
});

it('[turns.large-answers] gives others their turn while it makes megabytes of JSON', async () => {
  const versions = Array.from({ length: 200 }, () => ({
    text: '😀'.repeat(2000),
    at: '2026-11-29T00:00:00.000Z',
    marks: [],
  }));
  const record = { count: 1, names: [], versions, inner: { first: null, list: [] } };
  let turns = 0;
  let isDone = false;
  const count = async () => {
    for (; !isDone; turns++) await nextTurn();
  };
  const counting = count();
  const bytes = await serializeInTurns(Record, record);
  isDone = true;
  await counting;
  expect(JSON.parse(String(bytes))).toEqual(record);
  expect(turns).toBeGreaterThan(4);
});

it('[turns.large-answers] treats a wrong value as the serializer of the whole schema', async () => {
  const serialize = createSerializer(Record) as (record: unknown) => string;
  const right = { count: 1, names: [], versions: [], inner: { first: null, list: [] } };
  for (const wrong of [{ ...right, names: undefined }, {}]) {
    expect(() => serialize(wrong)).toThrow('is required!');
    await expect(serializeInTurns(Record, wrong)).rejects.toThrow('is required!');
  }
  for (const odd of [
    { ...right, names: null },
    { ...right, inner: null },
  ]) {
    const sliced = await serializeInTurns(Record, odd).catch(String);
    const whole = await Promise.resolve(odd).then(serialize).catch(String);
    expect(sliced.includes('Error') ? 'fails' : JSON.parse(String(sliced))).toEqual(
      whole.includes('Error') ? 'fails' : JSON.parse(whole),
    );
  }
});
