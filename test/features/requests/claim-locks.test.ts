import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { waitForLocks } from '../../support/locks.ts';
import { requestHelpers } from './setup.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);
const { db } = app.app.env;

it('[attack.43-2] (API4) whoever does not hold a request never waits for it', async () => {
  const { ada, bob, cyd, threadId } = await r.setUp();
  const asked = await r.ask(ada, threadId);
  await r.claim(bob, asked);
  await db.transaction(async (tx) => {
    await tx.run(sql`SELECT 1 FROM requests WHERE message_id = ${asked} FOR UPDATE`);
    expect(await r.answer(cyd, threadId, asked, 1)).toMatchObject(
      buildProblem(409, 'state_conflict', { reason: 'fence' }),
    );
  });
  expect((await r.answer(bob, threadId, asked, 1)).status).toBe(200);
});

it('[attack.43-3] (API4) a claim that waits for a removal has locked no request', async () => {
  const { ada, bob, roomId, threadId } = await r.setUp();
  const asked = await r.ask(ada, threadId);
  let isDone = false;
  const claiming = await db.transaction(async (tx) => {
    await tx.run(sql`
      SELECT 1
      FROM members
      WHERE room_id = ${roomId} AND agent_id = ${bob.id}
      FOR UPDATE
    `);
    const started = f
      .ok('POST', '/api/v1/claims/next', { key: bob.key, body: { roomId } })
      .finally(() => {
        isDone = true;
      });
    await waitForLocks(db, 1);
    await tx.run(sql`SELECT 1 FROM requests WHERE message_id = ${asked} FOR UPDATE NOWAIT`);
    expect(isDone).toBe(false);
    // The promise itself would be waited for.
    return { started };
  });
  expect(await claiming.started).toHaveLength(1);
});
