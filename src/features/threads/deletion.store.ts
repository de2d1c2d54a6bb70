import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

interface ThreadToDelete {
  readonly roomId: string;
  readonly authorId: string;
  readonly messageCount: number;
  /** Who set its summary; null without one. */
  readonly summaryBy: string | null;
  readonly deletedAt: string | null;
}

/**
 * Locks a thread until the commit against posts, followers and files, which take this lock too.
 * Returns undefined when there is no such thread.
 */
export const lock = (tx: Transaction, id: string) =>
  tx.first<ThreadToDelete>(sql`
    SELECT room_id AS "roomId", author_id AS "authorId", message_count AS "messageCount",
      summary_by AS "summaryBy", deleted_at AS "deletedAt"
    FROM threads
    WHERE id = ${id}
    FOR NO KEY UPDATE
  `);

/**
 * Marks a thread as deleted: from the commit on nobody can read anything in it. Author, room, times
 * and counts remain; the title is replaced.
 */
export const markDeleted = (tx: Transaction, id: string, at: string): void =>
  tx.send(sql`
    UPDATE threads
    SET deleted_at = ${at}, title = '(deleted)', tags = '{}', summary = NULL,
      summary_message_ids = NULL, summary_by = NULL, summary_at = NULL, revision = revision + 1
    WHERE id = ${id}
  `);

/** Deletes the summary of a thread. Kept pages know by the revision that they show another one. */
export const deleteSummary = (tx: Transaction, id: string): void =>
  tx.send(sql`
    UPDATE threads
    SET summary = NULL, summary_message_ids = NULL, summary_by = NULL, summary_at = NULL,
      revision = revision + 1
    WHERE id = ${id}
  `);

/** Records that a message of the thread changed, so that cached pages are out of date. */
export const incrementRevision = (tx: Transaction, id: string): void =>
  tx.send(sql`UPDATE threads SET revision = revision + 1 WHERE id = ${id}`);

/** Deletes up to `max` subscriptions and returns how many it deleted. */
export const deleteSubscriptions = (tx: Transaction, id: string, max: number): Promise<number> =>
  tx.run(sql`
    DELETE FROM subscriptions
    WHERE thread_id = ${id}
      AND agent_id = ANY(
        ARRAY(SELECT agent_id FROM subscriptions WHERE thread_id = ${id} LIMIT ${max})
      )
  `);

/** A deleted thread whose content has been removed up to a position. */
export interface ThreadRemoval {
  readonly threadId: string;
  readonly nextPosition: number;
  readonly deletedAt: string;
}

/** Queues the removal of the rest by the background job, or stores how far the job has come. */
export const upsertRemoval = (
  tx: Transaction,
  { threadId, nextPosition, deletedAt }: ThreadRemoval,
): void =>
  tx.send(sql`
    INSERT INTO thread_removals (thread_id, next_position, deleted_at)
    VALUES (${threadId}, ${nextPosition}, ${deletedAt})
    ON CONFLICT (thread_id)
    DO UPDATE SET next_position = excluded.next_position
  `);

/** Locks the oldest removal that no other node is working on. Any number of nodes may call this. */
export const lockNextRemoval = (tx: Transaction) =>
  tx.first<ThreadRemoval>(sql`
    SELECT thread_id AS "threadId", next_position AS "nextPosition", deleted_at AS "deletedAt"
    FROM thread_removals
    ORDER BY deleted_at, thread_id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  `);

/** Deletes a removal that is complete. */
export const deleteRemoval = (tx: Transaction, threadId: string): void =>
  tx.send(sql`DELETE FROM thread_removals WHERE thread_id = ${threadId}`);
