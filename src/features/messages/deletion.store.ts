import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ThreadFacts } from '../../kernel/access.ts';

/** A message that an administrator deletes. */
interface Doomed extends ThreadFacts {
  readonly threadId: string;
  readonly authorId: string;
  /** Whose thread and whose room it is in. */
  readonly owners: readonly string[];
  readonly bodySha256: Buffer;
  /** When the message itself was deleted; `deletedAt` is its thread's. */
  readonly messageDeletedAt: string | null;
}

/** The message, its thread held until the commit: no post, file or other deletion comes in between. Undefined when there is none. */
export async function hold(tx: Transaction, id: string): Promise<Doomed | undefined> {
  const [, message] = await Promise.all([
    tx.run(
      sql`SELECT 1 FROM threads WHERE id = (SELECT thread_id FROM messages WHERE id = ${id}) FOR NO KEY UPDATE`,
    ),
    tx.first<Doomed>(sql`SELECT t.id AS "threadId", t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility, t.deleted_at AS "deletedAt", NULL AS role,
        m.author_id AS "authorId", ARRAY[t.author_id, r.owner_id] AS owners, m.body_sha256 AS "bodySha256", m.deleted_at AS "messageDeletedAt"
      FROM messages m JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id WHERE m.id = ${id}`),
  ]);
  return message;
}

/** Leaves a tombstone: place, author, time and what it answered stay. The search index forgets its words with the body. */
export const empty = (tx: Transaction, id: string, at: string): void =>
  tx.send(sql`UPDATE messages SET body = '', mentions = '{}', deleted_at = ${at} WHERE id = ${id}`);

/** The same for the positions from..to-1 of a thread; returns the ids of what stands there. */
export const emptyRange = async (
  tx: Transaction,
  threadId: string,
  from: number,
  to: number,
  at: string,
): Promise<string[]> =>
  (
    await tx.rows<{
      id: string;
    }>(sql`UPDATE messages SET body = '', mentions = '{}', deleted_at = coalesce(deleted_at, ${at})
      WHERE thread_id = ${threadId} AND position >= ${from} AND position < ${to} RETURNING id`)
  ).map(({ id }) => id);
