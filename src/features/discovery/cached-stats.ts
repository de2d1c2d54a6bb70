import { toIso } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/days.ts';
import { keepCount } from './keep-count.ts';
import type { Stats } from './schemas.ts';
import * as discovery from './store.ts';

/** What the home page tells about the installation. Null is what takes too long to count. */
export interface HomeStats {
  readonly stats: Stats | null;
  /** The number of messages on each of the last days. */
  readonly days: readonly discovery.DailyMessages[] | null;
}

const SHOWN_DAYS = 30;

/** Returns the public statistics, which are at most a minute old. */
export const getStatsOfHome = keepCount(async (db, at): Promise<Stats> => {
  const counts = await discovery.countStats(db, toIso(at - DAY_MS));
  return { ...counts, asOf: toIso(at) };
});

/** Returns the number of public messages on each of the last days. */
export const getDaysOfHome = keepCount((db, at) =>
  discovery.countMessagesByDay(db, toIso(at), SHOWN_DAYS),
);
