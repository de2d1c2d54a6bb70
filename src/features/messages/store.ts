import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import { type Recipient, reasonBits } from '../events/rules.ts';
import { head, type Later, type Range, rest } from './rules.ts';
import type { Message } from './schemas.ts';

const columns = sql`m.id, m.thread_id AS "threadId", m.position, m.author_id AS "authorId", a.handle AS "authorHandle", m.body, m.reply_to_id AS "replyToId",
  m.mentions, '[]'::json AS files, m.deleted_at IS NOT NULL AS deleted, m.created_at AS "createdAt", m.receipt_id AS "receiptId"`;

/** Messages at the positions from..to-1: an index range, whatever the thread's length. */
export const listRange = (db: Queryable, threadId: string, from: number, to: number) =>
  db.rows<Message>(sql`SELECT ${columns} FROM messages m JOIN agents a ON a.id = m.author_id
    WHERE m.thread_id = ${threadId} AND m.position >= ${from} AND m.position < ${to} ORDER BY m.position`);

/** Messages in one statement of a walk: 250 are read and written at 80,000/s, as fast as 1,000, and take less memory. */
const WALK_MESSAGES = 250;
/** Bodies in one statement of a walk may have this many bytes before the last one. */
const WALK_BYTES = 1024 * 1024;

/** Messages of several ranges, in their order, until their bodies are many. Of a thread that the reader may not read, or that was deleted, there is none. */
const listRanges = (db: Queryable, ranges: readonly Range[], reader: string | null) =>
  db.rows<Message>(sql`SELECT ${columns} FROM (
      SELECT m.*, q.nr, sum(octet_length(m.body)) OVER (ORDER BY q.nr, m.position) - octet_length(m.body) AS before
      FROM unnest(${ranges.map(({ threadId }) => threadId)}::uuid[], ${ranges.map(({ from }) => from)}::int[], ${ranges.map(({ to }) => to)}::int[])
        WITH ORDINALITY AS q (thread_id, first, last, nr)
      JOIN threads t ON t.id = q.thread_id JOIN rooms r ON r.id = t.room_id
      -- With the limit the range is looked up whole: as a join alone, the positions may be left to be sifted from all of the thread.
      CROSS JOIN LATERAL (SELECT * FROM messages WHERE thread_id = q.thread_id AND position >= q.first AND position < q.last ORDER BY position LIMIT q.last - q.first) m
      WHERE ${readableThread(reader)}) m
    JOIN agents a ON a.id = m.author_id WHERE m.before < ${WALK_BYTES}::int ORDER BY m.nr, m.position`);

/**
 * All messages of these ranges, some at a time, each time by a statement of its own: no connection is held while they are used. A thread that was deleted
 * before its first message was read is left out. Errors: `gone` when one was deleted in the midst.
 */
export async function* walk(
  db: Queryable,
  ranges: readonly Range[],
  reader: string | null,
): AsyncGenerator<Message[]> {
  for (let left = ranges; left.length > 0; ) {
    const found = await listRanges(db, head(left, WALK_MESSAGES), reader);
    left = rest(left, found);
    if (found.length > 0) yield found;
  }
}

/** Where a message stands in its thread; undefined when it is in another one. */
export const positionOf = (db: Queryable, threadId: string, id: string) =>
  db.first<{ position: number }>(
    sql`SELECT position FROM messages WHERE id = ${id} AND thread_id = ${threadId}`,
  );

/** Where a message is, whether or not it can be read; undefined when there is none. */
export const placeOf = (db: Queryable, id: string) =>
  db.first<{
    threadId: string;
    position: number;
    authorHandle: string;
    deleted: boolean;
  }>(sql`SELECT m.thread_id AS "threadId", m.position,
      a.handle AS "authorHandle", m.deleted_at IS NOT NULL AS deleted FROM messages m JOIN agents a ON a.id = m.author_id WHERE m.id = ${id}`);

/** How many of these messages the thread has. */
export const countOf = async (
  db: Queryable,
  threadId: string,
  ids: readonly string[],
): Promise<number> =>
  (
    await db.first<{ count: number }>(
      sql`SELECT count(*) AS count FROM messages WHERE id = ANY(${ids}::uuid[]) AND thread_id = ${threadId}`,
    )
  )?.count ?? 0;

/** Above this many subscribers a post does not wait until all of them are told. */
export const DIRECT_SUBSCRIBERS = 200;

/** A message to be: in which thread (which may be to come as well, and then it tells its room), and whom its text and its answer address. */
interface Target {
  readonly roomId?: string;
  readonly threadId: string;
  readonly replyToId: string | null;
  readonly mentioned: readonly string[];
}

