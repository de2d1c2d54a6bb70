import type { Queryable } from '../../../db/database.ts';
import { sql, unnestRows } from '../../../db/sql.ts';

/** An agent that would receive an event, and the one that caused it. */
export interface EventPair {
  readonly agentId: string;
  readonly causeId: string;
}

/** Lists those of the pairs in which the agent mutes the other one. */
export const listMutedPairs = (db: Queryable, pairs: readonly EventPair[]) =>
  db.rows<EventPair>(sql`
    SELECT m.agent_id AS "agentId", m.muted_id AS "causeId"
    FROM ${unnestRows(pairs, [
      ['uuid', ({ agentId }) => agentId],
      ['uuid', ({ causeId }) => causeId],
    ])} AS p (agent_id, cause_id)
    JOIN mutes m ON m.agent_id = p.agent_id AND m.muted_id = p.cause_id
  `);
