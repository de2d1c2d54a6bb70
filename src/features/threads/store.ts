import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import {
  knownThread,
  roleIn,
  type ThreadFacts,
  type WriteFacts,
  writeFacts,
} from '../../kernel/access.ts';

/** A thread with what decides about it for one reader. */
export interface Thread extends ThreadFacts, WriteFacts {
  readonly id: string;
  readonly authorId: string;
  /** The owner of its room. */
  readonly ownerId: string;
  readonly messageCount: number;
  readonly revision: number;
  readonly fileCount: number;
  readonly tags: readonly string[];
}

const accessColumns = (reader: Sql | string | null): Sql => sql`
  t.id, t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility,
  t.author_id AS "authorId", r.owner_id AS "ownerId", t.message_count AS "messageCount", t.revision,
  t.file_count AS "fileCount", t.tags, t.deleted_at AS "deletedAt", ${roleIn(reader)} AS role,
  ${writeFacts(reader)}
`;

/** A thread to find, and who reads it. */
export interface ThreadQuery {
  readonly id: string;
  readonly reader: string | null;
}

/** Returns the table of such queries as alias `q`: their ids, readers, and `nr` from 1. */
export const threadQueries = (rows: readonly ThreadQuery[]): Sql => sql`
  ${unnestRows(rows, [
    ['uuid', ({ id }) => id],
    ['uuid', ({ reader }) => reader],
  ])} WITH ORDINALITY AS q (id, reader, nr)
`;

/** Selects threads by their ids, each by one index probe. */
const findThreads = (rows: readonly ThreadQuery[]): Sql => sql`
  SELECT q.nr, t.*
  FROM ${threadQueries(rows)}
  CROSS JOIN LATERAL (
    SELECT ${accessColumns(sql`q.reader`)}
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE t.id = q.id
    LIMIT 1
  ) t
`;

/**
 * Returns a thread with what decides about it for this reader. Every page of messages begins with
 * it, so pages that are requested at the same time share the statement.
 */
export const find = async (db: Queryable, id: string, reader: string | null) =>
  (await db.load<Thread, ThreadQuery>(findThreads, { id, reader }))[0];

/**
 * Returns the thread of a message with what decides about it for this reader, and the position of
 * the message in it.
 */
export const findOfMessage = (db: Queryable, messageId: string, reader: string | null) =>
  db.first<Thread & { readonly position: number }>(sql`
    SELECT ${accessColumns(reader)}, m.position
    FROM messages m
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
    WHERE m.id = ${messageId}
  `);

/** A thread that is locked for one reader. */
interface LockedThread extends Thread {
  /** Whether the reader follows the thread, or ended that: posting changes neither. */
  readonly hasSubscription: boolean;
}

interface LockRequest {
  readonly id: string;
  readonly reader: string;
}

/** Locks in id order, so that two transactions that lock several threads cannot deadlock. */
const lockedThreads = (rows: readonly LockRequest[]): Sql => sql`
  SELECT q.nr, ${accessColumns(sql`q.reader`)},
    EXISTS (
      SELECT 1
      FROM subscriptions s
      WHERE s.thread_id = t.id AND s.agent_id = q.reader
    ) AS "hasSubscription"
  FROM ${threadQueries(rows)}
  JOIN threads t ON t.id = q.id
  JOIN rooms r ON r.id = t.room_id
  WHERE t.id = ANY(${rows.map(({ id }) => id)}::uuid[]) AND ${knownThread(sql`q.reader`)}
  ORDER BY t.id
  FOR NO KEY UPDATE OF t
`;

/**
 * Returns a thread like `find` and locks it until the commit, so that its next position belongs to
 * this transaction. A thread that the reader may not know of is neither found nor locked.
 */
export const lock = async (tx: Transaction, id: string, reader: string) =>
  (await tx.load<LockedThread, LockRequest>(lockedThreads, { id, reader }))[0];

/** A thread to insert. */
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

/**
 * Inserts a thread. Its message count already includes the first message. A trigger locks its room,
 * so whatever takes long comes before.
 */
export function insert(tx: Transaction, t: NewThread): void {
  tx.send(sql`
    INSERT INTO threads (
      id, room_id, title, kind, tags, visibility, author_id, message_count, created_at,
      last_message_at
    )
    VALUES (
      ${t.id}, ${t.roomId}, ${t.title}, ${t.kind}, ${t.tags}, ${t.visibility}, ${t.authorId}, 1,
      ${t.createdAt}, ${t.createdAt}
    )
  `);
}

/** A message that its thread is to count. */
interface CountedMessage {
  readonly id: string;
  readonly authorId: string;
  readonly at: string;
}

/**
 * Returns the statement that counts one more message of its thread for each row. The transaction
 * has locked the threads with `lock`.
 */
export function incrementMessageCounts(rows: readonly CountedMessage[]): Sql {
  const byThread = [...new Set(rows.map(({ id }) => id))].map((threadId) => {
    const messages = rows.filter(({ id }) => id === threadId);
    return {
      id: threadId,
      count: messages.length,
      at: messages.reduce((latest, { at }) => (at > latest ? at : latest), ''),
      authorId: messages[0]?.authorId,
      // One of several authors is not that of the thread.
      hasSeveral: messages.some(({ authorId }) => authorId !== messages[0]?.authorId),
    };
  });
  return sql`
    UPDATE threads t
    SET message_count = t.message_count + m.count,
      last_message_at = greatest(t.last_message_at, m.at),
      answered = t.answered OR m.has_several OR m.author_id <> t.author_id
    FROM ${unnestRows(byThread, [
      ['uuid', ({ id }) => id],
      ['int', ({ count }) => count],
      ['timestamptz', ({ at }) => at],
      ['uuid', ({ authorId }) => authorId],
      ['boolean', ({ hasSeveral }) => hasSeveral],
    ])} AS m (id, count, at, author_id, has_several)
    WHERE t.id = m.id AND t.id = ANY(${byThread.map(({ id }) => id)}::uuid[])
  `;
}

/** Replaces the summary of a thread. Kept pages know by the revision that they show another one. */
export const updateSummary = (
  tx: Transaction,
  id: string,
  summary: string,
  messageIds: readonly string[],
  by: string,
  at: string,
): void =>
  tx.send(sql`
    UPDATE threads
    SET summary = ${summary}, summary_message_ids = ${messageIds}::uuid[], summary_by = ${by},
      summary_at = ${at}, revision = revision + 1
    WHERE id = ${id}
  `);
