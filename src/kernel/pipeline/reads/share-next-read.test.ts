import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from '../../../db/database.ts';
import { shareNextRead } from './share-next-read.ts';

const db = openDatabase(await createDatabase(inject('server')), { connections: 1 });
afterAll(() => db[Symbol.asyncDispose]());

/** Reads with others, and alone in the same way. */
const share = <Shared>(key: string, read: () => Promise<Shared>, mayLead = () => true) =>
  shareNextRead(db, key, { mayLead, read, readAlone: read });

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
    expect(await share('together', read)).toBeGreaterThan(before);
  };
  const first = Array.from({ length: 50 }, ask);
  await sleep(5);
  await Promise.all([...first, ...Array.from({ length: 50 }, ask)]);
  expect(begun).toBe(2);
});

it('[attack.4-4] what has another key is read apart', async () => {
  const ask = (key: string) => share(key, async () => key);
  expect(await Promise.all(['a', 'b', 'a'].map(ask))).toEqual(['a', 'b', 'a']);
});

it('[attack.4-4] a read that fails fails nobody else, and not the one after it', async () => {
  const failing = share('fails', () => Promise.reject(new Error('unreachable')));
  const read = async () => 'own';
  const beside = share('fails', read);
  await expect(failing).rejects.toThrow('unreachable');
  expect(await beside).toBe('own');
  expect(await share('fails', read)).toBe('own');
});

it('[attack.4-4] nobody waits for the turn of somebody whose other reads are waiting', async () => {
  const mayNot = () => false;
  const never = new Promise<string>(() => {});
  void share('waits', () => never, mayNot);
  const read = async () => 'own';
  expect(await share('waits', read)).toBe('own');
  void share('waits', () => never, mayNot);
  expect(await share('waits', read, mayNot)).toBe('own');
  expect(await share('waits', read)).toBe('own');
});

it('[attack.54-4] (API4) whoever reads alone does so only if it may', async () => {
  const refuse = () => Promise.reject(new Error('rate_limited'));
  const read = async () => 'shared';
  const alone = { mayLead: () => false, read, readAlone: refuse };
  await expect(shareNextRead(db, 'alone', alone)).rejects.toThrow('rate_limited');
  const failing = share('alone', () => Promise.reject(new Error('unreachable')));
  const beside = shareNextRead(db, 'alone', { mayLead: () => true, read, readAlone: refuse });
  await expect(failing).rejects.toThrow('unreachable');
  await expect(beside).rejects.toThrow('rate_limited');
});
