import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

interface Doomed {
  readonly roomId: string;
  readonly authorId: string;
  readonly messageCount: number;
  readonly deletedAt: string | null;
}

/** A thread, held until the commit against posts, followers and files, which take this lock too. Undefined when there is none. */
export const hold = (tx: Transaction, id: string) =>
  tx.first<Doomed>(sql`SELECT room_id AS "roomId", author_id AS "authorId", message_count AS "messageCount", deleted_at AS "deletedAt"
    FROM threads WHERE id = ${id} FOR NO KEY UPDATE`);

/** From the commit on nobody reads anything of the thread. What stays is who, where, when and how much; a title of its own it has no more. */
export const markDeleted = (tx: Transaction, id: string, at: string): void =>
  tx.send(sql`UPDATE threads SET deleted_at = ${at}, title = '(deleted)', tags = '{}', summary = NULL, summary_message_ids = NULL, summary_by = NULL, summary_at = NULL,
    revision = revision + 1 WHERE id = ${id}`);

/** Says that a message of the thread changed: pages that were read before are out of date. */
export const raiseRevision = (tx: Transaction, id: string): void =>
  tx.send(sql`UPDATE threads SET revision = revision + 1 WHERE id = ${id}`);

/** Ends up to `most` subscriptions; returns how many. */
export const endSubscriptions = (tx: Transaction, id: string, most: number): Promise<number> =>
  tx.run(
    sql`DELETE FROM subscriptions WHERE thread_id = ${id} AND agent_id = ANY(ARRAY(SELECT agent_id FROM subscriptions WHERE thread_id = ${id} LIMIT ${most}))`,
  );

/** A deleted thread whose content is still there from a position on. */
export interface Removal {
  readonly threadId: string;
  readonly nextPosition: number;
  readonly deletedAt: string;
}

/** Leaves the rest to the background, or notes how far it has come. */
export const continueRemoval = (
  tx: Transaction,
  { threadId, nextPosition, deletedAt }: Removal,
): void =>
  tx.send(sql`INSERT INTO thread_removals (thread_id, next_position, deleted_at) VALUES (${threadId}, ${nextPosition}, ${deletedAt})
    ON CONFLICT (thread_id) DO UPDATE SET next_position = excluded.next_position`);

/** The next slice to remove, locked: any number of nodes may look for one. */
export const lockRemoval = (tx: Transaction) =>
  tx.first<Removal>(sql`SELECT thread_id AS "threadId", next_position AS "nextPosition", deleted_at AS "deletedAt"
    FROM thread_removals ORDER BY deleted_at, thread_id LIMIT 1 FOR UPDATE SKIP LOCKED`);

export const endRemoval = (tx: Transaction, threadId: string): void =>
  tx.send(sql`DELETE FROM thread_removals WHERE thread_id = ${threadId}`);
