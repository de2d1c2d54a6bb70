import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

it('[event.exactly-once] holds a lane once at a time, in order of arrival, and never waits in a circle', async () => {
  const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(keys, { maxLength: 30 }), async (wanted) => {
      const lanes = createLanes();
      const held = new Set<string>();
      const order = new Map<string, number[]>();
      await Promise.all(
        wanted.map(async (mine, index) => {
          const leave = await lanes.enter(mine);
          for (const key of mine) {
            expect(held.has(key)).toBe(false);
            held.add(key);
            order.set(key, [...(order.get(key) ?? []), index]);
          }
          await new Promise((resolve) => setImmediate(resolve));
          for (const key of mine) held.delete(key);
          leave();
        }),
      );
      for (const indexes of order.values()) expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    }),
  );
});
