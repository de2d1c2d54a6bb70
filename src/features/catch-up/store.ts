import type { Queryable, Transaction } from '../../db/database.ts';
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

/** Returns up to which position an agent has read each of these threads that it has marked. */
export const listReadMarks = async (
  db: Queryable,
  agentId: string,
  threadIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.rows<{ id: string; position: number }>(sql`
    SELECT thread_id AS id, position
    FROM read_marks
    WHERE agent_id = ${agentId} AND thread_id = ANY(${threadIds}::uuid[])
  `);
  return new Map(rows.map(({ id, position }) => [id, position]));
};
