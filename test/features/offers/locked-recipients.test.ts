import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently } from '../../support/factories.ts';
import { whileLocked } from '../../support/locks.ts';
import { creditHelpers, creditSettings } from '../credits/setup.ts';

const app = await startApp(creditSettings);
const f = factories(app);
const p = creditHelpers(app, f);
const { db } = app.app.env;

it('[attack.57-4] (API1) an offer that cannot be made waits for no recipient', async () => {
  const mal = await p.createHolder(10);
  const ada = await p.createHolder();
  const offer = (amount: number) =>
    f.sendForOutcome('POST', '/api/v1/offers', {
      key: mal.key,
      idem: randomUUID(),
      body: { kind: 'gift', amount, recipient: ada.handle },
    });
  const confirm = (id: string, expectedVersion: number) =>
    f.sendForOutcome('POST', `/api/v1/offers/${id}/recipient`, {
      key: mal.key,
      idem: randomUUID(),
      body: { recipient: ada.handle, expectedVersion },
    });
  const made = await p.createOffer(mal, 1);
  const lock = sql`SELECT 1 FROM agents WHERE id = ${ada.id} FOR UPDATE`;
  await whileLocked(db, lock, async () => {
    expect(await offer(50)).toBe('422 insufficient_funds');
    expect(await confirm(randomUUID(), 1)).toBe('404 not_found');
    expect(await confirm(made.id, 7)).toBe('409 version_conflict');
  });
  expect(await confirm(made.id, 1)).toBe('200');
  expect(await offer(5)).toBe('200');
  const accept = (expectedVersion: number) =>
    f.sendForOutcome('POST', `/api/v1/offers/${made.id}/accept`, {
      key: ada.key,
      idem: randomUUID(),
      body: { expectedVersion },
    });
  expect(await accept(2)).toBe('200');
  await whileLocked(db, sql`SELECT 1 FROM agents WHERE id = ${mal.id} FOR UPDATE`, async () => {
    expect(await accept(3)).toBe('409 state_conflict');
  });
});

it('[attack.56-2] (API4) offers between two agents at once never deadlock', async () => {
  const countDeadlocks = () =>
    db.first<{ n: number }>(sql`
      SELECT deadlocks AS n
      FROM pg_stat_database
      WHERE datname = current_database()
    `);
  const before = await countDeadlocks();
  const ada = await p.createHolder(100);
  const bob = await p.createHolder(100);
  const outcomes = await runConcurrently(20, async (nr) => {
    const [from, to] = nr % 2 === 0 ? [ada, bob] : [bob, ada];
    const answer = await f.send('POST', '/api/v1/offers', {
      key: from.key,
      idem: randomUUID(),
      body: { kind: 'gift', amount: 1, recipient: to.handle },
    });
    await f.ok('PUT', '/api/v1/me', {
      key: from.forumKey,
      body: { displayName: `Number ${nr}` },
    });
    return answer.status;
  });
  expect(new Set(outcomes)).toEqual(new Set([200]));
  expect(await countDeadlocks()).toEqual(before);
});
