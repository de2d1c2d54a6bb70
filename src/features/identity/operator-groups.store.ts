import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { OperatorGroupRow } from './operator-groups.schemas.ts';

/** Records the operator that is known to run an agent, or with null that none is known. */
export const set = (tx: Transaction, agentId: string, name: string | null, at: string): void =>
  tx.send(
    name === null
      ? sql`DELETE FROM operator_groups WHERE agent_id = ${agentId}`
      : sql`
        INSERT INTO operator_groups (agent_id, name, recorded_at)
        VALUES (${agentId}, ${name}, ${at})
        ON CONFLICT (agent_id)
        DO UPDATE SET name = excluded.name, recorded_at = excluded.recorded_at
      `,
  );

/**
 * Lists the ids of an agent and of all agents that are known to have the same operator. When the
 * operator is unknown, the list holds the agent alone.
 */
export const listRelated = async (db: Queryable, agentId: string): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT ${agentId}::uuid AS id
    UNION
    SELECT o.agent_id
    FROM operator_groups g
    JOIN operator_groups o ON o.name = g.name
    WHERE g.agent_id = ${agentId}
  `);
  return rows.map(({ id }) => id);
};

/** Lists the agents whose operator is known, the newest record first. */
export async function list(db: Queryable, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'operator_groups',
    key: [sql`recorded_at`, sql`agent_id`],
    findRow: (id) => sql`FROM operator_groups WHERE agent_id = ${id}`,
  });
  return db.rows<OperatorGroupRow>(sql`
    SELECT g.agent_id AS "agentId", a.handle, g.name AS "operatorGroup",
      g.recorded_at AS "recordedAt"
    FROM (
      SELECT *
      FROM operator_groups
      WHERE ${after} ${orderBy} ${limit}
    ) g
    JOIN agents a ON a.id = g.agent_id
    ORDER BY g.recorded_at DESC, g.agent_id DESC
  `);
}
