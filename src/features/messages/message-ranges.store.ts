import type { Queryable } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import { requestStatus } from '../requests/request-status.store.ts';
import { findUnreadRanges, type PositionRange, takePositions } from './message-ranges.rules.ts';
import type { Message } from './schemas.ts';

/**
 * The columns of a Message as a reader sees it, over the aliases `m` (messages) and `a` (its
 * author).
 */
export const messageColumns = (reader: string | null) => sql`
  m.id, m.thread_id AS "threadId", m.position, m.author_id AS "authorId",
  a.handle AS "authorHandle", m.body, m.reply_to_id AS "replyToId", m.mentions, '[]'::json AS files,
  m.deleted_at IS NOT NULL AS deleted,
  CASE
    WHEN m.deleted_at IS NOT NULL THEN coalesce(m.deleted_by, 'administrator')
  END AS "deletedBy",
  ${requestStatus(reader)} AS request, m.via,
  m.created_at AS "createdAt", m.receipt_id AS "receiptId"
`;

/** A message as `messageColumns` reads it. */
type MessageRow<Row extends Message> = Omit<Row, 'via'> & { via?: 'page' | null | undefined };

/** Reads messages. `via` is absent, not null, in those that came by the API. */
export async function readMessages<Row extends Message = Message>(
  db: Queryable,
  query: Sql,
): Promise<Row[]> {
  const rows = await db.rows<MessageRow<Row>>(query);
  // Leaving the member undefined costs less than a copy of each row, and JSON leaves it out.
  for (const row of rows) row.via ??= undefined;
  return rows as Row[];
}

/**
 * Lists the messages at the positions from..to-1. This reads an index range, so the cost does not
 * depend on the length of the thread.
 */
export const listRange = (
  db: Queryable,
  threadId: string,
  { from, to }: Omit<PositionRange, 'threadId'>,
  reader: string | null,
) =>
  readMessages(
    db,
    sql`
    SELECT ${messageColumns(reader)}
    FROM messages m
    JOIN agents a ON a.id = m.author_id
    WHERE m.thread_id = ${threadId} AND m.position >= ${from} AND m.position < ${to}
    ORDER BY m.position
  `,
  );

/**
 * Lists the messages at the positions from..to-1 until their bodies have `maxBytes`, and the first
 * `least` of them in any case. PostgreSQL knows the length of a body without reading it.
 */
export const listRangeWithin = (
  db: Queryable,
  threadId: string,
  { from, to }: Omit<PositionRange, 'threadId'>,
  { maxBytes, least }: { readonly maxBytes: number; readonly least: number },
  reader: string | null,
) =>
  readMessages(
    db,
    sql`
    SELECT ${messageColumns(reader)}
    FROM (
      SELECT *, sum(octet_length(body)) OVER (ORDER BY position) AS bytes
      FROM messages
      WHERE thread_id = ${threadId} AND position >= ${from} AND position < ${to}
    ) m
    JOIN agents a ON a.id = m.author_id
    WHERE m.bytes <= ${maxBytes}::int OR m.position < ${from + least}
    ORDER BY m.position
  `,
  );

const listSizes = async (
  db: Queryable,
  threadId: string,
  { from, to }: Omit<PositionRange, 'threadId'>,
  size: Sql,
): Promise<number[]> => {
  const rows = await db.rows<{ readonly size: number }>(sql`
    SELECT ${size} AS size
    FROM messages
    WHERE thread_id = ${threadId} AND position >= ${from} AND position < ${to}
    ORDER BY position
  `);
  return rows.map(({ size }) => size);
};

/** Lists the bytes of the bodies at the positions from..to-1, in order, without reading them. */
export const listBodySizes = (
  db: Queryable,
  threadId: string,
  range: Omit<PositionRange, 'threadId'>,
): Promise<number[]> => listSizes(db, threadId, range, sql`octet_length(body)`);

/** Lists the characters that these bodies have as JSON. It reads them. */
export const listBodySizesAsJson = (
  db: Queryable,
  threadId: string,
  range: Omit<PositionRange, 'threadId'>,
): Promise<number[]> => listSizes(db, threadId, range, sql`length(to_json(body)::text)`);

/**
 * Number of messages that one statement of a walk reads. With 250 the walk reads and writes
 * 80,000/s, as fast as with 1,000, and needs less memory.
 */
const MAX_WALK_MESSAGES = 250;

/** One statement of a walk stops after the body that reaches this many bytes in total. */
const MAX_WALK_BYTES = 1024 * 1024;

/**
 * Lists the messages of several ranges, in the order of the ranges, until their bodies have
 * MAX_WALK_BYTES. It leaves out threads that the reader may not read and threads that were deleted.
 */
const listRanges = (db: Queryable, ranges: readonly PositionRange[], reader: string | null) =>
  readMessages(
    db,
    sql`
    SELECT ${messageColumns(reader)}
    FROM (
      SELECT m.*, q.nr,
        sum(octet_length(m.body)) OVER (ORDER BY q.nr, m.position) - octet_length(m.body) AS before
      FROM ${unnestRows(ranges, [
        ['uuid', ({ threadId }) => threadId],
        ['int', ({ from }) => from],
        ['int', ({ to }) => to],
      ])} WITH ORDINALITY AS q (thread_id, first, last, nr)
      JOIN threads t ON t.id = q.thread_id
      JOIN rooms r ON r.id = t.room_id
      -- With the LIMIT the planner reads the range by index. As a plain join it may read the whole
      -- thread and filter the positions.
      CROSS JOIN LATERAL (
        SELECT *
        FROM messages
        WHERE thread_id = q.thread_id AND position >= q.first AND position < q.last
        ORDER BY position
        LIMIT q.last - q.first
      ) m
      WHERE ${readableThread(reader)}
    ) m
    JOIN agents a ON a.id = m.author_id
    WHERE m.before < ${MAX_WALK_BYTES}::int
    ORDER BY m.nr, m.position
  `,
  );

/**
 * Yields all messages of these ranges in batches. Each batch is a statement of its own, so no
 * connection is occupied while the caller uses a batch. A thread that was deleted before its first
 * message was read is left out. Errors: `gone` if a thread was deleted after some of it was read.
 */
export async function* iterateMessages(
  db: Queryable,
  ranges: readonly PositionRange[],
  reader: string | null,
): AsyncGenerator<Message[]> {
  for (let remaining = ranges; remaining.length > 0; ) {
    const found = await listRanges(db, takePositions(remaining, MAX_WALK_MESSAGES), reader);
    remaining = findUnreadRanges(remaining, found);
    if (found.length > 0) yield found;
  }
}
