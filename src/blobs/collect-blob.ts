import type { Database } from '../db/database.ts';
import type { Semaphore } from '../db/turns/semaphore-types.ts';
import * as claims from './blob-claims.store.ts';
import { BlobRefused, type Blobs } from './blobs.ts';

/** What collecting needs of the service. */
interface Collection {
  readonly db: Database;
  readonly blobs: Blobs;
  readonly blobDeletions: Semaphore;
}

/**
 * Takes one blob that was touched longer ago than `graceMs` and deletes its bytes when no file
 * refers to them. Meanwhile an upload of the same bytes waits for the row. Returns whether there
 * may be more. Bytes that the store refuses to delete come up again after `graceMs`, and are told
 * to `onRefused`. Errors: BlobsUnavailable, and then nothing has changed.
 */
export async function collectBlob(
  { db, blobs: store, blobDeletions }: Collection,
  now: string,
  graceMs: number,
  onRefused: (refusal: BlobRefused) => void,
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
    if (!(error instanceof BlobRefused) || !taken) throw error;
    await claims.postpone(db, taken, now);
    onRefused(error);
    return true;
  }
}
