import { type Buckets, estimateQuantile, type Sample } from './metrics-text.ts';

/** The metrics of one node at one moment. */
export interface Scrape {
  /** Milliseconds that never go back. */
  readonly at: number;
  /** Seconds since 1970. */
  readonly now: number;
  readonly samples: readonly Sample[];
}

/** What a node did between two scrapes. Times are in seconds, rates a second. */
export interface OperationSummary {
  readonly operation: string;
  readonly rate: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly refused: number;
  readonly failed: number;
}

/** What a node did between two scrapes, and what it holds at the second one. */
export interface NodeSummary {
  readonly all: OperationSummary;
  /** The operations that were called most. */
  readonly operations: readonly OperationSummary[];
  readonly processorShare: number;
  /** Null when the node does not tell when it started. */
  readonly uptimeSeconds: number | null;
  /** Figures of the second moment, by the name of the metric without its prefix. */
  readonly gauges: Readonly<Record<string, number>>;
  /** What is under way, by kind. */
  readonly underWay: Readonly<Record<string, number>>;
  readonly hintsRate: number;
}

const REQUESTS = 'stoa_http_request_seconds';

/** Sums of the samples that fit, by a key of each. */
function sumBy(
  { samples }: Scrape,
  name: string,
  toKey: (labels: Sample['labels']) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const sample of samples) {
    if (sample.name !== name) continue;
    const key = toKey(sample.labels);
    sums.set(key, (sums.get(key) ?? 0) + sample.value);
  }
  return sums;
}

/** What was added between two scrapes. A process that started again begins at zero. */
function diff(
  before: Scrape,
  after: Scrape,
  name: string,
  toKey: (labels: Sample['labels']) => string,
): Map<string, number> {
  const old = sumBy(before, name, toKey);
  const sums = [...sumBy(after, name, toKey)];
  return new Map(
    sums.map(([key, value]) => {
      const former = old.get(key) ?? 0;
      return [key, value >= former ? value - former : value];
    }),
  );
}

const sumWhere = (counts: ReadonlyMap<string, number>, fits: (key: string) => boolean): number =>
  [...counts].reduce((sum, [key, count]) => (fits(key) ? sum + count : sum), 0);

function summarizeOperation(
  before: Scrape,
  after: Scrape,
  operation: string | null,
): OperationSummary {
  const seconds = Math.max(0.001, (after.at - before.at) / 1000);
  const isMeant = (labels: Sample['labels']) =>
    operation === null || labels.operation === operation;
  const statuses = diff(before, after, `${REQUESTS}_count`, (labels) =>
    isMeant(labels) ? (labels.status ?? '') : '-',
  );
  const bounds = diff(before, after, `${REQUESTS}_bucket`, (labels) =>
    isMeant(labels) ? (labels.le ?? '') : '-',
  );
  bounds.delete('-');
  const buckets: Buckets = new Map(
    [...bounds].map(([bound, count]) => [bound === '+Inf' ? Infinity : Number(bound), count]),
  );
  return {
    operation: operation ?? 'all',
    rate: sumWhere(statuses, (status) => status !== '-') / seconds,
    p50: estimateQuantile(buckets, 0.5),
    p99: estimateQuantile(buckets, 0.99),
    refused: sumWhere(statuses, (status) => status === '429' || status === '503') / seconds,
    failed: sumWhere(statuses, (status) => /^5/.test(status) && status !== '503') / seconds,
  };
}

/** Sums up what happened on a node between two scrapes. */
export function summarizeNode(before: Scrape, after: Scrape, most: number): NodeSummary {
  const seconds = Math.max(0.001, (after.at - before.at) / 1000);
  const counts = diff(before, after, `${REQUESTS}_count`, ({ operation = '' }) => operation);
  const busiest = [...counts].filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a);
  const plain = after.samples.filter(({ labels }) => Object.keys(labels).length === 0);
  const gauges = Object.fromEntries(
    plain.map(({ name, value }) => [name.replace(/^stoa_/, ''), value]),
  );
  const spent = diff(before, after, 'stoa_process_cpu_seconds_total', () => '').get('') ?? 0;
  const hints = diff(before, after, 'stoa_hints_total', ({ outcome = '' }) => outcome);
  const started = gauges.process_start_time_seconds;
  return {
    all: summarizeOperation(before, after, null),
    operations: busiest
      .slice(0, most)
      .map(([operation]) => summarizeOperation(before, after, operation)),
    processorShare: spent / seconds,
    uptimeSeconds: started === undefined ? null : after.now - started,
    gauges,
    underWay: Object.fromEntries(sumBy(after, 'stoa_under_way', ({ kind = '' }) => kind)),
    hintsRate: (hints.get('sent') ?? 0) / seconds,
  };
}
