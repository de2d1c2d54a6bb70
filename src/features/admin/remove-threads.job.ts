import type { Database } from '../../db/database.ts';
import * as threads from '../threads/deletion.store.ts';
import { removeThreadContent } from './remove-thread-content.ts';

/** Messages that one transaction removes, which takes about 50 ms. */
const MESSAGES_PER_TRANSACTION = 1_000;

/**
 * Removes the next slice of a deleted thread. Returns whether there was one. Any number of nodes
 * may run this job.
 */
export const removeNextThreadSlice = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const removal = await threads.lockNextRemoval(tx);
    if (removal) await removeThreadContent(tx, removal, MESSAGES_PER_TRANSACTION);
    return removal !== undefined;
  });
