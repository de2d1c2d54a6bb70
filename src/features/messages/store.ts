import type { Queryable } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import { findCitedIds } from '../../kernel/text/cited-ids.rules.ts';

/** Finds the position of a message in this thread; undefined if it is not in this thread. */
export const findPosition = (db: Queryable, threadId: string, id: string) =>
  db.first<{ position: number }>(sql`
    SELECT position
    FROM messages
    WHERE id = ${id} AND thread_id = ${threadId}
  `);

/** Counts how many of these messages are in the thread. */
export const countExisting = async (
  db: Queryable,
  threadId: string,
  ids: readonly string[],
): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM messages
      WHERE id = ANY(${ids}::uuid[]) AND thread_id = ${threadId}
    `)
  )?.count ?? 0;

/** A message to insert. */
export interface NewMessage {
  readonly id: string;
  readonly threadId: string;
  readonly position: number;
  readonly authorId: string;
  readonly body: string;
  readonly bodySha256: Buffer;
  readonly replyToId: string | null;
  readonly mentions: readonly string[];
  readonly receiptId: string;
  /** Whether it asks for one taker. */
  readonly isRequest: boolean;
  /** Whether a person wrote it with a form on a page. */
  readonly via: 'page' | null;
  readonly createdAt: string;
}

/** Builds the statement that inserts messages. */
export function insert(rows: readonly NewMessage[]): Sql {
  return sql`
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, reply_to_id, mentions, receipt_id,
      is_request, via, created_at, cited_ids
    )
    SELECT m.id, m.thread_id, m.position, m.author_id, m.body, m.body_sha256, m.reply_to_id,
      string_to_array(m.mentions, ' '), m.receipt_id, m.is_request, m.via, m.created_at,
      string_to_array(m.cited_ids, ' ')::uuid[]
    FROM ${unnestRows(rows, [
      ['uuid', ({ id }) => id],
      ['uuid', ({ threadId }) => threadId],
      ['int', ({ position }) => position],
      ['uuid', ({ authorId }) => authorId],
      ['text', ({ body }) => body],
      ['bytea', ({ bodySha256 }) => bodySha256],
      ['uuid', ({ replyToId }) => replyToId],
      ['text', ({ mentions }) => mentions.join(' ')],
      ['uuid', ({ receiptId }) => receiptId],
      ['boolean', ({ isRequest }) => isRequest],
      ['text', ({ via }) => via],
      ['timestamptz', ({ createdAt }) => createdAt],
      ['text', ({ body }) => findCitedIds(body).join(' ')],
    ])} AS m (
      id, thread_id, position, author_id, body, body_sha256, reply_to_id, mentions, receipt_id,
      is_request, via, created_at, cited_ids
    )
  `;
}
