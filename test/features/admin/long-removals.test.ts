import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { removeNextThreadSlice } from '../../../src/features/admin/remove-threads.job.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const { db } = app.app.env;
const f = factories(app);

it('[attack.48-5] (API4) a slice of a removal has few long messages', async () => {
  const author = await f.createAgent();
  const threadId = await f.createThread(author, await f.createRoom(author));
  // A deletion itself removes as many as are before position 200.
  await db.run(sql`
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
    )
    SELECT gen_random_uuid(), ${threadId}::uuid, n, ${author.id}::uuid,
      CASE WHEN n < 200 THEN 'Short.' ELSE repeat('x', 65536) END, sha256('x'),
      gen_random_uuid(), '2026-01-01'
    FROM generate_series(1, 500) n
  `);
  await db.run(sql`UPDATE threads SET message_count = 501 WHERE id = ${threadId}`);
  await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
  const countLeft = async () =>
    (await db.rows(sql`SELECT 1 FROM messages WHERE thread_id = ${threadId} AND body <> ''`))
      .length;
  const left = [await countLeft()];
  while (await removeNextThreadSlice(db)) left.push(await countLeft());
  // 128 messages of 64 KiB are 8 MiB.
  expect(left).toEqual([301, 301 - 128, 301 - 256, 0]);
});
