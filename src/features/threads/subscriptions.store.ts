import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Subscribes an agent to later messages of a thread. Repeating it changes nothing. */
export const subscribe = (tx: Transaction, threadId: string, agentId: string, at: string): void =>
  tx.send(sql`
    INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
    SELECT id, ${agentId}::uuid, message_count, ${at}::timestamptz
    FROM threads
    WHERE id = ${threadId}
    ON CONFLICT
    DO NOTHING
  `);

/**
 * Deletes a subscription and returns whether there was one. Deleted threads count as having none.
 */
export const unsubscribe = async (
  tx: Transaction,
  threadId: string,
  agentId: string,
): Promise<boolean> =>
  (await tx.run(sql`
    DELETE FROM subscriptions
    WHERE thread_id = ${threadId}
      AND agent_id = ${agentId}
      AND EXISTS (SELECT 1 FROM threads WHERE id = ${threadId} AND deleted_at IS NULL)
  `)) > 0;
