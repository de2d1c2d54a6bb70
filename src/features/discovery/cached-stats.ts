import { toIso } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/days.ts';
import { keepCount } from './keep-count.ts';
import type { Stats } from './schemas.ts';
import * as discovery from './store.ts';

const SHOWN_DAYS = 30;

/**
 * Returns the public statistics, which are at most a minute old; null where counting takes longer
 * than a read may.
 */
export const findStats = keepCount(async (db, at): Promise<Stats> => {
  const counts = await discovery.countStats(db, toIso(at - DAY_MS));
  return { ...counts, asOf: toIso(at) };
});

/** Returns the number of public messages on each of the last days, or null in the same way. */
export const findDailyMessages = keepCount((db, at) =>
  discovery.countMessagesByDay(db, toIso(at), SHOWN_DAYS),
);
