import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, checkHistory, type Model } from './linearizability.ts';

type Operation =
  | { readonly kind: 'write'; readonly value: number }
  | { readonly kind: 'read'; readonly value: number }
  | { readonly kind: 'swap'; readonly from: number; readonly to: number; readonly done: boolean };

/** A register that is read, written, and changed on a condition. */
const register: Model<number, Operation> = {
  initial: 0,
  next(state, { operation }) {
    if (operation.kind === 'write') return [operation.value];
    if (operation.kind === 'read') return operation.value === state ? [state] : [];
    const fits = state === operation.from;
    if (fits !== operation.done) return [];
    return [fits ? operation.to : state];
  },
  describe: String,
};

/** Tries every order of every choice of calls: too slow for more than a few, and plainly right. */
function checkByForce(calls: readonly Call<Operation>[], state = register.initial): boolean {
  if (calls.every(({ end }) => end === Infinity)) return true;
  return calls.some((call, index) => {
    const others = calls.filter((_, at) => at !== index);
    if (others.some(({ end }) => end < call.start)) return false;
    return register.next(state, call).some((next) => checkByForce(others, next));
  });
}

const value = fc.integer({ min: 0, max: 2 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), value }),
  fc.record({ kind: fc.constant('read' as const), value }),
  fc.record({ kind: fc.constant('swap' as const), from: value, to: value, done: fc.boolean() }),
);
const call = fc
  .record({
    operation,
    start: fc.integer({ min: 0, max: 12 }),
    length: fc.integer({ min: 0, max: 6 }),
    isAnswered: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
  })
  .map(({ operation, start, length, isAnswered }) => ({
    operation,
    start,
    end: isAnswered ? start + length : Infinity,
  }));

describe('checkHistory', () => {
  it('[proof.search] agrees with trying every order, on many small histories', () => {
    let right = 0;
    fc.assert(
      fc.property(fc.array(call, { maxLength: 6 }), (history) => {
        const isLinearizable = checkByForce(history);
        right += Number(isLinearizable);
        return checkHistory(history, register).isLinearizable === isLinearizable;
      }),
      { numRuns: 20_000 },
    );
    // Histories of both kinds were among them.
    expect(right).toBeGreaterThan(2_000);
    expect(right).toBeLessThan(18_000);
  });

  it('[proof.search] decides a long history, and names the calls that no order explains', () => {
    const history: Call<Operation>[] = [];
    for (let nr = 0; nr < 2_000; nr++) {
      history.push({ operation: { kind: 'write', value: nr }, start: nr * 10, end: nr * 10 + 8 });
      history.push({
        operation: { kind: 'read', value: nr },
        start: nr * 10 + 5,
        end: nr * 10 + 9,
      });
    }
    expect(checkHistory(history, register).isLinearizable).toBe(true);
    const stale: Call<Operation> = {
      operation: { kind: 'read', value: 0 },
      start: 10_000,
      end: 10_001,
    };
    const verdict = checkHistory([...history, stale], register);
    expect(verdict.isLinearizable).toBe(false);
    expect(verdict.longest.length).toBeLessThan(history.length);
  });

  it('[proof.search] lets a call without an answer happen late, or never', () => {
    const lost: Call<Operation> = {
      operation: { kind: 'write', value: 1 },
      start: 0,
      end: Infinity,
    };
    const read = (value: number, start: number): Call<Operation> => ({
      operation: { kind: 'read', value },
      start,
      end: start + 1,
    });
    const check = (...history: Call<Operation>[]) => checkHistory(history, register).isLinearizable;
    expect(check(lost, read(0, 5))).toBe(true);
    expect(check(lost, read(0, 5), read(1, 50))).toBe(true);
    expect(check(lost, read(1, 5), read(0, 50))).toBe(false);
  });
});
