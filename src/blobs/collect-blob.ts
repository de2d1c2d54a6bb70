import type { Database } from '../db/database.ts';
import type { Semaphore } from '../db/turns/semaphore-types.ts';
import * as claims from './blob-claims.store.ts';
import type { Blobs } from './blobs.ts';

/**
 * Takes one blob that was last touched before a time and deletes its bytes when no file refers to
 * them. Meanwhile an upload of the same bytes waits for the row. Returns whether there may be more.
 * Errors: BlobsUnavailable, and then nothing has changed.
 */
export const collectBlob = (
  {
    db,
    blobs: store,
    blobDeletions,
  }: { readonly db: Database; readonly blobs: Blobs; readonly blobDeletions: Semaphore },
  before: string,
): Promise<boolean> =>
  blobDeletions.run(() =>
    db.transaction(
      async (tx) => {
        const found = await claims.collectOne(tx, before);
        if (found?.unreferenced) await store.delete(found.sha256.toString('hex'));
        return found !== undefined;
      },
      { skipsQueue: true },
    ),
  );
