import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Subtree } from '../../kernel/merkle.ts';
import {
  apart,
  type LogKey,
  type SignedTree,
  type Slice,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
} from './rules.ts';

/** A log with the key that signs its checkpoints: as it is, or sealed. */
export interface StoredLog extends LogKey {
  readonly privateKey: Buffer;
  readonly sealed: boolean;
}

export const find = (db: Queryable) =>
  db.first<StoredLog>(
    sql`SELECT origin, public_key AS "publicKey", private_key AS "privateKey", sealed FROM log_state`,
  );

/** Makes the log with its empty tree, unless there is one. */
export const insert = (
  db: Queryable,
  { origin, publicKey, privateKey, sealed }: StoredLog,
  { size, root, signature }: SignedTree,
): Promise<number> =>
  db.run(sql`WITH made AS (INSERT INTO log_state (origin, public_key, private_key, sealed, size, frontier)
      VALUES (${origin}, ${publicKey}, ${privateKey}, ${sealed}, ${size}, '') ON CONFLICT DO NOTHING RETURNING size)
    INSERT INTO log_checkpoints (size, root, signature) SELECT size, ${root}, ${signature} FROM made`);

/** Keeps the key sealed that was open before. */
export const keepSealed = (db: Queryable, privateKey: Buffer): Promise<number> =>
  db.run(sql`UPDATE log_state SET private_key = ${privateKey}, sealed = true WHERE NOT sealed`);

/** Whether an act waits for its place. */
export const isWaiting = async (db: Queryable): Promise<boolean> =>
  (await db.first(sql`SELECT 1 FROM portable_queue LIMIT 1`)) !== undefined;

/** The size and the frontier of the tree, for the one who adds to it; undefined while another one does. */
export const lock = (tx: Transaction) =>
  tx.first<{ size: number; frontier: Buffer }>(
    sql`SELECT size, frontier FROM log_state FOR UPDATE SKIP LOCKED`,
  );

/** The root that was signed of the tree of this size. A statement of its own behind the lock: it sees what whoever held that before has done. */
export const signedRoot = async (tx: Transaction, size: number): Promise<Buffer | undefined> =>
  (await tx.first<{ root: Buffer }>(sql`SELECT root FROM log_checkpoints WHERE size = ${size}`))
    ?.root;

/** An act that gets its place, and the agents whom it concerns. */
export interface Queued {
  readonly eventId: string;
  readonly concerned: readonly string[];
}

/** Takes acts from the queue, `limit` at most. How many were taken, and those of them that have no place yet. */
export async function take(
  tx: Transaction,
  limit: number,
): Promise<{ taken: number; queued: Queued[] }> {
  const rows = await tx.rows<
    Queued & { placed: boolean }
  >(sql`WITH taken AS (DELETE FROM portable_queue
      WHERE ctid = ANY(ARRAY(SELECT ctid FROM portable_queue LIMIT ${limit})) RETURNING event_id, concerned)
    SELECT t.event_id AS "eventId", t.concerned, EXISTS (SELECT 1 FROM log_entries e WHERE e.event_id = t.event_id) AS placed FROM taken t`);
  return { taken: rows.length, queued: rows.filter(({ placed }) => !placed) };
}

export interface NewEntry {
  readonly leafIndex: number;
  readonly eventId: string;
  readonly entry: Buffer;
  readonly salt: Buffer | null;
}

export interface NewNode extends Subtree {
  readonly hash: Buffer;
}

/** What a batch adds to the log. */
export interface Addition {
  readonly entries: readonly NewEntry[];
  readonly nodes: readonly NewNode[];
  readonly tree: SignedTree;
  readonly frontier: Buffer;
}

/** Writes a batch down; the caller holds the lock. */
export function append(
  tx: Transaction,
  { entries, nodes, tree: { size, root, signature }, frontier }: Addition,
): void {
  tx.send(sql`INSERT INTO log_entries (leaf_index, event_id, entry, salt)
    SELECT * FROM unnest(${entries.map(({ leafIndex }) => leafIndex)}::bigint[], ${entries.map(({ eventId }) => eventId)}::uuid[],
      ${entries.map(({ entry }) => entry)}::bytea[], ${entries.map(({ salt }) => salt)}::bytea[])`);
  if (nodes.length > 0)
    tx.send(sql`INSERT INTO log_nodes (height, node_index, hash)
      SELECT * FROM unnest(${nodes.map(({ height }) => height)}::smallint[], ${nodes.map(({ index }) => index)}::bigint[], ${nodes.map(({ hash }) => hash)}::bytea[])`);
  tx.send(
    sql`INSERT INTO log_checkpoints (size, root, signature) VALUES (${size}, ${root}, ${signature})`,
  );
  tx.send(sql`UPDATE log_state SET size = ${size}, frontier = ${frontier}`);
}

/** Name, key and newest tree of the log; undefined before there is a log. */
export const latest = (db: Queryable) =>
  db.first<
    LogKey & SignedTree
  >(sql`SELECT l.origin, l.public_key AS "publicKey", c.size, c.root, c.signature
    FROM log_state l CROSS JOIN LATERAL (SELECT size, root, signature FROM log_checkpoints ORDER BY size DESC LIMIT 1) c`);

