import type { Clock } from '../clock.ts';
import type { RateSubject } from './rate-limit-subjects.ts';
import type { RateLimiter } from './rate-limits.ts';

/** Who searches: a name for turns, and whose tokens pay. */
export interface Searcher {
  readonly name: string;
  readonly pays: readonly RateSubject[];
}

/** What searches cost, by the time they took. */
export interface SlowSearches {
  /** Whether a caller lately had a search that took very long. */
  isSlow(name: string): boolean;
  /**
   * Begins a search, and returns what ends it: it charges the caller for the time that it took.
   * `timedOut` says that the database ended it.
   */
  begin(searcher: Searcher): (timedOut: boolean) => void;
}

/** How much of the time of a search one token pays. Nearly all searches take less. */
const MS_PER_TOKEN = 250;
/** Milliseconds from which a caller's next searches wait for those of other slow callers only. */
const SLOW_MS = 1_000;
/** How long that goes on. */
const SLOW_FOR_MS = 5 * 60_000;
/** So many callers are remembered; the oldest are forgotten first. */
const MAX_CALLERS = 10_000;

/**
 * Creates the account of searches that take long. Their cost depends on what they are compared
 * with, which nobody knows before: so they are paid afterwards, and whoever had a very slow one has
 * turns beside such callers only, for minutes. Searches that run at once slow each other down, so
 * the time of each counts as if they had shared it.
 */
export function createSlowSearches(rateLimiter: RateLimiter, now: Clock): SlowSearches {
  const slowUntil = new Map<string, number>();
  let running = 0;

  function forgetOld(): void {
    for (const [name, until] of slowUntil) {
      if (until > now() && slowUntil.size < MAX_CALLERS) return;
      slowUntil.delete(name);
    }
  }

  return {
    isSlow: (name) => (slowUntil.get(name) ?? 0) > now(),
    begin({ name, pays }) {
      const began = now();
      let most = ++running;
      return (timedOut) => {
        most = Math.max(most, running--);
        const ms = (now() - began) / most;
        const further = Math.floor(ms / MS_PER_TOKEN);
        if (further > 0) for (const who of pays) rateLimiter.charge('searches', who, further);
        if (ms < SLOW_MS && !timedOut) return;
        slowUntil.delete(name);
        forgetOld();
        slowUntil.set(name, now() + SLOW_FOR_MS);
      };
    },
  };
}
