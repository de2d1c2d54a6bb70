import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runKeyed } from './keyed-queue.ts';

const waitOneTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a keyed queue', () => {
  it('[import.order] keeps the order of each key and its limits', async () => {
    const shape = fc.record({
      keys: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 80 }),
      width: fc.integer({ min: 1, max: 9 }),
      maxWaiting: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ keys, width, maxWaiting }) => {
        const done: (readonly [number, number])[] = [];
        let read = 0;
        let running = 0;
        let maxRunning = 0;
        async function* items() {
          for (const [index, key] of keys.entries()) {
            expect(++read - done.length).toBeLessThanOrEqual(maxWaiting);
            yield [key, index] as const;
          }
        }
        await runKeyed(items(), { getKey: ([key]) => key, width, maxWaiting }, async (item) => {
          maxRunning = Math.max(maxRunning, ++running);
          for (let turns = item[1] % 3; turns > 0; turns--) await waitOneTurn();
          running -= 1;
          done.push(item);
        });
        expect(maxRunning).toBeLessThanOrEqual(width);
        for (const key of new Set(keys)) {
          const wanted = keys.flatMap((one, index) => (one === key ? [index] : []));
          expect(done.flatMap(([one, index]) => (one === key ? [index] : []))).toEqual(wanted);
        }
      }),
    );
  });

  it('[import.order] an error prevents later items and is thrown when all have ended', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const all = runKeyed(
      Array.from({ length: 50 }, (_, index) => index),
      { getKey: (index) => index % 4, width: 4 },
      async (index) => {
        begun.push(index);
        await waitOneTurn();
        if (index === 5) throw new Error('the fifth');
        ended.push(index);
      },
    );
    await expect(all).rejects.toThrow('the fifth');
    expect(begun).not.toContain(9);
    expect(begun.length).toBe(ended.length + 1);
  });
});