/** The hashes of slices of one kind, as they stand side by side. */
const entriesIn = (db: Queryable, slices: readonly Slice[]) =>
  db.rows<{
    hashes: Buffer;
  }>(sql`SELECT (SELECT string_agg(e.entry, ''::bytea ORDER BY e.leaf_index) FROM log_entries e
      WHERE e.leaf_index >= s.start AND e.leaf_index < s.start + s.count) AS hashes
    FROM unnest(${slices.map(({ start }) => start)}::bigint[], ${slices.map(({ count }) => count)}::int[]) WITH ORDINALITY AS s (start, count, nr) ORDER BY s.nr`);

const nodesIn = (db: Queryable, slices: readonly Slice[]) =>
  db.rows<{
    hashes: Buffer;
  }>(sql`SELECT (SELECT string_agg(n.hash, ''::bytea ORDER BY n.node_index) FROM log_nodes n
      WHERE n.height = s.height AND n.node_index >= s.start AND n.node_index < s.start + s.count) AS hashes
    FROM unnest(${slices.map(({ height }) => height)}::smallint[], ${slices.map(({ start }) => start)}::bigint[], ${slices.map(({ count }) => count)}::int[])
      WITH ORDINALITY AS s (height, start, count, nr) ORDER BY s.nr`);

/** What stands in the log at these places: at height 0 entries, above it hashes of subtrees. All of them are there: what is in a tree stays. */
export async function read(db: Queryable, slices: readonly Slice[]): Promise<Map<Slice, Buffer[]>> {
  const kinds = [
    { read: entriesIn, slices: slices.filter(({ height }) => height === 0) },
    { read: nodesIn, slices: slices.filter(({ height }) => height > 0) },
  ].filter((kind) => kind.slices.length > 0);
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const rows = await kind.read(db, kind.slices);
      return kind.slices.map((slice, index): [Slice, Buffer[]] => [
        slice,
        apart(rows[index]?.hashes ?? Buffer.alloc(0)),
      ]);
    }),
  );
  return new Map(found.flat());
}

/** What stands in one tile. */
export async function readTile(db: Queryable, { level, index, width }: Tile): Promise<Buffer[]> {
  const slice = { height: (level ?? 0) * TILE_HEIGHT, start: index * TILE_WIDTH, count: width };
  return (await read(db, [slice])).get(slice) ?? [];
}

/** The place of an act with the tree that was published when it had got it. */
export interface Leaf extends LogKey, SignedTree {
  readonly eventId: string;
  readonly index: number;
  readonly salt: Buffer | null;
}

/** Those of these acts that have their place. */
export const leaves = (db: Queryable, eventIds: readonly string[]) =>
  db.rows<Leaf>(sql`SELECT e.event_id AS "eventId", e.leaf_index AS index, e.salt, l.origin, l.public_key AS "publicKey", c.size, c.root, c.signature
    FROM log_state l, log_entries e CROSS JOIN LATERAL (SELECT size, root, signature FROM log_checkpoints WHERE size > e.leaf_index ORDER BY size LIMIT 1) c
    WHERE e.event_id = ANY(${eventIds}::uuid[])`);

/** Up to where it was looked for acts that are missing; null for the first time. */
export const sweptTo = async (db: Queryable): Promise<string | null> =>
  (await db.first<{ sweptTo: string | null }>(sql`SELECT swept_to AS "sweptTo" FROM log_state`))
    ?.sweptTo ?? null;

/** Acts of alias `s` that neither have a place nor wait for one. Both are seen as of one moment, and acts go from one to the other in one transaction. */
const missing = sql`NOT EXISTS (SELECT 1 FROM log_entries e WHERE e.event_id = s.id) AND NOT EXISTS (SELECT 1 FROM portable_queue q WHERE q.event_id = s.id)`;

/** The last of the next acts, and whether any of them is missing; undefined when there are no more. */
export const look = (db: Queryable, after: string, limit: number) =>
  db.first<{
    last: string;
    incomplete: boolean;
  }>(sql`WITH slice AS MATERIALIZED (SELECT id FROM portable_events WHERE id > ${after} ORDER BY id LIMIT ${limit})
    SELECT id AS last, EXISTS (SELECT 1 FROM slice s WHERE ${missing}) AS incomplete FROM slice ORDER BY id DESC LIMIT 1`);

/** Queues what is missing of the acts up to `last`. Nobody else changes the log or looks for the same meanwhile. */
export async function queueMissing(tx: Transaction, after: string, last: string): Promise<void> {
  // The statement behind it sees what whoever held the lock has done.
  await tx.run(sql`SELECT 1 FROM log_state FOR UPDATE`);
  tx.send(sql`INSERT INTO portable_queue (event_id, concerned) SELECT s.id, array_remove(ARRAY[s.actor_id], NULL)
    FROM portable_events s WHERE s.id > ${after} AND s.id <= ${last} AND ${missing}`);
}

/** Keeps up to where it was looked. */
export const keepSweptTo = (db: Queryable, last: string): Promise<number> =>
  db.run(sql`UPDATE log_state SET swept_to = ${last}`);
