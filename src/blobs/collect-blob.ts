import type { Database } from '../db/database.ts';
import type { Semaphore } from '../db/turns/semaphore-types.ts';
import * as claims from './blob-claims.store.ts';
import { type Blobs, BlobsUnavailable } from './blobs.ts';

/** What collecting needs of the service. */
interface Collection {
  readonly db: Database;
  readonly blobs: Blobs;
  readonly blobDeletions: Semaphore;
}

/**
 * Takes one blob that was touched longer ago than `graceMs` and deletes its bytes when no file
 * refers to them. Meanwhile an upload of the same bytes waits for the row. Returns whether there
 * may be more. Errors: BlobsUnavailable, and then nothing has changed but that this blob comes
 * after all others: a store may refuse to delete some bytes for ever.
 */
export async function collectBlob(
  { db, blobs: store, blobDeletions }: Collection,
  now: string,
  graceMs: number,
): Promise<boolean> {
  const before = new Date(Date.parse(now) - graceMs).toISOString();
  let taken: Buffer | undefined;
  const collect = () =>
    db.transaction(
      async (tx) => {
        const found = await claims.collectOne(tx, before);
        taken = found?.sha256;
        if (found?.unreferenced) await store.delete(found.sha256.toString('hex'));
        return found !== undefined;
      },
      { skipsQueue: true },
    );
  try {
    return await blobDeletions.run(collect);
  } catch (error) {
    if (error instanceof BlobsUnavailable && taken) await claims.postpone(db, taken, now);
    throw error;
  }
}
