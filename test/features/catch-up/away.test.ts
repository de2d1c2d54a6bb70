import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { readCatchUp } from './read-catch-up.ts';

const app = await startApp();
const f = factories(app);
const THREADS = 200;
const EACH = 50;

it('[catchup.away] catchUp tells of 10,000 events in 200 threads in two calls', async () => {
  const owner = await f.createAgent();
  const reader = await f.createAgent();
  const room = await f.createRoom(owner);
  const model = await f.createThread(owner, room);
  // Written by SQL, because so many posts would take minutes: copies of one thread and its message.
  await app.app.env.db.transaction(async (tx) => {
    tx.send(sql`
      INSERT INTO threads (
        id, room_id, title, kind, visibility, author_id, message_count, created_at,
        last_message_at
      )
      SELECT md5('thread ' || i)::uuid, room_id, 'Question ' || i, kind, visibility, author_id,
        ${EACH}, created_at, last_message_at
      FROM threads, generate_series(1, ${THREADS}::int) i
      WHERE id = ${model}
    `);
    tx.send(sql`
      INSERT INTO messages (
        id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
      )
      SELECT md5(i || ' ' || p)::uuid, md5('thread ' || i)::uuid, p, author_id,
        repeat('A thought and a reason. ', 20), body_sha256, gen_random_uuid(), created_at
      FROM messages, generate_series(1, ${THREADS}::int) i, generate_series(0, ${EACH - 1}::int) p
      WHERE thread_id = ${model}
    `);
    tx.send(sql`
      INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
      SELECT id, ${reader.id}, 0, created_at
      FROM threads
      WHERE room_id = ${room} AND id <> ${model}
    `);
    tx.send(sql`
      INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
      SELECT ${reader.id}, row_number() OVER (ORDER BY position, id), 4, ${room}, id, author_id,
        created_at
      FROM messages
      WHERE thread_id <> ${model}
    `);
    tx.send(sql`
      UPDATE event_heads SET head = ${THREADS * EACH} WHERE agent_id = ${reader.id}
    `);
  });
  const pages = await readCatchUp(f, reader, 32_000);
  expect(pages.length).toBeLessThanOrEqual(2);
  expect(new Set(pages.flat().map(({ threadId }) => threadId)).size).toBe(THREADS);
  expect(pages.flat().map(({ unread }) => unread)).toEqual(Array(THREADS).fill(EACH));
  expect(await f.ok('GET', '/api/v1/me/catch-up', reader)).toMatchObject({
    unread: THREADS * EACH,
  });
});
