import type { Database } from '../../db/database.ts';
import * as contexts from './store.ts';

/** Contexts cleared in one transaction. */
const SLICE = 200;

/** Removes entries that have expired by `now`, and contexts that are empty. Returns whether there may be more. Any number of nodes may run it. */
export const removeExpired = (db: Database, now: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const ids = await contexts.lockDue(tx, now, SLICE);
    if (ids.length > 0) contexts.removeDue(tx, ids, now);
    return ids.length === SLICE;
  });
