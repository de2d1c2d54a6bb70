import type { Queryable } from '../../db/database.ts';
import {
  hashAbove,
  hashOfRange,
  inclusionPath,
  leafHash,
  type Range,
  type Subtree,
  subtreesOf,
} from '../../kernel/merkle.ts';
import { checkpointOf, type Slice, STORED_HEIGHT, sliceOf } from './rules.ts';
import type { LogProof } from './schemas.ts';
import * as log from './store.ts';

const keyOf = ({ height, index }: Subtree): string => `${height} ${index}`;

/** The hashes of ranges of the log, in their order. */
async function hashesOf(db: Queryable, ranges: readonly Range[]): Promise<Buffer[]> {
  const slices = new Map<string, Slice>();
  for (const subtree of ranges.flatMap(subtreesOf))
    if (!slices.has(keyOf(subtree))) slices.set(keyOf(subtree), sliceOf(subtree, STORED_HEIGHT));
  const found = await log.read(db, [...slices.values()]);
  const hashes = new Map(
    [...slices].map(([key, slice]) => {
      const below = found.get(slice) ?? [];
      return [key, hashAbove(slice.height === 0 ? below.map(leafHash) : below)];
    }),
  );
  return ranges.map((range) =>
    hashOfRange(range, (subtree) => hashes.get(keyOf(subtree)) as Buffer),
  );
}

const base64 = (bytes: Buffer): string => bytes.toString('base64');

/**
 * Proofs that acts are in the log, by the acts' ids; those that wait for their place have none yet. A proof is against the tree that was
 * published when the act had got its place, so it never changes.
 */
export async function findProofs(
  db: Queryable,
  eventIds: readonly string[],
): Promise<Map<string, LogProof>> {
  const leaves = (await log.leaves(db, eventIds)).map((leaf) => ({
    ...leaf,
    path: inclusionPath(leaf.index, { start: 0, end: leaf.size }),
  }));
  const hashes = await hashesOf(
    db,
    leaves.flatMap(({ path }) => path),
  );
  return new Map(
    leaves.map(({ eventId, index, size, root, salt, path, ...leaf }) => {
      const proof = hashes.splice(0, path.length).map(base64);
      return [
        eventId,
        {
          index,
          size,
          root: base64(root),
          proof,
          checkpoint: checkpointOf(leaf, { ...leaf, size, root }),
          salt: salt && base64(salt),
        },
      ];
    }),
  );
}

/** The same for one act; null while it waits for its place. */
export const findProof = async (db: Queryable, eventId: string): Promise<LogProof | null> =>
  (await findProofs(db, [eventId])).get(eventId) ?? null;