/** A row without an agent says that the other subscribers are told later. */
function candidates(targets: readonly Target[]): Sql {
  const column = <T>(read: (target: Target) => T): T[] => targets.map(read);
  return sql`SELECT q.nr, c.*
    FROM unnest(${column(({ threadId }) => threadId)}::uuid[], ${column(({ roomId }) => roomId ?? null)}::uuid[], ${column(({ replyToId }) => replyToId)}::uuid[],
      ${column(({ mentioned }) => mentioned.join(' '))}::text[]) WITH ORDINALITY AS q (thread_id, room_id, reply_to_id, mentioned, nr)
    CROSS JOIN LATERAL (
      WITH subscribers AS MATERIALIZED (SELECT agent_id FROM subscriptions WHERE thread_id = q.thread_id LIMIT ${DIRECT_SUBSCRIBERS + 1}),
        later AS MATERIALIZED (SELECT (SELECT count(*) FROM subscribers) > ${DIRECT_SUBSCRIBERS}::int OR EXISTS (SELECT 1 FROM event_fanouts WHERE thread_id = q.thread_id) AS yes),
        named AS (
          SELECT id AS agent_id, ${reasonBits.mention}::int AS bit FROM agents WHERE handle = ANY(string_to_array(q.mentioned, ' '))
          UNION ALL SELECT author_id, ${reasonBits.reply}::int FROM messages WHERE id = q.reply_to_id AND thread_id = q.thread_id),
        addressed AS (
          SELECT agent_id, bit FROM named
          UNION ALL SELECT agent_id, ${reasonBits.subscription}::int FROM subscribers WHERE NOT (SELECT yes FROM later)
          UNION ALL SELECT agent_id, ${reasonBits.subscription}::int FROM subscriptions
            WHERE (SELECT yes FROM later) AND thread_id = q.thread_id AND agent_id IN (SELECT agent_id FROM named))
      SELECT a.id AS "agentId", a.handle, c.reasons, EXISTS (SELECT 1 FROM members m
          WHERE m.room_id = coalesce(q.room_id, (SELECT room_id FROM threads WHERE id = q.thread_id)) AND m.agent_id = a.id) AS "isMember"
      FROM (SELECT agent_id, bit_or(bit) AS reasons FROM addressed GROUP BY agent_id) c JOIN agents a ON a.id = c.agent_id
      UNION ALL SELECT NULL, NULL, 0, false FROM later WHERE yes) c`;
}

/**
 * Whom a post addresses: the mentioned, the author of the message that it answers, and the subscribers of the thread.
 * `later` says that the other subscribers are not among them, because there are too many or because some are still being told
 * of an earlier message: the background tells them, in order.
 */
export async function listCandidates(
  db: Queryable,
  target: Target,
): Promise<{ candidates: Recipient[]; later: boolean }> {
  const rows = await db.load<Recipient | { agentId: null }, Target>(candidates, target);
  const found = rows.filter((row): row is Recipient => row.agentId !== null);
  return { candidates: found, later: found.length < rows.length };
}

/** Subscribers who will be told in the background (all but those in `served`): how many, and the handles of the first 50. */
export const laterSubscribers = async (
  db: Queryable,
  threadId: string,
  roomId: string,
  isPrivate: boolean,
  served: readonly string[],
) =>
  // An aggregate has always one row.
  (await db.first(sql`WITH told AS MATERIALIZED (SELECT s.agent_id FROM subscriptions s WHERE s.thread_id = ${threadId} AND s.agent_id <> ALL(${served}::uuid[])
      AND (NOT ${isPrivate}::bool OR EXISTS (SELECT 1 FROM members m WHERE m.room_id = ${roomId} AND m.agent_id = s.agent_id)))
    SELECT (SELECT count(*) FROM told) AS count, ARRAY(SELECT a.handle FROM (SELECT agent_id FROM told ORDER BY agent_id LIMIT 50) t JOIN agents a ON a.id = t.agent_id ORDER BY t.agent_id) AS handles`)) as Later;

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
  readonly createdAt: string;
}

/** The statement that adds messages. */
export function insert(rows: readonly NewMessage[]): Sql {
  const column = <T>(read: (message: NewMessage) => T): T[] => rows.map(read);
  return sql`INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, reply_to_id, mentions, receipt_id, created_at)
    SELECT m.id, m.thread_id, m.position, m.author_id, m.body, m.body_sha256, m.reply_to_id, string_to_array(m.mentions, ' '), m.receipt_id, m.created_at
    FROM unnest(${column(({ id }) => id)}::uuid[], ${column(({ threadId }) => threadId)}::uuid[], ${column(({ position }) => position)}::int[],
      ${column(({ authorId }) => authorId)}::uuid[], ${column(({ body }) => body)}::text[], ${column(({ bodySha256 }) => bodySha256)}::bytea[],
      ${column(({ replyToId }) => replyToId)}::uuid[], ${column(({ mentions }) => mentions.join(' '))}::text[], ${column(({ receiptId }) => receiptId)}::uuid[],
      ${column(({ createdAt }) => createdAt)}::timestamptz[])
      AS m (id, thread_id, position, author_id, body, body_sha256, reply_to_id, mentions, receipt_id, created_at)`;
}
