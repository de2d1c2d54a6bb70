import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { monotonicClock } from './clock.ts';
import { createEventLoopTurns } from './event-loop-turns.ts';
import { mapInTurns } from './map-in-turns.ts';

it('[attack.12-1] (API4) builds one slice in a turn, however many ask', async () => {
  const shared = createEventLoopTurns(monotonicClock);
  let built = 0;
  let most = 0;
  const build = async (slice: readonly number[]) => {
    built += 1;
    most = Math.max(most, built);
    return slice.map((item) => item * 2);
  };
  const all = Array.from({ length: 20 }, () =>
    mapInTurns([1, 2, 3, 4, 5], 2, () => shared.wait('ada'), build),
  );
  let isOver = false;
  const turns = (async () => {
    while (!isOver) {
      built = 0;
      await nextTurn();
    }
  })();
  expect(await Promise.all(all)).toEqual(all.map(() => [2, 4, 6, 8, 10]));
  isOver = true;
  await turns;
  expect(most).toBe(1);
});
