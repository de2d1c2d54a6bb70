import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/content/varied-text.ts';
import { type Call, isLinearizable } from './linearizability.ts';
import { inventHistory, type RegisterOperation, registers } from './registers.ts';
import { explainFailure, shrinkHistory } from './shrink-history.ts';

/** Given by SEED, so that a failure can be repeated; fast-check prints the one it used. */
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };

/**
 * Tries every order of every choice of calls on all registers at once: too slow for more than a
 * few, and plainly right.
 */
function checkByForce(calls: readonly Call<RegisterOperation>[], values = [0, 0]): boolean {
  if (calls.every(({ end }) => end === Infinity)) return true;
  return calls.some((call, index) => {
    const others = calls.filter((_, at) => at !== index);
    if (others.some(({ end }) => end < call.start)) return false;
    const { register } = call.operation;
    return registers
      .next(values[register] as number, call)
      .some((value) => checkByForce(others, values.with(register, value)));
  });
}

const value = fc.integer({ min: 0, max: 2 });
const register = fc.constantFrom(0, 0, 0, 1);
const operation: fc.Arbitrary<RegisterOperation> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), register, value }),
  fc.record({ kind: fc.constant('read' as const), register, value }),
  fc.record({
    kind: fc.constant('swap' as const),
    register,
    from: value,
    to: value,
    done: fc.boolean(),
  }),
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

const write = (value: number, start: number, end = start + 1): Call<RegisterOperation> => ({
  operation: { kind: 'write', register: 0, value },
  start,
  end,
});
const read = (value: number, start: number, end = start + 1): Call<RegisterOperation> => ({
  operation: { kind: 'read', register: 0, value },
  start,
  end,
});

describe('isLinearizable', () => {
  it('[proof.search] agrees with trying every order, on 100,000 small histories', () => {
    const { isRead: _, ...plain } = registers;
    let right = 0;
    fc.assert(
      fc.property(fc.array(call, { maxLength: 6 }), (history) => {
        const expected = checkByForce(history);
        right += Number(expected);
        // What a model says of reads makes the search faster, and changes nothing else.
        return [registers, plain].every((model) => isLinearizable(history, model) === expected);
      }),
      { numRuns: 100_000, ...seed },
    );
    // Histories of both kinds were among them.
    expect(right).toBeGreaterThan(20_000);
    expect(right).toBeLessThan(80_000);
  });

  it.each([
    ['one register', 1, 1_000],
    ['a hundred registers', 100, 20],
  ])('[proof.search] decides 10,000 calls of ten callers on %s', (_, count, lostOneOf) => {
    const shape = { calls: 10_000, callers: 10, registers: count, lostOneOf };
    const history = inventHistory(shape, createRandom(Number(process.env.SEED ?? 1)));
    expect(isLinearizable(history, registers)).toBe(true);
    const early = history.find(({ operation }) => operation.kind === 'write');
    const last = Math.max(...history.map(({ start }) => start));
    const stale = { ...(early as Call<RegisterOperation>), start: last - 20, end: last - 10 };
    const { register, value } = stale.operation as { register: number; value: number };
    const operation = { kind: 'read' as const, register, value };
    expect(isLinearizable([...history, { ...stale, operation }], registers)).toBe(false);
  });

  it('[proof.search] lets a call without an answer happen late, or never', () => {
    const lost = write(1, 0, Infinity);
    expect(isLinearizable([lost, read(0, 5)], registers)).toBe(true);
    expect(isLinearizable([lost, read(0, 5), read(1, 50)], registers)).toBe(true);
    expect(isLinearizable([lost, read(1, 5), read(0, 50)], registers)).toBe(false);
  });
});

describe('shrinkHistory', () => {
  it('[proof.shrink] returns calls that fail, each of which is needed', () => {
    let failing = 0;
    fc.assert(
      fc.property(fc.array(call, { maxLength: 12 }), (history) => {
        const left = shrinkHistory(history, registers);
        if (isLinearizable(history, registers)) return left.length === 0;
        failing++;
        const isExplainedWithout = (one: Call<RegisterOperation>) =>
          isLinearizable(
            history.map((other) =>
              other !== one && left.includes(other) ? other : { ...other, end: Infinity },
            ),
            registers,
          );
        return !isLinearizable(left, registers) && left.every(isExplainedWithout);
      }),
      { numRuns: 3_000, ...seed },
    );
    expect(failing).toBeGreaterThan(500);
  });

  it('[proof.shrink] keeps the write that a stale read saw and the one that it did not', () => {
    const noise = Array.from({ length: 200 }, (_, nr) => [
      write(nr + 10, 10 * nr, 10 * nr + 8),
      read(nr + 10, 10 * nr + 5, 10 * nr + 9),
    ]).flat();
    const stale = [write(1, 3_000), write(2, 3_010), read(1, 3_020)];
    expect(shrinkHistory([...noise, ...stale], registers)).toEqual(stale);
    expect(explainFailure([...noise, ...stale], registers)).toBe(
      [
        'No order explains these of 403 calls (times in ms):',
        '0 to 1: {"kind":"write","register":0,"value":1}',
        '10 to 11: {"kind":"write","register":0,"value":2}',
        '20 to 21: {"kind":"read","register":0,"value":1}',
      ].join('\n'),
    );
    expect(explainFailure(noise, registers)).toBeNull();
  });
});
