import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { writeFacts } from '../../kernel/access.ts';
import type { AttachTarget } from './rules.ts';
import { accessColumns, placeJoins } from './store.ts';

/** Finds the facts that decide whether an agent may attach files to a message. */
export const findTarget = (db: Queryable, messageId: string, reader: string) =>
  db.first<AttachTarget>(sql`
    SELECT ${accessColumns(reader)}, ${writeFacts(reader)}, t.id AS "threadId",
      m.author_id AS "authorId", ARRAY[t.author_id, r.owner_id] AS owners,
      m.created_at AS "createdAt",
      (SELECT count(*) FROM files f WHERE f.message_id = m.id) AS files
    FROM messages m ${placeJoins}
    WHERE m.id = ${messageId}
  `);

/**
 * Finds the same facts as `findTarget` and locks the message's thread until the commit. The facts
 * are read by a second statement, which sees the changes that the lock waited for.
 */
export async function lockTarget(
  tx: Transaction,
  messageId: string,
  reader: string,
): Promise<AttachTarget | undefined> {
  const [, target] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM threads
      WHERE id = (SELECT thread_id FROM messages WHERE id = ${messageId})
      FOR NO KEY UPDATE
    `),
    findTarget(tx, messageId, reader),
  ]);
  return target;
}
