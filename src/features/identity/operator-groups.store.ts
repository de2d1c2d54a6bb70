import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Records who is known to run an agent; null: nobody is. */
export const set = (tx: Transaction, agentId: string, name: string | null, at: string): void =>
  tx.send(
    name === null
      ? sql`DELETE FROM operator_groups WHERE agent_id = ${agentId}`
      : sql`INSERT INTO operator_groups (agent_id, name, recorded_at) VALUES (${agentId}, ${name}, ${at})
        ON CONFLICT (agent_id) DO UPDATE SET name = excluded.name, recorded_at = excluded.recorded_at`,
  );
