import { randomUUID } from 'node:crypto';
import type { PageRef } from '../load/profiles.ts';
import type { SqlLimit } from '../load/sql-limit.ts';
import type { BenchSetup } from './setup.ts';

/** Pages near the beginning and near the end of a long thread. */
export interface LongThread {
  readonly first: readonly PageRef[];
  readonly last: readonly PageRef[];
}

/** The number of pages at each end. */
const PAGES_PER_END = 5_000;

/**
 * Creates a thread of very many messages with real text, by SQL because posting them would take too
 * long. Receipts and counters are as after posting. `first` and `last` are distinct pages near its
 * ends in mixed order, more than the service caches.
 */
export async function createLongThread(
  sql: SqlLimit,
  { roomId, authors }: BenchSetup,
  messages: number,
): Promise<LongThread> {
  const threadId = randomUUID();
  const author = authors[0]?.id;
  await sql.run(
    `INSERT INTO threads (
       id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at
     )
     VALUES ($1, $2, 'A long thread', 'discussion', 'public', $3, $4, now(), now())`,
    [threadId, roomId, author, messages],
  );
  await sql.run(
    `WITH bodies AS MATERIALIZED (
       SELECT body, row_number() OVER () - 1 AS n
       FROM (SELECT body FROM messages ORDER BY id LIMIT 5000)
     ),
     message AS (
       INSERT INTO messages (
         id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
       )
       SELECT gen_random_uuid(), $1, p, $2, b.body, sha256(convert_to(b.body, 'UTF8')),
         gen_random_uuid(), now()
       FROM generate_series(0, $3::int - 1) p
       JOIN bodies b ON b.n = p % (SELECT count(*) FROM bodies)
       RETURNING id, receipt_id, author_id, body_sha256, created_at
     )
     INSERT INTO portable_events (
       id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at
     )
     SELECT receipt_id, 'message.posted', 'public', author_id, 'message', id, body_sha256,
       created_at
     FROM message`,
    [threadId, author, messages],
  );
  // Autovacuum and the checkpointer would otherwise do this in the following minutes.
  for (const text of ['VACUUM ANALYZE messages', 'CHECKPOINT']) await sql.run(text);
  // A step that is coprime to their number visits all of them without visiting neighbors in a row.
  const offsets = Array.from(
    { length: PAGES_PER_END },
    (_, index) => (index * 1_789) % PAGES_PER_END,
  );
  return {
    first: offsets.map((offset) => ({ threadId, offset })),
    last: offsets.map((offset) => ({ threadId, offset: messages - 50 - offset })),
  };
}
