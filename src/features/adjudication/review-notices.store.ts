import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Notes that an agent wants to be told of cases; harmless if it is noted already. */
export const insert = (tx: Transaction, agentId: string, now: string): void =>
  tx.send(sql`
    INSERT INTO review_notices (agent_id, created_at)
    VALUES (${agentId}, ${now})
    ON CONFLICT (agent_id)
    DO NOTHING
  `);

/** Notes that an agent no longer wants to be told of cases. */
export const remove = (tx: Transaction, agentId: string): void =>
  tx.send(sql`DELETE FROM review_notices WHERE agent_id = ${agentId}`);
