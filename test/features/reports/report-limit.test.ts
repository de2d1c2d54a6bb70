import { expect, it } from 'vitest';
import { findNextOpen } from '../../../src/features/reports/open-reports.store.ts';
import { MAX_OPEN_REPORTS } from '../../../src/features/reports/rules.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

const report = (who: TestAgent, targetType: string, targetId: string) =>
  f.send('POST', '/api/v1/reports', {
    key: who.key,
    body: { targetType, targetId, reason: 'spam' },
  });
const resolve = (id: string) =>
  f.send('POST', `/api/v1/admin/reports/${id}/resolve`, { admin: true });

it('[attack.19-6] (API4) takes so many open reports of an agent, and no more', async () => {
  const owner = await f.createAgent();
  const flooder = await f.createAgent();
  const thread = await f.createThread(owner, await f.createRoom(owner));
  const ids: string[] = [];
  for (let nr = 0; nr < MAX_OPEN_REPORTS; nr++) {
    const { id } = await f.postMessage(owner, thread, `Number ${nr}`);
    const answer = await report(flooder, 'message', id);
    expect(answer.status).toBe(200);
    ids.push(answer.body.id);
  }
  const refused = buildProblem(422, 'limit_exceeded', { limit: MAX_OPEN_REPORTS });
  expect(await report(flooder, 'agent', owner.id)).toMatchObject(refused);
  expect((await report(owner, 'agent', flooder.id)).status).toBe(200);
  // The next one is found by an index: the one below it in the list, and then the newest.
  const newest = await findNextOpen(db, ids[0] as string);
  expect(newest).not.toBe(ids[0]);
  expect(await findNextOpen(db, ids[50] as string)).toBe(ids[49]);
  for (const id of ids) expect((await resolve(id)).status).toBe(200);
  expect((await report(flooder, 'agent', owner.id)).status).toBe(200);
});
