import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchedCall, pickBatch } from './pick-batch.ts';

const none: ReadonlySet<string> = new Set();
const toCall = (key: string, caller = key, bytes = 10, isShared = true): BatchedCall => ({
  key,
  caller,
  bytes,
  isShared,
});
const createCalls = (count: number) =>
  Array.from({ length: count }, (_, index) => toCall(`key-${String(index).padStart(3, '0')}`));
const anyCall = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  caller: fc.constantFrom('x', 'y', 'z'),
  bytes: fc.integer({ min: 1, max: 8 * 1024 }),
  isShared: fc.boolean(),
});
const sum = (calls: readonly BatchedCall[]) => calls.reduce((all, { bytes }) => all + bytes, 0);

describe('the next batch', () => {
  it('[attack.2-4] is of 16 calls, of half of them where more than 32 wait, at most of 64', () => {
    for (const [waiting, size] of [
      [1, 1],
      [32, 16],
      [50, 25],
      [128, 64],
      [500, 64],
    ] as const)
      expect(pickBatch(createCalls(waiting), waiting, none)).toHaveLength(size);
  });

  it('[attack.15-2] has an end of bytes, of all and of one caller', () => {
    const keys = createCalls(10).map(({ key }) => key);
    const ofMany = keys.map((key) => toCall(key, key, 8 * 1024));
    expect(pickBatch(ofMany, 10, none)).toHaveLength(4);
    const ofOne = keys.map((key) => toCall(key, 'one', 3 * 1024));
    expect(pickBatch(ofOne, 10, none)).toHaveLength(2);
  });

  it('[attack.2-4] has each place once, in the order of keys, and never nothing', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { minLength: 1 }), (calls) => {
        const batch = pickBatch(calls, calls.length, new Set(['a']));
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.map(({ key }) => key)).toEqual(batch.map(({ key }) => key).sort());
        expect(batch.length === 1 || sum(batch) <= 32 * 1024).toBe(true);
        for (const one of new Set(batch.map(({ caller }) => caller))) {
          const own = batch.filter(({ caller }) => caller === one);
          expect(own.length === 1 || sum(own) <= 8 * 1024).toBe(true);
        }
        const places = batch.map(({ key, caller, isShared }) =>
          isShared && key !== 'a' ? `${key} ${caller}` : key,
        );
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });
});
