import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { integrateReceipts } from '../../../src/features/log/integrate-receipts.job.ts';
import { openLog } from '../../../src/features/log/open-log.ts';
import { startApp } from '../../support/app.ts';
import { factories, type TestAgent } from '../../support/factories.ts';
import { writeReceipts } from './merkle-reference.ts';

const app = await startApp({}, { manualJobs: true });
const { env } = app.app;
const { db } = env;
const f = factories(app);

/** Counts the receipts about an agent that are in the log. */
const countLogged = async ({ id }: TestAgent): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM log_entries e
      JOIN portable_recipients r ON r.event_id = e.event_id
      WHERE r.agent_id = ${id}
    `)
  )?.count ?? 0;

it('[attack.33-3] (API4) nobody waits for the thousands of receipts of somebody else', async () => {
  const log = await openLog(env, null);
  await writeReceipts(app, 5_000, true);
  const ada = await f.createAgent();
  const room = await f.createRoom(ada, 'public');
  const thread = await f.createThread(ada, room);
  await f.postMessage(ada, thread, 'Hello');
  expect(await countLogged(ada)).toBe(0);
  await integrateReceipts(env, log);
  expect(await countLogged(ada)).toBeGreaterThan(1);
});
