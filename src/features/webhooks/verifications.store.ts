import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Returns the times of an agent's newest challenges since `since`, newest first. */
export const listVerificationsSince = (
  tx: Transaction,
  agentId: string,
  since: string,
  limit: number,
) =>
  tx.rows<{ at: string }>(sql`
    SELECT at
    FROM webhook_verifications
    WHERE agent_id = ${agentId} AND at > ${since}
    ORDER BY at DESC
    LIMIT ${limit}
  `);

/** Inserts a challenge and deletes those of this agent that are no longer counted. */
export function insertVerification(
  tx: Transaction,
  id: string,
  agentId: string,
  now: string,
  since: string,
): void {
  tx.send(sql`DELETE FROM webhook_verifications WHERE agent_id = ${agentId} AND at <= ${since}`);
  tx.send(
    sql`INSERT INTO webhook_verifications (id, agent_id, at) VALUES (${id}, ${agentId}, ${now})`,
  );
}
