import type { Queryable } from '../../db/database.ts';
import { isTimeout } from '../../kernel/pipeline/reads/is-timeout.ts';

/** Maximum age of a count, which is kept because counting reads very much. */
const MAX_AGE_MS = 60_000;
/** From this age on, a reader starts a new count in the background and gets the one before. */
const REFRESH_AFTER_MS = 30_000;
/** For so long nothing is counted after a count that took longer than a read may take. */
const PAUSE_MS = 300_000;

interface Kept<Count> {
  readonly at: number;
  readonly count: Promise<Count | null>;
}

/** What is kept for a database. Times are in milliseconds. */
interface State<Count> {
  kept: Kept<Count> | null;
  /** Whether a new count is running in the background. */
  isRefreshing: boolean;
  /** When a count last took too long. */
  timedOutAt: number;
}

const isWithin = (at: number, since: number, ms: number): boolean => at >= since && at < since + ms;

/**
 * Returns a function that returns what `count` counted at most a minute before `at` (in
 * milliseconds), or null where counting takes longer than a read may: then nothing is counted for
 * five minutes. If it is called at least every 30 seconds or so, the background refresh spares
 * callers the wait. After another error the next caller tries again.
 */
export function keepCount<Count>(count: (db: Queryable, at: number) => Promise<Count>) {
  const states = new WeakMap<Queryable, State<Count>>();

  function getState(db: Queryable): State<Count> {
    const fresh: State<Count> = { kept: null, isRefreshing: false, timedOutAt: -PAUSE_MS };
    const state = states.get(db) ?? fresh;
    states.set(db, state);
    return state;
  }

  const run = (db: Queryable, at: number, state: State<Count>): Promise<Count | null> =>
    count(db, at).catch((error: unknown) => {
      if (!isTimeout(error)) throw error;
      state.timedOutAt = at;
      return null;
    });

  async function refresh(db: Queryable, at: number, state: State<Count>): Promise<void> {
    state.isRefreshing = true;
    try {
      const counted = await run(db, at, state);
      if (counted !== null) state.kept = { at, count: Promise.resolve(counted) };
    } catch {
      // What is kept stays, and the next reader tries again.
    } finally {
      state.isRefreshing = false;
    }
  }

  function countFirst(db: Queryable, at: number, state: State<Count>): Promise<Count | null> {
    const first = { at, count: run(db, at, state) };
    state.kept = first;
    const drop = () => {
      if (state.kept === first) state.kept = null;
    };
    first.count.then((counted) => counted === null && drop(), drop);
    return first.count;
  }

  return async (db: Queryable, at: number): Promise<Count | null> => {
    const state = getState(db);
    const { kept } = state;
    const isPaused = isWithin(at, state.timedOutAt, PAUSE_MS);
    if (!kept || !isWithin(at, kept.at, MAX_AGE_MS))
      return isPaused ? null : countFirst(db, at, state);
    if (at >= kept.at + REFRESH_AFTER_MS && !state.isRefreshing && !isPaused)
      void refresh(db, at, state);
    return kept.count;
  };
}
