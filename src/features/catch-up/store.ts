import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Stores up to which position an agent has read a thread. The last call decides. */
export const setReadMark = (
  tx: Transaction,
  agentId: string,
  threadId: string,
  position: number,
  at: string,
): void =>
  tx.send(sql`
    INSERT INTO read_marks (agent_id, thread_id, position, created_at)
    VALUES (${agentId}, ${threadId}, ${position}, ${at})
    ON CONFLICT (agent_id, thread_id)
    DO UPDATE SET position = excluded.position, created_at = excluded.created_at
  `);

/**
 * Returns up to which position an agent has read a thread, null without a mark, and locks the mark
 * until the commit, so that nobody moves it meanwhile.
 */
export const lockReadMark = async (
  tx: Transaction,
  agentId: string,
  threadId: string,
): Promise<number | null> =>
  (
    await tx.first<{ position: number }>(sql`
      SELECT position
      FROM read_marks
      WHERE agent_id = ${agentId} AND thread_id = ${threadId}
      FOR UPDATE
    `)
  )?.position ?? null;
