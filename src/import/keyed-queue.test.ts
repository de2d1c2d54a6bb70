import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inLanes } from './lanes.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('lanes', () => {
  it('[import.order] keep the order within a lane, never run more than allowed, never read further ahead', async () => {
    const shape = fc.record({
      lanes: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 80 }),
      width: fc.integer({ min: 1, max: 9 }),
      ahead: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ lanes, width, ahead }) => {
        const done: (readonly [number, number])[] = [];
        let read = 0;
        let running = 0;
        let most = 0;
        async function* items() {
          for (const [index, lane] of lanes.entries()) {
            expect(++read - done.length).toBeLessThanOrEqual(ahead);
            yield [lane, index] as const;
          }
        }
        await inLanes(items(), { laneOf: ([lane]) => lane, width, ahead }, async (item) => {
          most = Math.max(most, ++running);
          for (let turns = item[1] % 3; turns > 0; turns--) await turn();
          running -= 1;
          done.push(item);
        });
        expect(most).toBeLessThanOrEqual(width);
        for (const lane of new Set(lanes)) {
          const wanted = lanes.flatMap((one, index) => (one === lane ? [index] : []));
          expect(done.flatMap(([one, index]) => (one === lane ? [index] : []))).toEqual(wanted);
        }
      }),
    );
  });

  it('[import.order] an error stops what follows and is told when all has ended', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const all = inLanes(
      Array.from({ length: 50 }, (_, index) => index),
      { laneOf: (index) => index % 4, width: 4 },
      async (index) => {
        begun.push(index);
        await turn();
        if (index === 5) throw new Error('the fifth');
        ended.push(index);
      },
    );
    await expect(all).rejects.toThrow('the fifth');
    expect(begun).not.toContain(9);
    expect(begun.length).toBe(ended.length + 1);
  });
});
