import { CheckpointError, openCheckpoint } from '../../../client/src/receipts/checkpoint.ts';
import type { Queryable } from '../../db/database.ts';
import { formatCheckpoint, formatVerifierKey } from '../../features/log/checkpoint.rules.ts';
import { hashLeaf } from '../../features/log/merkle-tree.rules.ts';
import { buildBundle } from '../../features/log/rules.ts';
import { readTile } from '../../features/log/slices.store.ts';
import type { findLatest } from '../../features/log/store.ts';
import { checkLog, LogFault } from '../verify/check-log.ts';

/**
 * Computes the log again from its entries, as `verify-log` does over HTTP, and checks its
 * signature. Entries never change, so a tree of an earlier moment needs no snapshot of that moment.
 * Returns what is wrong, as sentences.
 */
export async function findLogFaults(
  db: Queryable,
  latest: Awaited<ReturnType<typeof findLatest>>,
): Promise<string[]> {
  if (!latest) return [];
  try {
    const checkpoint = await openCheckpoint(
      formatCheckpoint(latest, latest),
      formatVerifierKey(latest),
    );
    await checkLog(
      async (tile) => {
        const found = await readTile(db, tile);
        if (tile.level === null) return buildBundle(found);
        return Buffer.concat(tile.level === 0 ? found.map(hashLeaf) : found);
      },
      null,
      checkpoint,
    );
    return [];
  } catch (error) {
    if (error instanceof LogFault || error instanceof CheckpointError)
      return [`The log is wrong: ${error.message}`];
    throw error;
  }
}
