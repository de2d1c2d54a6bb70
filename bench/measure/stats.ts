/** One short run of one load. */
export interface Round {
  /** Answers a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The least, the middle and the most of several rounds: the noise of the machine. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The value below which the part `p` (0..1) of the sorted values lies. */
const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;

const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);

/** `latencies` in milliseconds, `seconds` the time in which all of them happened. */
export function roundOf(latencies: Iterable<number>, seconds: number): Round {
  const all = sorted(latencies);
  return { rate: all.length / seconds, p50: percentile(all, 0.5), p99: percentile(all, 0.99) };
}

export function spreadOf(values: Iterable<number>): Spread {
  const all = sorted(values);
  const middle = all.length / 2;
  const median =
    all.length % 2 ? percentile(all, 0.5) : ((all[middle - 1] ?? 0) + (all[middle] ?? 0)) / 2;
  return { min: all[0] ?? Number.NaN, median, max: all.at(-1) ?? Number.NaN };
}
