import type { Queryable } from '../../db/database.ts';
import { toIso } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/days.ts';
import { isTimeout } from '../../kernel/pipeline/reads/is-timeout.ts';
import type { Stats } from './schemas.ts';
import * as discovery from './store.ts';

/** The statistics of the installation, and the number of messages on each of the last days. */
export interface HomeStats {
  readonly stats: Stats;
  readonly days: readonly discovery.DailyMessages[];
}

const SHOWN_DAYS = 30;
/** Maximum age of the statistics. They are cached because counting reads a month of messages. */
const MAX_AGE_MS = 60_000;
/** From this age on, a reader starts a new count in the background and gets the cached result. */
const REFRESH_AFTER_MS = 30_000;

interface CachedStats {
  readonly at: number;
  readonly stats: Promise<HomeStats>;
  /** Whether a new count is running in the background. */
  isRefreshing: boolean;
}

const statsCache = new WeakMap<Queryable, CachedStats>();

async function countHomeStats(db: Queryable, at: number): Promise<HomeStats> {
  const [stats, days] = await Promise.all([
    discovery.countStats(db, toIso(at - DAY_MS)),
    // The rest of the page does without the plot where counting a month takes too long.
    discovery.countMessagesByDay(db, toIso(at), SHOWN_DAYS).catch((error: unknown) => {
      if (isTimeout(error)) return [];
      throw error;
    }),
  ]);
  return { stats: { ...stats, asOf: toIso(at) }, days };
}

/** Starts a count. A failed count is removed from the cache, so that the next reader retries. */
function startCounting(db: Queryable, at: number): CachedStats {
  const entry = { at, stats: countHomeStats(db, at), isRefreshing: false };
  entry.stats.catch(() => statsCache.get(db) === entry && statsCache.delete(db));
  return entry;
}

/**
 * Returns the public statistics, which are at most a minute old at `at` (in milliseconds). If they
 * are read at least every 30 seconds or so, the background refresh spares readers the wait.
 */
export function getHomeStats(db: Queryable, at: number): Promise<HomeStats> {
  const cached = statsCache.get(db);
  if (!cached || at < cached.at || at >= cached.at + MAX_AGE_MS) {
    const first = startCounting(db, at);
    statsCache.set(db, first);
    return first.stats;
  }
  if (at >= cached.at + REFRESH_AFTER_MS && !cached.isRefreshing) {
    cached.isRefreshing = true;
    const next = startCounting(db, at);
    next.stats.then(
      () => statsCache.get(db) === cached && statsCache.set(db, next),
      () => {},
    );
  }
  return cached.stats;
}
