import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Entry, Holding, Upkeep } from './rules.ts';
import type { GuestContextSummary, GuestContextValue } from './schemas.ts';

export interface Context extends Holding {
  readonly id: string;
}

/** A context with its entries. What changes it holds its row's lock before. */
async function load(tx: Transaction, keySha256: Buffer): Promise<Context | undefined> {
  const rows = await tx.rows<
    { id: string; floor: number } & (Entry | { key: null })
  >(sql`SELECT c.id, greatest(c.floor, f.floor) AS floor,
      e.key, e.version, e.bytes, e.created_at AS "createdAt", e.expires_at AS "expiresAt"
    FROM guest_contexts c CROSS JOIN guest_context_floor f LEFT JOIN guest_entries e ON e.context_id = c.id WHERE c.key_sha256 = ${keySha256}`);
  const [first] = rows;
  return (
    first && {
      id: first.id,
      floor: first.floor,
      entries: rows.filter((row): row is typeof row & Entry => row.key !== null),
    }
  );
}

/**
 * The context of a key, held until the commit; undefined when there is none. It is read by a statement of its own: the one that
 * waits for the lock sees entries as they were before it waited.
 */
export async function lock(tx: Transaction, keySha256: Buffer): Promise<Context | undefined> {
  const [, context] = await Promise.all([
    tx.run(sql`SELECT 1 FROM guest_contexts WHERE key_sha256 = ${keySha256} FOR UPDATE`),
    load(tx, keySha256),
  ]);
  return context;
}

/** The same, made with this id when there is none: of two that make it at once, one waits for the other and finds what it made. */
export async function open(
  tx: Transaction,
  keySha256: Buffer,
  id: string,
  now: string,
): Promise<Context> {
  const [, context] = await Promise.all([
    tx.run(sql`INSERT INTO guest_contexts AS c (id, key_sha256, due_at) VALUES (${id}, ${keySha256}, ${now})
      ON CONFLICT (key_sha256) DO UPDATE SET due_at = c.due_at`),
    load(tx, keySha256),
  ]);
  // It is there: the statement before it made or locked it.
  return context as Context;
}

/** Notes what a change leaves, and removes what has expired. Only under `lock` or `open`, like all that follows. */
export function update(tx: Transaction, id: string, { floor, dueAt }: Upkeep, now: string): void {
  tx.send(sql`DELETE FROM guest_entries WHERE context_id = ${id} AND expires_at <= ${now}`);
  tx.send(sql`UPDATE guest_contexts SET floor = ${floor}, due_at = ${dueAt} WHERE id = ${id}`);
}

export interface NewEntry extends Omit<Entry, 'bytes'> {
  readonly value: string;
  readonly updatedAt: string;
}

/** Adds an entry, or replaces the one of its key. */
export const put = (tx: Transaction, contextId: string, e: NewEntry): void =>
  tx.send(sql`INSERT INTO guest_entries (context_id, key, value, version, created_at, updated_at, expires_at)
    VALUES (${contextId}, ${e.key}, ${e.value}, ${e.version}, ${e.createdAt}, ${e.updatedAt}, ${e.expiresAt})
    ON CONFLICT (context_id, key) DO UPDATE SET value = EXCLUDED.value, version = EXCLUDED.version, created_at = EXCLUDED.created_at,
      updated_at = EXCLUDED.updated_at, expires_at = EXCLUDED.expires_at`);

export const remove = (tx: Transaction, contextId: string, key: string): void =>
  tx.send(sql`DELETE FROM guest_entries WHERE context_id = ${contextId} AND key = ${key}`);

/** An entry that has not expired. */
export const find = (db: Queryable, keySha256: Buffer, key: string, now: string) =>
  db.first<GuestContextValue>(sql`SELECT e.key, e.value::json AS value, e.version, e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.expires_at AS "expiresAt"
    FROM guest_contexts c JOIN guest_entries e ON e.context_id = c.id WHERE c.key_sha256 = ${keySha256} AND e.key = ${key} AND e.expires_at > ${now}`);

/** What all contexts hold now. */
export const summarize = async (db: Queryable, now: string) =>
  // An aggregate has always one row.
  (await db.first(sql`WITH live AS MATERIALIZED (SELECT context_id, bytes, (expires_at AT TIME ZONE 'UTC')::date AS date FROM guest_entries WHERE expires_at > ${now}),
      days AS (SELECT date, count(*) AS entries, sum(bytes) AS bytes FROM live GROUP BY date)
    SELECT (SELECT count(DISTINCT context_id) FROM live) AS contexts, coalesce(sum(entries), 0)::bigint AS entries, coalesce(sum(bytes), 0)::bigint AS bytes,
      coalesce(json_agg(json_build_object('date', date, 'entries', entries, 'bytes', bytes) ORDER BY date), '[]') AS expiries
    FROM days`)) as Omit<GuestContextSummary, 'asOf'>;

/** Contexts in which something is to be removed, held until the commit; those that somebody holds already wait for the next time. */
export const lockDue = async (tx: Transaction, now: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(
      sql`SELECT id FROM guest_contexts WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
    )
  ).map(({ id }) => id);

/** Removes from these contexts what has expired, then those that are empty. The versions that go raise the floors. */
export function removeDue(tx: Transaction, ids: readonly string[], now: string): void {
  tx.send(sql`WITH gone AS (DELETE FROM guest_entries WHERE context_id = ANY(${ids}::uuid[]) AND expires_at <= ${now} RETURNING context_id, version),
      highest AS (SELECT context_id, max(version) AS version FROM gone GROUP BY context_id)
    UPDATE guest_contexts c SET floor = greatest(c.floor, h.version) FROM highest h WHERE c.id = h.context_id`);
  tx.send(sql`UPDATE guest_contexts c SET due_at = e.first
    FROM (SELECT context_id, min(expires_at) AS first FROM guest_entries WHERE context_id = ANY(${ids}::uuid[]) GROUP BY context_id) e WHERE c.id = e.context_id`);
  tx.send(sql`WITH gone AS (DELETE FROM guest_contexts c WHERE c.id = ANY(${ids}::uuid[])
        AND NOT EXISTS (SELECT 1 FROM guest_entries e WHERE e.context_id = c.id) RETURNING c.floor)
    UPDATE guest_context_floor f SET floor = g.floor FROM (SELECT max(floor) AS floor FROM gone) g WHERE g.floor > f.floor`);
}
