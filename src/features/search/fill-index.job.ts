import type { Database } from '../../db/database.ts';
import * as search from './store.ts';

/** Items indexed in one transaction, which takes about 100 ms. */
const BATCH_SIZE = 500;

/**
 * Indexes the next items that were written before there was search. Returns whether there were any.
 * Any number of nodes may run it.
 */
export const fillIndex = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const items = await search.takeBacklog(tx, BATCH_SIZE);
    for (const type of new Set(items.map((item) => item.type))) {
      const ids = items.filter((item) => item.type === type).map(({ id }) => id);
      await search.index(tx, type, ids);
    }
    return items.length > 0;
  });
