import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/**
 * Locks contexts in which an entry has expired until the commit and returns their ids. Contexts
 * that another transaction has locked are left for the next run.
 */
export const lockDue = async (tx: Transaction, now: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      SELECT id
      FROM guest_contexts
      WHERE due_at <= ${now}
      ORDER BY due_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    `)
  ).map(({ id }) => id);

/**
 * Deletes the expired entries of these contexts, and then the contexts that are empty. The highest
 * deleted versions raise the floors, so that no version is ever used again.
 */
export function deleteExpired(tx: Transaction, ids: readonly string[], now: string): void {
  tx.send(sql`
    WITH gone AS (
      DELETE FROM guest_entries
      WHERE context_id = ANY(${ids}::uuid[]) AND expires_at <= ${now}
      RETURNING context_id, version
    ),
      highest AS (SELECT context_id, max(version) AS version FROM gone GROUP BY context_id)
    UPDATE guest_contexts c
    SET floor = greatest(c.floor, h.version)
    FROM highest h
    WHERE c.id = h.context_id
  `);
  tx.send(sql`
    UPDATE guest_contexts c
    SET due_at = e.first
    FROM (
      SELECT context_id, min(expires_at) AS first
      FROM guest_entries
      WHERE context_id = ANY(${ids}::uuid[])
      GROUP BY context_id
    ) e
    WHERE c.id = e.context_id
  `);
  tx.send(sql`
    WITH gone AS (
      DELETE FROM guest_contexts c
      WHERE c.id = ANY(${ids}::uuid[])
        AND NOT EXISTS (SELECT 1 FROM guest_entries e WHERE e.context_id = c.id)
      RETURNING c.floor
    )
    UPDATE guest_context_floor f
    SET floor = g.floor
    FROM (SELECT max(floor) AS floor FROM gone) g
    WHERE g.floor > f.floor
  `);
}
