import type { Queryable } from '../../db/database.ts';
import { formatCheckpoint } from './checkpoint.rules.ts';
import {
  buildInclusionPath,
  hashLeaf,
  hashRange,
  hashSubtree,
  type LeafRange,
  listSubtrees,
  type Subtree,
} from './merkle-tree.rules.ts';
import { type Slice, STORED_HEIGHT, toSlice } from './rules.ts';
import type { LogProof } from './schemas.ts';
import { readSlices } from './slices.store.ts';
import * as logs from './store.ts';

const toKey = ({ height, index }: Subtree): string => `${height} ${index}`;

/** Reads the hashes of ranges of the log, in the order of the ranges. */
async function readHashes(db: Queryable, ranges: readonly LeafRange[]): Promise<Buffer[]> {
  const slices = new Map<string, Slice>();
  for (const subtree of ranges.flatMap(listSubtrees))
    if (!slices.has(toKey(subtree))) slices.set(toKey(subtree), toSlice(subtree, STORED_HEIGHT));
  const found = await readSlices(db, [...slices.values()]);
  const hashes = new Map(
    [...slices].map(([key, slice]) => {
      const below = found.get(slice) ?? [];
      return [key, hashSubtree(slice.height === 0 ? below.map(hashLeaf) : below)];
    }),
  );
  return ranges.map((range) => hashRange(range, (subtree) => hashes.get(toKey(subtree)) as Buffer));
}

const toBase64 = (bytes: Buffer): string => bytes.toString('base64');

/**
 * Finds the inclusion proofs of receipts, by the ids of the receipts. Receipts that are still
 * queued have none. A proof refers to the tree that was published with the receipt, so it never
 * changes.
 */
export async function findProofs(
  db: Queryable,
  eventIds: readonly string[],
): Promise<Map<string, LogProof>> {
  const leaves = (await logs.listLeaves(db, eventIds)).map((leaf) => ({
    ...leaf,
    path: buildInclusionPath(leaf.index, { start: 0, end: leaf.size }),
  }));
  const hashes = await readHashes(
    db,
    leaves.flatMap(({ path }) => path),
  );
  return new Map(
    leaves.map(({ eventId, index, size, root, salt, path, ...leaf }) => {
      const proof = hashes.splice(0, path.length).map(toBase64);
      return [
        eventId,
        {
          index,
          size,
          root: toBase64(root),
          proof,
          checkpoint: formatCheckpoint(leaf, { ...leaf, size, root }),
          salt: salt && toBase64(salt),
        },
      ];
    }),
  );
}

/** Finds the inclusion proof of one receipt; null while the receipt is still queued. */
export const findProof = async (db: Queryable, eventId: string): Promise<LogProof | null> =>
  (await findProofs(db, [eventId])).get(eventId) ?? null;
