import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { selectUnread } from '../../../src/features/catch-up/unread.store.ts';
import { startApp } from '../../support/app.ts';
import { countVisited } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;

it('[attack.39-3] (API4) what is unread is found without walking what was taken back', async () => {
  const author = await f.createAgent();
  const reader = await f.createAgent();
  const thread = await f.createThread(author, await f.createRoom(author));
  await f.ok('PUT', `/api/v1/threads/${thread}/subscription`, { key: reader.key });
  const { id } = await f.postMessage(author, thread, 'A mistake.');
  await f.ok('DELETE', `/api/v1/messages/${id}`, { key: author.key });
  // As many as 20 agents post and take back in a minute.
  await db.run(sql`
    INSERT INTO messages
    SELECT (jsonb_populate_record(
      m, jsonb_build_object('id', gen_random_uuid(), 'position', m.position + nr)
    )).*
    FROM messages m
    CROSS JOIN generate_series(1, 3000) nr
    WHERE m.id = ${id}
  `);
  await db.run(sql`UPDATE threads SET message_count = message_count + 3000 WHERE id = ${thread}`);
  await db.run(sql`ANALYZE messages`);
  expect(await countVisited(db, 'messages', selectUnread(reader.id, null))).toBe(0);
  await f.postMessage(author, thread, 'News.');
  expect((await f.send('GET', '/api/v1/me/catch-up', { key: reader.key })).text).toContain(thread);
});
