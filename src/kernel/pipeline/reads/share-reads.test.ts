import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createShareReads } from './share-reads.ts';

it('[attack.1-3] shares a read with all who ask for it in the same turn, not later', async () => {
  const share = createShareReads();
  let reads = 0;
  const read = async () => ++reads;
  const woken = [1, 2, 3].map(() => share('ada', read));
  expect(await Promise.all([...woken, share('bob', read)])).toEqual([1, 1, 1, 2]);
  await nextTurn();
  expect(await share('ada', read)).toBe(3);
});
