/** One line of the Prometheus text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
/** A name begins where a word does: trying each letter would take the square of its length. */
const LABEL = /(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"/g;

/**
 * Reads metrics in the Prometheus text format 0.0.4. Lines that are none are left out, and so are
 * escapes of labels: names of ours have none.
 */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || line.startsWith('#')) return [];
    const pairs = [...labels.matchAll(LABEL)].map(
      ([, key = '', text = '']) => [key, text] as const,
    );
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** A histogram of one moment: how many observations were at most so large. */
export type Buckets = ReadonlyMap<number, number>;

/**
 * Estimates a quantile as Prometheus does: by a straight line within the bucket that it falls into.
 * What is beyond the last bound counts as that. Null without observations.
 */
export function estimateQuantile(buckets: Buckets, quantile: number): number | null {
  const bounds = [...buckets].toSorted(([one], [other]) => one - other);
  const total = bounds.at(-1)?.[1] ?? 0;
  if (total <= 0) return null;
  const rank = quantile * total;
  let below = 0;
  let lower = 0;
  for (const [bound, count] of bounds) {
    if (count >= rank && count > below)
      return Number.isFinite(bound)
        ? lower + (bound - lower) * ((rank - below) / (count - below))
        : lower;
    below = count;
    if (Number.isFinite(bound)) lower = bound;
  }
  return lower;
}
