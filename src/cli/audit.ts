import type { Settings } from '../config.ts';
import * as audit from '../features/admin/audit.store.ts';
import { deleteAuditBefore } from '../features/admin/prune-audit.store.ts';
import { toIso } from '../kernel/clock.ts';
import { CommandError } from './describe-error.ts';
import { withDatabase } from './with-database.ts';

const DAY_MS = 24 * 3600 * 1000;
/** What happened lately must not be made to disappear by a typing error. */
const FEWEST_DAYS = 30;

/** Flags of `audit prune`. */
export interface PruneFlags {
  readonly days: string;
}

/**
 * The command `audit prune`: deletes entries that are older than so many days, and records that.
 * The service itself never can. Errors: CommandError for a number of days that is none.
 */
export async function runAuditPrune(settings: Settings, { days }: PruneFlags): Promise<void> {
  const number = Number(days);
  if (!Number.isInteger(number) || number < FEWEST_DAYS)
    throw new CommandError(`--days must be a whole number from ${FEWEST_DAYS} up, not "${days}".`);
  const all = await withDatabase(
    settings,
    async (db, { by, now, clock, newId }) => {
      const before = toIso(clock() - number * DAY_MS);
      let sum = 0;
      for (let hasMore = true; hasMore; ) {
        const done = await db.transaction(async (tx) => {
          const slice = await deleteAuditBefore(tx, before);
          if (slice.deleted > 0)
            audit.append(tx, {
              id: newId(),
              administrator: { id: by },
              action: 'audit.pruned',
              targetType: 'audit',
              targetId: before,
              facts: { entries: slice.deleted, before },
              now,
            });
          return slice;
        });
        sum += done.deleted;
        hasMore = done.hasMore;
        if (hasMore) process.stderr.write(`Deleted ${sum} entries so far.\n`);
      }
      return sum;
    },
    { asOwner: true },
  );
  process.stdout.write(`Deleted ${all} entries of the audit that were older than ${days} days.\n`);
}
