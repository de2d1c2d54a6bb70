import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { GuestContextSummary } from './guest-context-summary.schemas.ts';
import type { GuestEntry } from './guest-entry.rules.ts';
import type { ContextState, ContextUpdate } from './rules.ts';

/** A stored context with its entries. */
export interface GuestContext extends ContextState {
  readonly id: string;
}

/** Loads a context with its entries. To change it, the caller must lock its row first. */
async function load(tx: Transaction, keySha256: Buffer): Promise<GuestContext | undefined> {
  const rows = await tx.rows<{ id: string; floor: number } & (GuestEntry | { key: null })>(sql`
    SELECT c.id, greatest(c.floor, f.floor) AS floor, e.key, e.version, e.bytes,
      e.created_at AS "createdAt", e.expires_at AS "expiresAt"
    FROM guest_contexts c
    CROSS JOIN guest_context_floor f
    LEFT JOIN guest_entries e ON e.context_id = c.id
    WHERE c.key_sha256 = ${keySha256}
  `);
  const [first] = rows;
  return (
    first && {
      id: first.id,
      floor: first.floor,
      entries: rows.filter((row): row is typeof row & GuestEntry => row.key !== null),
    }
  );
}

/**
 * Locks the context of a key until the commit and returns it, or undefined when there is none. A
 * second statement reads the entries, because the statement that waits for the lock sees them as
 * they were before it waited.
 */
export async function lock(tx: Transaction, keySha256: Buffer): Promise<GuestContext | undefined> {
  const [, context] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM guest_contexts
      WHERE key_sha256 = ${keySha256}
      FOR UPDATE
    `),
    load(tx, keySha256),
  ]);
  return context;
}

/**
 * Locks the context of a key until the commit, and creates it with this id when there is none. If
 * two calls create it at once, the second one waits for the first and finds its context.
 */
export async function lockOrCreate(
  tx: Transaction,
  keySha256: Buffer,
  id: string,
  now: string,
): Promise<GuestContext> {
  const [, context] = await Promise.all([
    tx.run(sql`
      INSERT INTO guest_contexts AS c (id, key_sha256, due_at)
      VALUES (${id}, ${keySha256}, ${now})
      ON CONFLICT (key_sha256)
      DO UPDATE SET due_at = c.due_at
    `),
    load(tx, keySha256),
  ]);
  if (!context) throw new Error('The guest context is missing after it was created or locked.');
  return context;
}

/**
 * Updates the context's row after a change and deletes its expired entries. The caller holds the
 * lock of `lock` or `lockOrCreate`, as for all changes below.
 */
export function update(
  tx: Transaction,
  id: string,
  { floor, dueAt }: ContextUpdate,
  now: string,
): void {
  tx.send(sql`DELETE FROM guest_entries WHERE context_id = ${id} AND expires_at <= ${now}`);
  tx.send(sql`
    UPDATE guest_contexts
    SET floor = ${floor}, due_at = ${dueAt}
    WHERE id = ${id}
  `);
}

/** Counts the live entries of all contexts, and lists how many expire on which day. */
export async function summarize(
  db: Queryable,
  now: string,
): Promise<Omit<GuestContextSummary, 'asOf'>> {
  const summary = await db.first<Omit<GuestContextSummary, 'asOf'>>(sql`
    WITH live AS MATERIALIZED (
      SELECT context_id, bytes, (expires_at AT TIME ZONE 'UTC')::date AS date
      FROM guest_entries
      WHERE expires_at > ${now}
    ),
      days AS (SELECT date, count(*) AS entries, sum(bytes) AS bytes FROM live GROUP BY date)
    SELECT (SELECT count(DISTINCT context_id) FROM live) AS contexts,
      coalesce(sum(entries), 0)::bigint AS entries, coalesce(sum(bytes), 0)::bigint AS bytes,
      coalesce(
        json_agg(json_build_object('date', date, 'entries', entries, 'bytes', bytes) ORDER BY date),
        '[]'
      ) AS expiries
    FROM days
  `);
  if (!summary) throw new Error('An aggregate without groups returned no row.');
  return summary;
}
