import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently, waitUntil } from '../../support/factories.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);
const locker = new pg.Client(db.connection);
await locker.connect();
afterAll(() => locker.end());

const CALLS = 20;

it('[attack.5-5] (API4) catch-ups that take long leave others their connections', async () => {
  const innocent = await f.createAgent();
  const thread = await f.createThread(innocent, await f.createRoom(innocent));
  const reader = await f.createAgent();
  await locker.query('BEGIN; LOCK TABLE read_marks IN ACCESS EXCLUSIVE MODE');
  const many = runConcurrently(CALLS, () =>
    f.send('GET', '/api/v1/me/catch-up', { key: reader.key }),
  );
  await waitUntil('most of them wait', () => db.countWaitingReads('long', reader.id) > CALLS / 2);
  for (let nr = 0; nr < 5; nr++) await f.postMessage(innocent, thread, 'Meanwhile');
  await locker.query('COMMIT');
  // Those that waited too long, on a busy machine, are told to come again.
  for (const { status } of await many) expect([200, 503]).toContain(status);
});
