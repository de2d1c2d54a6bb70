import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { LogKey, SignedTree } from './checkpoint.rules.ts';

/** The log with the private key that signs its checkpoints, which may be sealed. */
export interface StoredLog extends LogKey {
  readonly privateKey: Buffer;
  readonly sealed: boolean;
}

/** Finds the log; undefined before it is created. */
export const find = (db: Queryable) =>
  db.first<StoredLog>(sql`
    SELECT origin, public_key AS "publicKey", private_key AS "privateKey", sealed
    FROM log_state
  `);

/** Inserts the log with its empty tree, unless there is a log already. */
export const insert = (
  db: Queryable,
  { origin, publicKey, privateKey, sealed }: StoredLog,
  { size, root, signature }: SignedTree,
): Promise<number> =>
  db.run(sql`
    WITH made AS (
      INSERT INTO log_state (origin, public_key, private_key, sealed, size, frontier)
      VALUES (${origin}, ${publicKey}, ${privateKey}, ${sealed}, ${size}, '')
      ON CONFLICT
      DO NOTHING
      RETURNING size
    )
    INSERT INTO log_checkpoints (size, root, signature)
    SELECT size, ${root}, ${signature}
    FROM made
  `);

/** Replaces a plain private key with its sealed form. */
export const updateSealedKey = (db: Queryable, privateKey: Buffer): Promise<number> =>
  db.run(sql`
    UPDATE log_state
    SET private_key = ${privateKey}, sealed = true
    WHERE NOT sealed
  `);

/** Whether a receipt is queued for the log. */
export const hasQueued = async (db: Queryable): Promise<boolean> =>
  (await db.first(sql`SELECT 1 FROM portable_queue LIMIT 1`)) !== undefined;

/**
 * Locks the log until the commit and returns the size and frontier of its tree. Returns undefined
 * while another transaction holds the lock.
 */
export const lock = (tx: Transaction) =>
  tx.first<{ size: number; frontier: Buffer }>(
    sql`SELECT size, frontier FROM log_state FOR UPDATE SKIP LOCKED`,
  );

/**
 * Finds the signed root of the tree of this size. It is a statement of its own after the lock, so
 * that it sees the changes of the previous lock holder.
 */
export const findSignedRoot = async (tx: Transaction, size: number): Promise<Buffer | undefined> =>
  (await tx.first<{ root: Buffer }>(sql`SELECT root FROM log_checkpoints WHERE size = ${size}`))
    ?.root;

/** Finds the name, key and newest tree of the log; undefined before the log is created. */
export const findLatest = (db: Queryable) =>
  db.first<LogKey & SignedTree>(sql`
    SELECT l.origin, l.public_key AS "publicKey", c.size, c.root, c.signature
    FROM log_state l
    CROSS JOIN LATERAL (
      SELECT size, root, signature
      FROM log_checkpoints
      ORDER BY size DESC
      LIMIT 1
    ) c
  `);

/** A public receipt as the page of the log names it. */
export interface PublicEntry {
  readonly eventId: string;
  readonly index: number;
  readonly kind: string;
  readonly occurredAt: string;
}

/**
 * Lists the public receipts among the newest `limit` entries of the tree of this size, newest
 * first. Private receipts stay unnamed: their ids would tell when something happened.
 */
export const listNewestPublic = (db: Queryable, size: number, limit: number) =>
  db.rows<PublicEntry>(sql`
    SELECT e.event_id AS "eventId", e.leaf_index AS index, p.kind, p.occurred_at AS "occurredAt"
    FROM log_entries e
    JOIN portable_events p ON p.id = e.event_id
    WHERE e.leaf_index >= ${size - limit} AND e.leaf_index < ${size} AND p.visibility = 'public'
    ORDER BY e.leaf_index DESC
  `);

/** The index of a receipt in the log with the first published tree that contains it. */
export interface LogLeaf extends LogKey, SignedTree {
  readonly eventId: string;
  readonly index: number;
  readonly salt: Buffer | null;
}

/** Lists the leaves of these receipts. Receipts that are still queued have none. */
export const listLeaves = (db: Queryable, eventIds: readonly string[]) =>
  db.rows<LogLeaf>(sql`
    SELECT e.event_id AS "eventId", e.leaf_index AS index, e.salt, l.origin,
      l.public_key AS "publicKey", c.size, c.root, c.signature
    FROM log_state l, log_entries e
    CROSS JOIN LATERAL (
      SELECT size, root, signature
      FROM log_checkpoints
      WHERE size > e.leaf_index
      ORDER BY size
      LIMIT 1
    ) c
    WHERE e.event_id = ANY(${eventIds}::uuid[])
  `);
