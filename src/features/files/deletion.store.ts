import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/**
 * Builds the statement that deletes the files for which a condition on the alias `f` holds. Their
 * ids stay in `deleted_files`, so that reads answer `gone`. Their blobs are marked as touched, so
 * that the garbage collector checks whether another file still refers to the bytes.
 */
const buildDeletion = (condition: Sql, at: string): Sql => sql`
  WITH gone AS (DELETE FROM files f WHERE ${condition} RETURNING f.id, f.message_id, f.sha256),
    left_behind AS (INSERT INTO deleted_files (id, message_id) SELECT id, message_id FROM gone),
    counted AS (
      UPDATE threads t
      SET file_count = t.file_count - c.count, revision = t.revision + 1
      FROM (
        SELECT m.thread_id, count(*)::int AS count
        FROM gone
        JOIN messages m ON m.id = gone.message_id
        GROUP BY m.thread_id
      ) c
      WHERE t.id = c.thread_id
    )
  UPDATE blobs
  SET touched_at = ${at}
  WHERE sha256 IN (SELECT sha256 FROM gone)
`;

/** Deletes the files of a message. The caller holds the lock of its thread. */
export const deleteByMessage = (tx: Transaction, messageId: string, at: string): void =>
  tx.send(buildDeletion(sql`f.message_id = ${messageId}`, at));

/**
 * Deletes the files of several messages of one thread. The caller holds the thread's lock, or the
 * thread is deleted.
 */
export const deleteByMessages = (
  tx: Transaction,
  messageIds: readonly string[],
  at: string,
): void => tx.send(buildDeletion(sql`f.message_id = ANY(${messageIds}::uuid[])`, at));
