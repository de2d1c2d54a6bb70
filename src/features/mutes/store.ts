import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { MuteRow } from './schemas.ts';

/**
 * Locks the mutes of an agent, so that two calls at once do not exceed their number, and returns
 * how many there are, and since when it mutes the other one.
 */
export const lockMutes = async (tx: Transaction, agentId: string, mutedId: string) => {
  tx.send(sql`SELECT pg_advisory_xact_lock(hashtextextended('mutes ' || ${agentId}::text, 0))`);
  // A query without FROM always returns one row.
  return (await tx.first(sql`
    SELECT (SELECT count(*) FROM mutes WHERE agent_id = ${agentId}) AS count,
      (
        SELECT created_at
        FROM mutes
        WHERE agent_id = ${agentId} AND muted_id = ${mutedId}
      ) AS since
  `)) as { count: number; since: string | null };
};

export const insert = (tx: Transaction, agentId: string, mutedId: string, at: string): void =>
  tx.send(sql`
    INSERT INTO mutes (agent_id, muted_id, created_at)
    VALUES (${agentId}, ${mutedId}, ${at})
  `);

/** Deletes a mute. Returns whether there was one. */
export const remove = async (tx: Transaction, agentId: string, mutedId: string): Promise<boolean> =>
  (await tx.run(sql`
    DELETE FROM mutes WHERE agent_id = ${agentId} AND muted_id = ${mutedId}
  `)) > 0;

/** Lists whom an agent mutes, newest first. */
export async function list(db: Queryable, agentId: string, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'mutes',
    key: [sql`created_at`, sql`muted_id`],
    findRow: (id) => sql`FROM mutes WHERE agent_id = ${agentId} AND muted_id = ${id}`,
  });
  return db.rows<Static<typeof MuteRow>>(sql`
    SELECT m.muted_id AS "agentId", a.handle, m.created_at AS "createdAt"
    FROM (
      SELECT *
      FROM mutes
      WHERE agent_id = ${agentId} AND ${after} ${orderBy} ${limit}
    ) m
    JOIN agents a ON a.id = m.muted_id
    ORDER BY m.created_at DESC, m.muted_id DESC
  `);
}
