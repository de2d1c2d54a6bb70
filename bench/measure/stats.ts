/** The figures of one short run. */
export interface Round {
  /** Responses per second. */
  readonly rate: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Minimum, median and maximum of several rounds, which show the noise of the machine. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Returns the percentile `p` (0 to 1) of sorted values. */
const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;

const sortNumbers = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);

/** Builds the figures of a run from its latencies in milliseconds and its duration in seconds. */
export function toRound(latencies: Iterable<number>, seconds: number): Round {
  const all = sortNumbers(latencies);
  return { rate: all.length / seconds, p50: percentile(all, 0.5), p99: percentile(all, 0.99) };
}

/** Builds the spread of several values. */
export function toSpread(values: Iterable<number>): Spread {
  const all = sortNumbers(values);
  const middle = all.length / 2;
  const median =
    all.length % 2 ? percentile(all, 0.5) : ((all[middle - 1] ?? 0) + (all[middle] ?? 0)) / 2;
  return { min: all[0] ?? Number.NaN, median, max: all.at(-1) ?? Number.NaN };
}
