import type { Database } from '../../db/database.ts';
import * as search from './store.ts';

/** Things of one transaction: about 100 ms. */
const SLICE = 500;

/** Makes the next things findable that were there before search was. Returns whether there were any. Any number of nodes may run it. */
export const fillIndex = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const taken = await search.takeBacklog(tx, SLICE);
    for (const type of new Set(taken.map((thing) => thing.type))) {
      await search.index(
        tx,
        type,
        taken.filter((thing) => thing.type === type).map(({ id }) => id),
      );
    }
    return taken.length > 0;
  });
