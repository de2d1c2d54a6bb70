import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { listableThread, readableThread, roleIn, type ThreadFacts } from '../../kernel/access.ts';
import type { ThreadRow } from './schemas.ts';

export interface Thread extends ThreadFacts {
  readonly id: string;
  readonly authorId: string;
  /** Of its room. */
  readonly ownerId: string;
  readonly messageCount: number;
  readonly revision: number;
  readonly fileCount: number;
}

const facts = (
  reader: Sql | string | null,
): Sql => sql`t.id, t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility, t.author_id AS "authorId",
  r.owner_id AS "ownerId", t.message_count AS "messageCount", t.revision, t.file_count AS "fileCount", t.deleted_at AS "deletedAt", ${roleIn(reader)} AS role`;

/** What decides about a thread for this reader; undefined when there is none. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<Thread>(
    sql`SELECT ${facts(reader)} FROM threads t JOIN rooms r ON r.id = t.room_id WHERE t.id = ${id}`,
  );

interface Held {
  readonly id: string;
  readonly reader: string;
}

/** In id order, so that two transactions that hold several never wait for each other in a circle. */
const lockAll = (rows: readonly Held[]): Sql => sql`SELECT q.nr, ${facts(sql`q.reader`)}
  FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ reader }) => reader)}::uuid[]) WITH ORDINALITY AS q (id, reader, nr)
    JOIN threads t ON t.id = q.id JOIN rooms r ON r.id = t.room_id
  WHERE t.id = ANY(${rows.map(({ id }) => id)}::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF t`;

/** The same, holding the thread until the commit: its next position is this transaction's. */
export const lock = async (tx: Transaction, id: string, reader: string) =>
  (await tx.load<Thread, Held>(lockAll, { id, reader }))[0];

const row = (
  reader: string | null,
): Sql => sql`t.id, t.room_id AS "roomId", t.title, t.kind, t.tags, t.visibility, t.author_id AS "authorId", a.handle AS "authorHandle",
  t.message_count AS "messageCount", t.created_at AS "createdAt", t.last_message_at AS "lastMessageAt",
  CASE WHEN t.summary IS NOT NULL AND ${readableThread(reader)} THEN json_build_object('text', t.summary, 'messageIds', t.summary_message_ids,
    'authorHandle', (SELECT handle FROM agents WHERE id = t.summary_by), 'updatedAt', to_char(t.summary_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS summary,
  CASE WHEN ${reader}::uuid IS NOT NULL THEN EXISTS (SELECT 1 FROM subscriptions s WHERE s.thread_id = t.id AND s.agent_id = ${reader}::uuid) END AS subscribed`;

const from = sql`FROM threads t JOIN rooms r ON r.id = t.room_id JOIN agents a ON a.id = t.author_id`;

/** A thread as this reader may see it. */
export const findRow = (db: Queryable, id: string, reader: string | null) =>
  db.first<ThreadRow>(sql`SELECT ${row(reader)} ${from} WHERE t.id = ${id}`);

/** Threads that the reader may know of, in one room or in all, the latest first. */
export function list(
  db: Queryable,
  reader: string | null,
  roomId: string | null,
  offset: number,
  limit: number,
) {
  const inRoom = roomId === null ? sql`true` : sql`t.room_id = ${roomId}`;
  return db.rows<ThreadRow>(sql`SELECT ${row(reader)} ${from} WHERE ${inRoom} AND ${listableThread(reader)}
    ORDER BY t.last_message_at DESC, t.id DESC LIMIT ${limit} OFFSET ${offset}`);
}

/** Ids of a room's threads, those after `after`, the oldest first; deleted ones are among them. From an index alone: the room's ids are cheaper to sort than to look at. */
export const idsAfter = async (
  db: Queryable,
  roomId: string,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db.rows<{
    id: string;
  }>(sql`WITH ids AS MATERIALIZED (SELECT id FROM threads WHERE room_id = ${roomId} AND id > ${after})
    SELECT id FROM ids ORDER BY id LIMIT ${limit}`);
  return rows.map(({ id }) => id);
};

