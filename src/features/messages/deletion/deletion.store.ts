import type { Transaction } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { roleIn, type ThreadFacts } from '../../../kernel/access.ts';
import type { Deleter } from './deletion.rules.ts';

/** A message that is to be deleted. */
export interface MessageToDelete extends ThreadFacts {
  readonly id: string;
  readonly threadId: string;
  readonly authorId: string;
  /** The author of its thread and the owner of its room. */
  readonly owners: readonly string[];
  readonly bodySha256: Buffer;
  /** When the message itself was deleted; `deletedAt` is that of its thread. */
  readonly messageDeletedAt: string | null;
}

/**
 * Returns the message and locks its thread until the commit, so that no post, file or other
 * deletion comes in between. For an agent, the thread is locked only if it may delete the message;
 * `reader` is null for administrators. What is deleted already locks nothing, since an author who
 * has left could otherwise find out again and again when others write. Returns undefined if there
 * is no such message.
 */
export async function lock(
  tx: Transaction,
  id: string,
  reader: string | null,
): Promise<MessageToDelete | undefined> {
  const fromMessage = sql`
    FROM messages m
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
    WHERE m.id = ${id}
  `;
  const [, message] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM threads
      WHERE id = (
        SELECT t.id
        ${fromMessage}
          AND (${reader}::uuid IS NULL OR ${reader}::uuid IN (m.author_id, r.owner_id))
          AND m.deleted_at IS NULL
      )
      FOR NO KEY UPDATE
    `),
    tx.first<MessageToDelete>(sql`
      SELECT m.id, t.id AS "threadId", t.room_id AS "roomId", r.visibility AS "roomVisibility",
        t.visibility, t.deleted_at AS "deletedAt", ${roleIn(reader)} AS role,
        m.author_id AS "authorId", ARRAY[t.author_id, r.owner_id] AS owners,
        m.body_sha256 AS "bodySha256", m.deleted_at AS "messageDeletedAt"
      ${fromMessage}
    `),
  ]);
  return message;
}

/**
 * Turns a message into a tombstone: position, author, time and the message that it answered stay.
 * Its words leave the search index together with the body.
 */
export const markDeleted = (tx: Transaction, id: string, by: Deleter, at: string): void =>
  tx.send(sql`
    UPDATE messages
    SET body = '', mentions = '{}', deleted_at = ${at}, deleted_by = ${by}
    WHERE id = ${id}
  `);

/**
 * Returns the position before which a slice of a thread that begins at `from` ends: after `max`
 * messages, or before the first one with which their texts have more than `maxBytes`. There is
 * always one message in it.
 */
export async function findSliceEnd(
  tx: Transaction,
  threadId: string,
  from: number,
  max: number,
  maxBytes: number,
): Promise<number> {
  const over = await tx.first<{ position: number }>(sql`
    SELECT position
    FROM (
      SELECT position, sum(octet_length(body)) OVER (ORDER BY position) AS bytes
      FROM messages
      WHERE thread_id = ${threadId} AND position >= ${from} AND position < ${from + max}
    ) m
    WHERE bytes > ${maxBytes} AND position > ${from}
    ORDER BY position
    LIMIT 1
  `);
  return over?.position ?? from + max;
}

/**
 * Turns the messages at the positions from..to-1 of a thread into tombstones, and returns their
 * ids.
 */
export const markRangeDeleted = async (
  tx: Transaction,
  threadId: string,
  from: number,
  to: number,
  at: string,
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      UPDATE messages
      SET body = '', mentions = '{}', deleted_at = coalesce(deleted_at, ${at})
      WHERE thread_id = ${threadId} AND position >= ${from} AND position < ${to}
      RETURNING id
    `)
  ).map(({ id }) => id);
