import type { Transaction } from '../../db/database.ts';
import { raw, sql } from '../../db/sql.ts';
import type { AgentStanding } from './schemas.ts';

/**
 * Waits in line for the rows of agents, in the order of their ids, and keeps the place until the
 * transaction ends. PostgreSQL grants later shares of a row past whoever waits to have it alone,
 * who may starve. Advisory locks are granted in order.
 */
export const queueFor = (tx: Transaction, ids: readonly string[], mode: 'alone' | 'shared'): void =>
  tx.send(sql`
    SELECT ${raw(mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')}(
      hashtextextended('agents ' || id::text, 0)
    )
    FROM (SELECT DISTINCT unnest(${ids}::uuid[]) AS id ORDER BY id) queued
  `);

/**
 * Locks an agent until the transaction ends, to serialize changes to counts per agent. Inserts of
 * rows that only refer to the agent do not wait.
 */
export function lock(tx: Transaction, id: string): void {
  queueFor(tx, [id], 'alone');
  tx.send(sql`
    SELECT 1
    FROM agents
    WHERE id = ${id}
    FOR NO KEY UPDATE
  `);
}

/**
 * Returns an agent and share-locks it, so that nobody can block or flag it before the transaction
 * ends; undefined if there is none.
 */
export function lockForShare(tx: Transaction, id: string) {
  queueFor(tx, [id], 'shared');
  return tx.first<AgentStanding>(sql`
    SELECT id, blocked, synthetic
    FROM agents
    WHERE id = ${id}
    FOR SHARE
  `);
}

/**
 * Returns several agents by id and share-locks them like `lockForShare`, in the order of their ids,
 * so that transactions that lock several of them at once do not deadlock.
 */
export async function lockAllForShare(tx: Transaction, ids: readonly string[]) {
  queueFor(tx, ids, 'shared');
  const rows = await tx.rows<AgentStanding>(sql`
    SELECT id, blocked, synthetic
    FROM agents
    WHERE id = ANY(${ids}::uuid[])
    ORDER BY id
    FOR SHARE
  `);
  return new Map(rows.map((row) => [row.id, row]));
}
