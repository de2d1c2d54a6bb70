import type { Environment } from '../../kernel/pipeline/environment.ts';
import { idBefore } from './rules.ts';
import * as logs from './store.ts';

const SLICE = 5_000;
/** Acts become visible a little after their id was made, and the clocks of two machines differ. */
const MARGIN_MS = 3_600_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Looks, once in the life of a process, for acts that neither have a place in the log nor wait for one: a node of an older version, which knows no
 * queue, may have written them during an upgrade. Each call looks at a slice and says whether there may be more.
 */
export function createSweep({ db }: Pick<Environment, 'db'>): () => Promise<boolean> {
  let after: string | undefined;
  let over = false;
  return async () => {
    if (over) return false;
    if (after === undefined) {
      const last = await logs.sweptTo(db);
      after = last === null ? FIRST : idBefore(last, MARGIN_MS);
    }
    const from = after;
    const slice = await logs.look(db, from, SLICE);
    if (!slice) {
      await logs.keepSweptTo(db, from);
      over = true;
      return false;
    }
    // Only then, because those who integrate do not wait for the lock.
    if (slice.incomplete) await db.transaction((tx) => logs.queueMissing(tx, from, slice.last));
    after = slice.last;
    return true;
  };
}