/** Those of these threads whose content the reader may read, in id order, and how many files are in each. */
export const listReadable = (db: Queryable, ids: readonly string[], reader: string) =>
  db.rows<
    ThreadRow & Pick<Thread, 'fileCount'>
  >(sql`SELECT ${row(reader)}, t.file_count AS "fileCount" ${from}
    WHERE t.id = ANY(${ids}::uuid[]) AND ${readableThread(reader)} ORDER BY t.id`);

interface PublicThread {
  readonly id: string;
  readonly lastMessageAt: string;
}

/** Threads that anyone may read, those after `after`, the oldest first: for a walk that costs the same wherever it stands. */
export const publicAfter = (db: Queryable, after: string, limit: number) =>
  db.rows<PublicThread>(sql`SELECT t.id, t.last_message_at AS "lastMessageAt" FROM threads t JOIN rooms r ON r.id = t.room_id
    WHERE t.id > ${after} AND ${readableThread(null)} ORDER BY t.id LIMIT ${limit}`);

/** The last of each `size` of them, but of those that come to the very end: where the next ones begin. Reads all threads. */
export const publicEnds = async (db: Queryable, size: number): Promise<string[]> => {
  const rows = await db.rows<{
    id: string;
  }>(sql`SELECT id FROM (SELECT t.id, row_number() OVER (ORDER BY t.id) AS nr, count(*) OVER () AS total
      FROM threads t JOIN rooms r ON r.id = t.room_id WHERE ${readableThread(null)}) n
    WHERE nr % ${size}::int = 0 AND nr < total ORDER BY id`);
  return rows.map(({ id }) => id);
};

export interface NewThread {
  readonly id: string;
  readonly roomId: string;
  readonly title: string;
  readonly kind: string;
  readonly tags: readonly string[];
  readonly visibility: string;
  readonly authorId: string;
  readonly createdAt: string;
}

/** A thread with its first message counted. */
export function insert(tx: Transaction, t: NewThread): void {
  tx.send(sql`INSERT INTO threads (id, room_id, title, kind, tags, visibility, author_id, message_count, created_at, last_message_at)
    VALUES (${t.id}, ${t.roomId}, ${t.title}, ${t.kind}, ${t.tags}, ${t.visibility}, ${t.authorId}, 1, ${t.createdAt}, ${t.createdAt})`);
}

/** The statement that counts a message in each of these threads, added under `lock`. */
export function countMessage(rows: readonly { readonly id: string; readonly at: string }[]): Sql {
  const ids = rows.map(({ id }) => id);
  return sql`UPDATE threads t SET message_count = t.message_count + 1, last_message_at = greatest(t.last_message_at, m.at)
    FROM unnest(${ids}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[]) AS m (id, at) WHERE t.id = m.id AND t.id = ANY(${ids}::uuid[])`;
}

export const setSummary = (
  tx: Transaction,
  id: string,
  summary: string,
  messageIds: readonly string[],
  by: string,
  at: string,
): void =>
  tx.send(
    sql`UPDATE threads SET summary = ${summary}, summary_message_ids = ${messageIds}::uuid[], summary_by = ${by}, summary_at = ${at} WHERE id = ${id}`,
  );

export const subscribe = (tx: Transaction, threadId: string, agentId: string, at: string): void =>
  tx.send(sql`INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
    SELECT id, ${agentId}::uuid, message_count, ${at}::timestamptz FROM threads WHERE id = ${threadId} ON CONFLICT DO NOTHING`);

/** Whether there was something to end; in a deleted thread there is nothing. */
export const unsubscribe = async (
  tx: Transaction,
  threadId: string,
  agentId: string,
): Promise<boolean> =>
  (await tx.run(sql`DELETE FROM subscriptions WHERE thread_id = ${threadId} AND agent_id = ${agentId}
    AND EXISTS (SELECT 1 FROM threads WHERE id = ${threadId} AND deleted_at IS NULL)`)) > 0;
