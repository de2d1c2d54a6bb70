/** How fast a process works while it has enough to do. */
export interface WorkRate {
  /** Pieces of work that are done in a millisecond. */
  readonly perMs: number;
  /** Counts a piece of work that is done. */
  count(): void;
  /** Ends a window, in which there was enough to do or not. Says whether the rate was measured. */
  endWindow(wasBusy: boolean, isOverloaded: boolean): boolean;
}

/** Milliseconds over which the rate is measured. In less, work is done in lumps. */
const RATE_MS = 500;
/**
 * The part by which a measurement lowers the rate at most, but for the first during an overload,
 * which replaces what was assumed. It is lowered slowly: a process that refuses much does less, and
 * would otherwise accept less and less.
 */
const LOWER = 0.05;

/**
 * Measures the highest rate that a process has shown lately, with `assumed` until it is known. What
 * a process does while it has little to do says nothing of what it can do, so only times count of
 * which all windows were busy. `now` returns milliseconds that never go back.
 */
export function createWorkRate(now: () => number, assumed: number): WorkRate {
  let perMs = assumed;
  let isMeasured = false;
  let from = now();
  let done = 0;
  let isBusy = true;

  return {
    get perMs() {
      return perMs;
    },
    count() {
      done += 1;
    },
    endWindow(wasBusy, isOverloaded) {
      isBusy &&= wasBusy;
      const at = now();
      if (at - from < RATE_MS) return false;
      const isNew = isBusy;
      if (isNew) {
        const measured = done / (at - from);
        const isFirst = isOverloaded && !isMeasured;
        perMs = isFirst ? measured : Math.max(measured, perMs * (1 - LOWER));
        isMeasured ||= isFirst;
      }
      from = at;
      done = 0;
      isBusy = true;
      return isNew;
    },
  };
}
