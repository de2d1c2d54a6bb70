import type { Queryable } from '../../db/database.ts';
import { isTimeout } from '../../kernel/pipeline/reads/is-timeout.ts';

/** Maximum age of a count, which is kept because counting reads very much. */
const MAX_AGE_MS = 60_000;
/** For so long nothing is counted again after counting took longer than a read may take. */
const PAUSE_MS = 600_000;

interface Kept<Count> {
  readonly at: number;
  readonly count: Promise<Count | null>;
  maxAgeMs: number;
  /** Whether a new count is running in the background. */
  isRefreshing: boolean;
}

/**
 * Returns a function that returns what `count` counted at most a minute before `at` (in
 * milliseconds), or null where counting takes longer than a read may. If it is called at least
 * every 30 seconds or so, the background refresh spares callers the wait. A failed count is not
 * kept, so that the next caller tries again.
 */
export function keepCount<Count>(count: (db: Queryable, at: number) => Promise<Count>) {
  const cache = new WeakMap<Queryable, Kept<Count>>();

  function start(db: Queryable, at: number): Kept<Count> {
    const kept: Kept<Count> = {
      at,
      count: count(db, at).catch((error: unknown) => {
        if (!isTimeout(error)) throw error;
        kept.maxAgeMs = PAUSE_MS;
        return null;
      }),
      maxAgeMs: MAX_AGE_MS,
      isRefreshing: false,
    };
    kept.count.catch(() => cache.get(db) === kept && cache.delete(db));
    return kept;
  }

  return (db: Queryable, at: number): Promise<Count | null> => {
    const kept = cache.get(db);
    if (!kept || at < kept.at || at >= kept.at + kept.maxAgeMs) {
      const first = start(db, at);
      cache.set(db, first);
      return first.count;
    }
    if (at >= kept.at + kept.maxAgeMs / 2 && !kept.isRefreshing) {
      kept.isRefreshing = true;
      const next = start(db, at);
      next.count.then(
        () => cache.get(db) === kept && cache.set(db, next),
        () => {},
      );
    }
    return kept.count;
  };
}
