import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUsedTime } from '../../kernel/used-time.ts';
import { createSemaphore } from './semaphore.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore', () => {
  it('[attack.9-2] (API4) limits the tasks of one caller too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 }),
        async (permits, perCaller, callers) => {
          const semaphore = createSemaphore(permits, { perCaller });
          const running = new Map<string, number>();
          const sum = () => [...running.values()].reduce((all, some) => all + some, 0);
          const change = (caller: string, by: number) =>
            running.set(caller, (running.get(caller) ?? 0) + by);
          const tasks = callers.map((caller) =>
            semaphore.run(async () => {
              change(caller, 1);
              expect(running.get(caller)).toBeLessThanOrEqual(perCaller);
              expect(sum()).toBeLessThanOrEqual(permits);
              await settle();
              // Nobody waits beside a free permit that it may use.
              if (sum() < permits)
                for (const other of ['a', 'b', 'c'])
                  if (semaphore.countWaiting(other) > 0)
                    expect(running.get(other)).toBeGreaterThanOrEqual(perCaller);
              change(caller, -1);
            }, caller),
          );
          await Promise.all(tasks);
          expect(semaphore.waiting).toBe(0);
        },
      ),
    );
  });

  it('[attack.60-2] (API4) gives each caller the same time', async () => {
    let time = 0;
    const now = () => time;
    const semaphore = createSemaphore(1, { now, weighed: false, used: createUsedTime(now) });
    const ended: string[] = [];
    const costs: Readonly<Record<string, number>> = { slow: 300, slower: 900, quick: 2 };
    const run = (caller: string) =>
      semaphore.run(async () => {
        time += costs[caller] ?? 0;
        ended.push(caller);
      }, caller);
    await run('slow');
    await run('slower');
    const first = run('first');
    const callers = ['slow', 'slower', 'quick', 'slow', 'slower', 'quick', 'quick'];
    await Promise.all([first, ...callers.map(run)]);
    // Half of what was used is forgotten in ten seconds, which is little here.
    expect(ended.slice(3)).toEqual(['quick', 'quick', 'quick', 'slow', 'slow', 'slower', 'slower']);
  });

  it('limits running tasks, and frees the permit of one that fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ caller: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() }), {
          maxLength: 20,
        }),
        async (permits, calls) => {
          const semaphore = createSemaphore(permits);
          let running = 0;
          const tasks = calls.map(({ caller, fails }) =>
            semaphore.run(async () => {
              running += 1;
              expect(running).toBeLessThanOrEqual(permits);
              await settle();
              running -= 1;
              if (fails) throw new Error('failed');
            }, caller),
          );
          const waiting = calls.slice(permits).map(({ caller }) => caller);
          expect(semaphore.waiting).toBe(waiting.length);
          for (const one of ['a', 'b', 'c'])
            expect(semaphore.countWaiting(one)).toBe(waiting.filter((who) => who === one).length);
          const outcomes = await Promise.allSettled(tasks);
          expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
            calls.map(({ fails }) => fails),
          );
          expect(semaphore.waiting).toBe(0);
          // All permits are free again.
          for (let nr = 0; nr < permits; nr++) void semaphore.run(settle);
          expect(semaphore.waiting).toBe(0);
        },
      ),
    );
  });

  /** Runs the tasks of these callers one at a time, and returns the order in which they begin. */
  async function runInTurns(callers: readonly string[]): Promise<{ caller: string; nr: number }[]> {
    const semaphore = createSemaphore(1);
    const begun: { caller: string; nr: number }[] = [];
    const first = semaphore.run(settle);
    await Promise.all([
      first,
      ...callers.map((caller, nr) =>
        semaphore.run(async () => void begun.push({ caller, nr }), caller),
      ),
    ]);
    return begun;
  }

  it('[attack.4-3] lets callers take turns, each in the order of arrival', async () => {
    const begun = await runInTurns([...'aaaabac']);
    expect(begun.map(({ caller }) => caller).join('')).toBe('abcaaaa');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c')), async (callers) => {
        const order = await runInTurns(callers);
        expect(order.map(({ nr }) => nr).sort((x, y) => x - y)).toEqual(callers.map((_, nr) => nr));
        const turns = new Map<string, number[]>();
        for (const { caller, nr } of order) turns.set(caller, [...(turns.get(caller) ?? []), nr]);
        for (const numbers of turns.values())
          expect(numbers).toEqual(numbers.toSorted((x, y) => x - y));
        // Before the n-th task of one caller, all others have had n - 1 or all of theirs.
        const begunBy = new Map<string, number>();
        for (const { caller } of order) {
          const turn = (begunBy.get(caller) ?? 0) + 1;
          begunBy.set(caller, turn);
          for (const [other, numbers] of turns)
            expect(begunBy.get(other) ?? 0).toBeGreaterThanOrEqual(
              Math.min(numbers.length, turn - 1),
            );
        }
      }),
    );
  });

  it('[attack.4-3] gives somebody who comes later a turn before the rest of a queue', async () => {
    const semaphore = createSemaphore(1);
    const begun: string[] = [];
    const note = (caller: string) => async () => {
      begun.push(caller);
      await settle();
    };
    const many = [...'aaaaaa'].map((caller) => semaphore.run(note(caller), caller));
    await many[1];
    const before = begun.length;
    await semaphore.run(note('b'), 'b');
    expect(begun.indexOf('b')).toBeLessThanOrEqual(before + 1);
    await Promise.all(many);
    expect(begun).toHaveLength(7);
  });

  it('[attack.12-2] says whether one more task of a caller would wait for its own', async () => {
    const semaphore = createSemaphore(3, { perCaller: 2 });
    expect(semaphore.waitsForOwn('a')).toBe(false);
    const many = ['a', 'a', 'a'].map((caller) => semaphore.run(settle, caller));
    expect(semaphore.waitsForOwn('a')).toBe(true);
    expect(semaphore.waitsForOwn('b')).toBe(false);
    await Promise.all(many);
    const two = ['a', 'a'].map((caller) => semaphore.run(settle, caller));
    expect(semaphore.waitsForOwn('a')).toBe(true);
    await Promise.all(two);
    expect(semaphore.waitsForOwn('a')).toBe(false);
  });
});
