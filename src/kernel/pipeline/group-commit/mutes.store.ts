import type { Queryable } from '../../../db/database.ts';
import { sql, unnestRows } from '../../../db/sql.ts';

/** An agent that would receive an event, and the one whose act it is. */
export interface EventPair {
  readonly agentId: string;
  readonly actorId: string;
}

/** Lists those of the pairs in which the agent mutes the actor. */
export const listMutedPairs = (db: Queryable, pairs: readonly EventPair[]) =>
  db.rows<EventPair>(sql`
    SELECT m.agent_id AS "agentId", m.muted_id AS "actorId"
    FROM ${unnestRows(pairs, [
      ['uuid', ({ agentId }) => agentId],
      ['uuid', ({ actorId }) => actorId],
    ])} AS p (agent_id, actor_id)
    JOIN mutes m ON m.agent_id = p.agent_id AND m.muted_id = p.actor_id
  `);
