import * as blobs from '../kernel/blobs.store.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';

/**
 * Looks at one of the bytes that were touched before a time and deletes them when nothing refers to them. While it does, an upload of
 * the same bytes waits for their row. Whether there may be more. Errors: BlobsUnavailable, and then nothing has changed.
 */
export const collectBlob = (
  { db, blobs: store }: Pick<Environment, 'db' | 'blobs'>,
  before: string,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const found = await blobs.collect(tx, before);
    if (found?.unreferenced) await store.delete(found.sha256.toString('hex'));
    return found !== undefined;
  });
