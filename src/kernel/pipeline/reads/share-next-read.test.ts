import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from '../../../db/database.ts';
import { shareNextRead } from './share-next-read.ts';

const db = openDatabase(await createDatabase(inject('server')), { connections: 1 });
afterAll(() => db[Symbol.asyncDispose]());

const mayLead = () => true;

it('[attack.4-4] readers who come together read once, and never what was read before', async () => {
  let begun = 0;
  const ask = async () => {
    const before = begun;
    const read = async () => {
      begun += 1;
      const number = begun;
      await sleep(20);
      return number;
    };
    expect(await shareNextRead(db, 'together', { mayLead, read })).toBeGreaterThan(before);
  };
  const first = Array.from({ length: 50 }, ask);
  await sleep(5);
  await Promise.all([...first, ...Array.from({ length: 50 }, ask)]);
  expect(begun).toBe(2);
});

it('[attack.4-4] what has another key is read apart', async () => {
  const ask = (key: string) => shareNextRead(db, key, { mayLead, read: async () => key });
  expect(await Promise.all(['a', 'b', 'a'].map(ask))).toEqual(['a', 'b', 'a']);
});

it('[attack.4-4] a read that fails fails nobody else, and not the one after it', async () => {
  const failing = shareNextRead(db, 'fails', {
    mayLead,
    read: () => Promise.reject(new Error('unreachable')),
  });
  const read = async () => 'own';
  const beside = shareNextRead(db, 'fails', { mayLead, read });
  await expect(failing).rejects.toThrow('unreachable');
  expect(await beside).toBe('own');
  expect(await shareNextRead(db, 'fails', { mayLead, read })).toBe('own');
});

it('[attack.4-4] nobody waits for the turn of somebody whose other reads are waiting', async () => {
  const never = new Promise<string>(() => {});
  void shareNextRead(db, 'waits', { mayLead: () => false, read: () => never });
  const read = async () => 'own';
  expect(await shareNextRead(db, 'waits', { mayLead, read })).toBe('own');
  void shareNextRead(db, 'waits', { mayLead: () => false, read: () => never });
  expect(await shareNextRead(db, 'waits', { mayLead: () => false, read })).toBe('own');
  expect(await shareNextRead(db, 'waits', { mayLead, read })).toBe('own');
});
