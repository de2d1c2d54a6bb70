import type { Transaction } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';
import type { SignedTree } from './checkpoint.rules.ts';
import type { Subtree } from './merkle-tree.rules.ts';

/** A queued receipt, and the ids of the agents that it concerns. */
export interface QueuedReceipt {
  readonly eventId: string;
  readonly concerned: readonly string[];
}

/** Receipts of a long queue that are put in order for one batch, in some 15 ms. */
const RANKED = 20_000;

/**
 * Takes up to `limit` receipts from the queue: the oldest one of each actor, then the next one of
 * each, so that nobody waits for the thousands of somebody else. Those without an actor count as
 * their first concerned agent's. Returns how many it took, and those of them that are not in the
 * log yet.
 */
export async function dequeue(
  tx: Transaction,
  limit: number,
): Promise<{ taken: number; queued: QueuedReceipt[] }> {
  const rows = await tx.rows<QueuedReceipt & { placed: boolean }>(sql`
    WITH taken AS (
      DELETE FROM portable_queue
      WHERE ctid = ANY(ARRAY(
        SELECT place
        FROM (
          SELECT ctid AS place, event_id,
            row_number() OVER (PARTITION BY concerned[1] ORDER BY event_id) AS turn
          FROM (
            SELECT ctid, event_id, concerned
            FROM portable_queue
            LIMIT ${RANKED}
          ) part
        ) q
        ORDER BY turn, event_id
        LIMIT ${limit}
      ))
      RETURNING event_id, concerned
    )
    SELECT t.event_id AS "eventId", t.concerned,
      EXISTS (SELECT 1 FROM log_entries e WHERE e.event_id = t.event_id) AS placed
    FROM taken t
  `);
  return { taken: rows.length, queued: rows.filter(({ placed }) => !placed) };
}

/** An entry to append. `entry` is the 32 bytes of `toLogEntry`. */
export interface NewLogEntry {
  readonly leafIndex: number;
  readonly eventId: string;
  readonly entry: Buffer;
  readonly salt: Buffer | null;
}

/** The hash of a subtree to store. */
export interface NewLogNode extends Subtree {
  readonly hash: Buffer;
}

/** The rows that a batch adds to the log. */
export interface LogBatch {
  readonly entries: readonly NewLogEntry[];
  readonly nodes: readonly NewLogNode[];
  readonly tree: SignedTree;
  readonly frontier: Buffer;
}

/** Inserts a batch. The caller holds the lock of `lock`. */
export function append(
  tx: Transaction,
  { entries, nodes, tree: { size, root, signature }, frontier }: LogBatch,
): void {
  tx.send(sql`
    INSERT INTO log_entries (leaf_index, event_id, entry, salt)
    SELECT *
    FROM ${unnestRows(entries, [
      ['bigint', ({ leafIndex }) => leafIndex],
      ['uuid', ({ eventId }) => eventId],
      ['bytea', ({ entry }) => entry],
      ['bytea', ({ salt }) => salt],
    ])}
  `);
  if (nodes.length > 0)
    tx.send(sql`
      INSERT INTO log_nodes (height, node_index, hash)
      SELECT *
      FROM ${unnestRows(nodes, [
        ['smallint', ({ height }) => height],
        ['bigint', ({ index }) => index],
        ['bytea', ({ hash }) => hash],
      ])}
    `);
  tx.send(sql`
    INSERT INTO log_checkpoints (size, root, signature)
    VALUES (${size}, ${root}, ${signature})
  `);
  tx.send(sql`UPDATE log_state SET size = ${size}, frontier = ${frontier}`);
}
