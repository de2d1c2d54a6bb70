import type { Queryable } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';
import { type Slice, splitHashes, TILE_HEIGHT, TILE_WIDTH, type Tile } from './rules.ts';

/** Reads the concatenated entries of each slice, all of height 0, in the order of the slices. */
const readEntries = (db: Queryable, slices: readonly Slice[]) =>
  db.rows<{ hashes: Buffer }>(sql`
    SELECT (
      SELECT string_agg(e.entry, ''::bytea ORDER BY e.leaf_index)
      FROM log_entries e
      WHERE e.leaf_index >= s.start AND e.leaf_index < s.start + s.count
    ) AS hashes
    FROM ${unnestRows(slices, [
      ['bigint', ({ start }) => start],
      ['int', ({ count }) => count],
    ])} WITH ORDINALITY AS s (start, count, nr)
    ORDER BY s.nr
  `);

/** Reads the concatenated hashes of each slice above height 0, in the order of the slices. */
const readNodes = (db: Queryable, slices: readonly Slice[]) =>
  db.rows<{ hashes: Buffer }>(sql`
    SELECT (
      SELECT string_agg(n.hash, ''::bytea ORDER BY n.node_index)
      FROM log_nodes n
      WHERE n.height = s.height AND n.node_index >= s.start AND n.node_index < s.start + s.count
    ) AS hashes
    FROM ${unnestRows(slices, [
      ['smallint', ({ height }) => height],
      ['bigint', ({ start }) => start],
      ['int', ({ count }) => count],
    ])} WITH ORDINALITY AS s (height, start, count, nr)
    ORDER BY s.nr
  `);

/**
 * Reads slices of the log: entries at height 0, and hashes of subtrees above it. The slices must be
 * in a published tree; everything in one stays in the log.
 */
export async function readSlices(
  db: Queryable,
  slices: readonly Slice[],
): Promise<Map<Slice, Buffer[]>> {
  const kinds = [
    { read: readEntries, slices: slices.filter(({ height }) => height === 0) },
    { read: readNodes, slices: slices.filter(({ height }) => height > 0) },
  ].filter((kind) => kind.slices.length > 0);
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const rows = await kind.read(db, kind.slices);
      return kind.slices.map((slice, index): [Slice, Buffer[]] => [
        slice,
        splitHashes(rows[index]?.hashes ?? Buffer.alloc(0)),
      ]);
    }),
  );
  return new Map(found.flat());
}

/** Reads the entries or hashes of one tile. */
export async function readTile(db: Queryable, { level, index, width }: Tile): Promise<Buffer[]> {
  const slice = { height: (level ?? 0) * TILE_HEIGHT, start: index * TILE_WIDTH, count: width };
  return (await readSlices(db, [slice])).get(slice) ?? [];
}
