import type { Database } from '../../db/database.ts';
import * as threads from '../threads/deletion.store.ts';
import { removeContent } from './remove-content.ts';

/** Messages of one transaction: about 50 ms of rewriting. */
const SLICE = 1_000;

/** Removes the next slice of a deleted thread. Returns whether there was one. Any number of nodes may run it. */
export const removeThreads = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const removal = await threads.lockRemoval(tx);
    if (removal) await removeContent(tx, removal, SLICE);
    return removal !== undefined;
  });
