import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Finds the id of the last receipt that a sweep checked; null before the first sweep. */
export const findSweepPosition = async (db: Queryable): Promise<string | null> =>
  (await db.first<{ sweptTo: string | null }>(sql`SELECT swept_to AS "sweptTo" FROM log_state`))
    ?.sweptTo ?? null;

/**
 * The SQL condition that a receipt of the alias `s` is neither in the log nor queued. One statement
 * sees both tables in one snapshot, and a receipt moves from the queue to the log in one
 * transaction, so a receipt on its way is never taken for missing.
 */
const missing = sql`
  NOT EXISTS (SELECT 1 FROM log_entries e WHERE e.event_id = s.id)
    AND NOT EXISTS (SELECT 1 FROM portable_queue q WHERE q.event_id = s.id)
`;

/**
 * Finds the next slice of up to `limit` receipts after an id: the id of its last receipt, and
 * whether any of them is missing from the log. Returns undefined when there are no more receipts.
 */
export const findNextSlice = (db: Queryable, after: string, limit: number) =>
  db.first<{ last: string; incomplete: boolean }>(sql`
    WITH slice AS MATERIALIZED (
      SELECT id
      FROM portable_events
      WHERE id > ${after}
      ORDER BY id
      LIMIT ${limit}
    )
    SELECT id AS last, EXISTS (SELECT 1 FROM slice s WHERE ${missing}) AS incomplete
    FROM slice
    ORDER BY id DESC
    LIMIT 1
  `);

/**
 * Queues the missing receipts after `after` and up to `last`. It locks the log, so that no other
 * transaction appends to it or queues the same receipts at the same time.
 */
export async function queueMissing(tx: Transaction, after: string, last: string): Promise<void> {
  // The lock is a statement of its own, so that the next one sees the previous holder's changes.
  await tx.run(sql`SELECT 1 FROM log_state FOR UPDATE`);
  tx.send(sql`
    INSERT INTO portable_queue (event_id, concerned)
    SELECT s.id, array_remove(ARRAY[s.actor_id], NULL)
    FROM portable_events s
    WHERE s.id > ${after} AND s.id <= ${last} AND ${missing}
  `);
}

/** Stores the id of the last receipt that a sweep checked. */
export const updateSweepPosition = (db: Queryable, last: string): Promise<number> =>
  db.run(sql`UPDATE log_state SET swept_to = ${last}`);
