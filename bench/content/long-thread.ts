import { randomUUID } from 'node:crypto';
import type { Page } from '../load/profiles.ts';
import type { Scene } from './setup.ts';
import type { SqlLimit } from '../load/sql-limit.ts';

export interface LongThread {
  readonly first: readonly Page[];
  readonly last: readonly Page[];
}

const ENDS = 5_000;

/**
 * A thread of very many messages with real text, written by SQL because posting them would take too long: receipts and counters are as posts
 * would have left them. `first` and `last` are different pages near its ends, more than the service keeps in memory, in mixed order.
 */
export async function makeLongThread(
  sql: SqlLimit,
  { roomId, authors }: Scene,
  messages: number,
): Promise<LongThread> {
  const threadId = randomUUID();
  const author = authors[0]?.id;
  await sql.run(
    `INSERT INTO threads (id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at)
     VALUES ($1, $2, 'A long thread', 'discussion', 'public', $3, $4, now(), now())`,
    [threadId, roomId, author, messages],
  );
  await sql.run(
    `WITH bodies AS MATERIALIZED (SELECT body, row_number() OVER () - 1 AS n FROM (SELECT body FROM messages ORDER BY id LIMIT 5000)),
       message AS (INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at)
         SELECT gen_random_uuid(), $1, p, $2, b.body, sha256(convert_to(b.body, 'UTF8')), gen_random_uuid(), now()
         FROM generate_series(0, $3::int - 1) p JOIN bodies b ON b.n = p % (SELECT count(*) FROM bodies)
         RETURNING id, receipt_id, author_id, body_sha256, created_at)
     INSERT INTO portable_events (id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at)
       SELECT receipt_id, 'message.posted', 'public', author_id, 'message', id, body_sha256, created_at FROM message`,
    [threadId, author, messages],
  );
  // What autovacuum and the checkpointer would do in the minutes after.
  for (const text of ['VACUUM ANALYZE messages', 'CHECKPOINT']) await sql.run(text);
  // A step that shares no factor with their number visits all of them, without neighbours following each other.
  const mixed = Array.from({ length: ENDS }, (_, index) => (index * 1_789) % ENDS);
  return {
    first: mixed.map((offset) => ({ threadId, offset })),
    last: mixed.map((offset) => ({ threadId, offset: messages - 50 - offset })),
  };
}
