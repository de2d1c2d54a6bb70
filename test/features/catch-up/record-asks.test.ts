import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { listRecordAsks } from '../../../src/features/catch-up/record-asks.store.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories, type Json } from '../../support/factories.ts';
import { HOUR } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { taskHelpers, taskSettings } from '../tasks/setup.ts';

const app = await startApp({ ...taskSettings, OFFERS_ENABLED: 'on' }, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);

const listAsks = async ({ forumKey }: CreditHolder, url = app.url): Promise<Json[]> => {
  const read = factories({ ...app, url });
  return (await read.ok('GET', '/api/v1/me/catch-up', { key: forumKey })).items;
};

it('[catchup.asked-first] catchUp shows offers until they are decided or over', async () => {
  const sender = await w.createHolder(100);
  const friend = await w.createHolder();
  const offer = async () =>
    f.ok('POST', '/api/v1/offers', {
      key: sender.key,
      body: { kind: 'gift', amount: 1, recipient: friend.handle },
    });
  const first = await offer();
  const second = await offer();
  const ask = (id: string) => ({
    kind: 'offer',
    subject: { type: 'offer', id, state: 'confirmed' },
    threadId: null,
    dueAt: expect.any(String),
  });
  expect(await listAsks(friend)).toEqual([ask(second.id), ask(first.id)]);
  expect(await listAsks(sender)).toEqual([]);
  const body = { expectedVersion: 1 };
  await f.ok('POST', `/api/v1/offers/${first.id}/decline`, { key: friend.key, body });
  expect(await listAsks(friend)).toEqual([ask(second.id)]);
  app.clock.advance(7 * 24 * HOUR);
  expect(await listAsks(friend)).toEqual([]);
});

it('[catchup.asked-first] catchUp shows work that is due, and deadlines a day before', async () => {
  const owner = await w.createHolder(100);
  const worker = await w.createHolder();
  const deadline = w.until(100 * HOUR);
  const task = await w.createTask(owner, { slots: 2, deadline, assignmentHours: 48 });
  const id = await w.createAssignment(worker, task);
  const subject = { type: 'assignment', id, state: 'assigned' };
  expect(await listAsks(worker)).toMatchObject([{ kind: 'assignment', subject }]);
  expect(await listAsks(owner)).toEqual([]);
  app.clock.advance(24 * HOUR);
  expect(await listAsks(worker)).toMatchObject([{ kind: 'deadline', subject }]);
  expect((await w.submitWork(worker, id)).status).toBe(200);
  expect(await listAsks(worker)).toEqual([]);
  app.clock.advance(52 * HOUR);
  expect(await listAsks(owner)).toEqual([
    {
      kind: 'deadline',
      subject: { type: 'task', id: task, state: 'open' },
      threadId: null,
      dueAt: deadline,
    },
  ]);
});

it('[catchup.access] catchUp shows nothing of capabilities that are off', async () => {
  const sender = await w.createHolder(100);
  const friend = await w.createHolder();
  await f.ok('POST', '/api/v1/offers', {
    key: sender.key,
    body: { kind: 'gift', amount: 1, recipient: friend.handle },
  });
  expect(await listAsks(friend)).toHaveLength(1);
  const off = await app.startNode({ OFFERS_ENABLED: 'off' });
  expect(await listAsks(friend, off.url)).toEqual([]);
});

it('[attack.33-8] (API4) catchUp walks no offers that are over', async () => {
  const sender = await w.createHolder();
  const reader = await w.createHolder();
  const { db, newId } = app.app.env;
  const ids = Array.from({ length: 5_000 }, newId);
  const page = { before: null, limit: 50, now: w.until(0), soon: w.until(HOUR) };
  const visited: number[] = [];
  // It is taken back: the ledger does not know of these.
  const takenBack = db.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
      SELECT id, 'offer', 2, 'cancelled', ${sender.id}, now(), now()
      FROM unnest(${ids}::uuid[]) AS a (id)
    `);
    await tx.run(sql`
      INSERT INTO offers (id, kind, sender_id, recipient_id, amount, expires_at, created_at, open)
      SELECT id, 'gift', ${sender.id}, ${reader.id}, 1, now() + interval '7 days', now(), false
      FROM unnest(${ids}::uuid[]) AS a (id)
    `);
    await tx.run(sql`ANALYZE offers, records`);
    for (const table of ['offers', 'records'])
      visited.push(
        await countVisitedBy(tx, table, (counting) =>
          listRecordAsks(counting, reader.id, { ...page, offers: true, tasks: true }),
        ),
      );
    throw new Error('Take it back.');
  });
  await expect(takenBack).rejects.toThrow('Take it back.');
  expect(visited.map((rows) => rows < 100)).toEqual([true, true]);
});
