import { expect, it, vi } from 'vitest';
import type { Queryable } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/database-errors.ts';
import { keepCount } from './keep-count.ts';

const db = {} as Queryable;
const MINUTE_MS = 60_000;

/** Keeps a count that says how often was counted, or fails with the given SQLSTATE. */
function setUp(failure?: string) {
  const counted = { times: 0 };
  const read = keepCount(async () => {
    counted.times += 1;
    if (failure !== undefined) throw new DatabaseUnavailable({ code: failure });
    return counted.times;
  });
  return { counted, read };
}

it('is counted once a minute, and anew in the background before', async () => {
  const { counted, read } = setUp();
  expect(await Promise.all([read(db, 0), read(db, 1)])).toEqual([1, 1]);
  expect(await read(db, MINUTE_MS / 2)).toBe(1);
  await vi.waitUntil(async () => (await read(db, MINUTE_MS / 2 + 1)) === 2);
  expect(counted.times).toBe(2);
  expect(await read(db, 2 * MINUTE_MS)).toBe(3);
});

it('[attack.23-5] (API4) is left out for a while where counting takes too long', async () => {
  const { counted, read } = setUp('57014');
  expect(await Promise.all([read(db, 0), read(db, 1)])).toEqual([null, null]);
  for (const minute of [1, 2, 3, 4]) expect(await read(db, minute * MINUTE_MS)).toBeNull();
  expect(counted.times).toBe(1);
  expect(await read(db, 5 * MINUTE_MS)).toBeNull();
  expect(counted.times).toBe(2);
});

it('is kept for its minute where counting it anew takes too long', async () => {
  const counted = { times: 0 };
  const read = keepCount(async () => {
    counted.times += 1;
    if (counted.times > 1) throw new DatabaseUnavailable({ code: '57014' });
    return counted.times;
  });
  expect(await read(db, 0)).toBe(1);
  expect(await read(db, MINUTE_MS / 2)).toBe(1);
  expect(await read(db, MINUTE_MS - 1)).toBe(1);
  expect(await read(db, MINUTE_MS)).toBeNull();
  expect(counted.times).toBe(2);
});

it('is tried again at once where counting failed for another reason', async () => {
  const { counted, read } = setUp('57P01');
  await expect(read(db, 0)).rejects.toThrow(DatabaseUnavailable);
  await expect(read(db, 1)).rejects.toThrow(DatabaseUnavailable);
  expect(counted.times).toBe(2);
});
