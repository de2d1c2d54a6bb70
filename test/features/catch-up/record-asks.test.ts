import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
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
