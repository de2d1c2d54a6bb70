import type { Clock } from '../kernel/clock.ts';

/** How many requests of one second are logged. The rest would only fill the disk. */
const LOGGED_PER_SECOND = 10;

/**
 * Creates the sample of requests of one sort, such as refusals, that a process logs. For each it
 * returns the number of those left out since the last one that was logged, or null when this one is
 * left out too.
 */
export function createLogSample(clock: Clock): () => number | null {
  let second = Number.NaN;
  let logged = 0;
  let skipped = 0;
  return () => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) logged = 0;
    second = now;
    if (logged >= LOGGED_PER_SECOND) {
      skipped += 1;
      return null;
    }
    logged += 1;
    const left = skipped;
    skipped = 0;
    return left;
  };
}
