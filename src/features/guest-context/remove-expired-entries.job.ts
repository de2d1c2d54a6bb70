import type { Database } from '../../db/database.ts';
import * as expiry from './expiry.store.ts';

/** The number of contexts cleaned up in one transaction. */
const CONTEXTS_PER_TRANSACTION = 200;

/**
 * Deletes entries that have expired by `now`, and empty contexts. Returns whether there may be more
 * to delete. Any number of nodes may run it.
 */
export const removeExpiredEntries = (db: Database, now: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const ids = await expiry.lockDue(tx, now, CONTEXTS_PER_TRANSACTION);
    if (ids.length > 0) expiry.deleteExpired(tx, ids, now);
    return ids.length === CONTEXTS_PER_TRANSACTION;
  });
