import { NIL_UUID } from '../../kernel/ids.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { buildIdBefore } from './rules.ts';
import * as sweeps from './sweep.store.ts';

/** The number of receipts that one call checks. */
const RECEIPTS_PER_SLICE = 5_000;
/**
 * How far a sweep goes back before the last one. Receipts become visible shortly after their id was
 * created, and the clocks of two machines differ.
 */
const MARGIN_MS = 3_600_000;
/**
 * Creates a sweep that, once in the life of a process, queues receipts that are neither in the log
 * nor queued. During an upgrade a node of an older version, which has no queue, may have written
 * such receipts. Each call checks one slice and returns whether there may be more.
 */
export function createReceiptSweep({ db }: Pick<Environment, 'db'>): () => Promise<boolean> {
  let after: string | undefined;
  let isDone = false;
  return async () => {
    if (isDone) return false;
    if (after === undefined) {
      const last = await sweeps.findSweepPosition(db);
      after = last === null ? NIL_UUID : buildIdBefore(last, MARGIN_MS);
    }
    const from = after;
    const slice = await sweeps.findNextSlice(db, from, RECEIPTS_PER_SLICE);
    if (!slice) {
      await sweeps.updateSweepPosition(db, from);
      isDone = true;
      return false;
    }
    // The log is locked only for incomplete slices, because nodes that cannot lock it skip their
    // turn to append.
    if (slice.incomplete) await db.transaction((tx) => sweeps.queueMissing(tx, from, slice.last));
    after = slice.last;
    return true;
  };
}
