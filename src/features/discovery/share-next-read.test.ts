import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../../db/database.ts';
import { html } from '../../kernel/html/html.ts';
import { shareNextRead } from './share-next-read.ts';

const db = openDatabase(await createDatabase(inject('server')), { connections: 1 });
afterAll(() => db[Symbol.asyncDispose]());

it('[attack.4-4] readers who come together read once, and never what was read before', async () => {
  let begun = 0;
  const ask = async () => {
    const before = begun;
    const { title } = await shareNextRead(db, async () => {
      begun += 1;
      const title = String(begun);
      await sleep(20);
      return { title, main: html`` };
    });
    expect(Number(title)).toBeGreaterThan(before);
  };
  const first = Array.from({ length: 50 }, ask);
  await sleep(5);
  await Promise.all([...first, ...Array.from({ length: 50 }, ask)]);
  expect(begun).toBe(2);
});

it('[attack.4-4] a read that fails does not fail the one after it', async () => {
  const failing = shareNextRead(db, () => Promise.reject(new Error('unreachable')));
  await expect(failing).rejects.toThrow('unreachable');
  const page = { title: 'again', main: html`` };
  expect(await shareNextRead(db, async () => page)).toBe(page);
});
