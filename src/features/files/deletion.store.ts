import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ThreadFacts } from '../../kernel/access.ts';
import { accessColumns, placeJoins } from './store.ts';

/** A file that is to be deleted. */
export interface FileToDelete extends ThreadFacts {
  readonly id: string;
  readonly messageId: string;
  readonly threadId: string;
  readonly authorId: string;
  /** The author of its thread and the owner of its room. */
  readonly owners: readonly string[];
  /** Null if the file is deleted already. */
  readonly sha256: Buffer | null;
}

/**
 * Returns the file and locks its thread until the commit, so that no other deletion comes in
 * between. For an agent, the thread is locked only if it may delete the file; `reader` is null for
 * administrators. What is deleted already locks nothing, since an author who has left could
 * otherwise find out again and again when others write. Returns undefined if there is no such file.
 */
export async function lock(
  tx: Transaction,
  id: string,
  reader: string | null,
): Promise<FileToDelete | undefined> {
  const fromFile = sql`
    FROM (
      SELECT message_id, sha256
      FROM files
      WHERE id = ${id}
      UNION ALL
      SELECT message_id, NULL
      FROM deleted_files
      WHERE id = ${id}
    ) f
    JOIN messages m ON m.id = f.message_id ${placeJoins}
  `;
  const [, file] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM threads
      WHERE id = (
        SELECT t.id
        ${fromFile}
        WHERE f.sha256 IS NOT NULL
          AND (${reader}::uuid IS NULL OR ${reader}::uuid IN (m.author_id, r.owner_id))
      )
      FOR NO KEY UPDATE
    `),
    tx.first<FileToDelete>(sql`
      SELECT ${accessColumns(reader)}, ${id}::uuid AS id, m.id AS "messageId", t.id AS "threadId",
        m.author_id AS "authorId", ARRAY[t.author_id, r.owner_id] AS owners, f.sha256
      ${fromFile}
    `),
  ]);
  return file;
}

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

/** Deletes one file. The caller holds the lock of `lock`. */
export const deleteOne = (tx: Transaction, id: string, at: string): void =>
  tx.send(buildDeletion(sql`f.id = ${id}`, at));

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
