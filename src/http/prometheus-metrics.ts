import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { Environment } from '../kernel/pipeline/environment.ts';

export interface Metrics {
  observe(operation: string, status: number, seconds: number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/** What the sender of hints counts: attempts of this process, and what the whole installation owes. */
export interface HintFigures {
  readonly outcomes: Readonly<Record<'sent' | 'retried' | 'failed', number>>;
  backlog(): Promise<{ readonly waiting: number; readonly oldestSeconds: number }>;
}

function addHintMetrics(registry: Registry, hints: HintFigures): void {
  new Counter({
    name: 'stoa_hints_total',
    help: 'Attempts to deliver a hint: accepted, to be retried, or given up.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(hints.outcomes)) this.inc({ outcome }, count);
    },
  });
  const gauge = (name: string, help: string, figure: 'waiting' | 'oldestSeconds') =>
    new Gauge({
      name,
      help,
      registers: [registry],
      // It is read from the database, so every process tells the same.
      aggregator: 'max',
      async collect() {
        // Without the database the rest is told all the same.
        const backlog = await hints.backlog().catch(() => null);
        this.set(backlog?.[figure] ?? Number.NaN);
      },
    });
  gauge('stoa_hints_waiting', 'Webhooks with something to tell.', 'waiting');
  gauge(
    'stoa_hints_oldest_waiting_seconds',
    'Age of the oldest notification that is owed.',
    'oldestSeconds',
  );
}

/**
 * Prometheus metrics of one process; `ofAll`, where there are several, tells those of all of them. Labels are operations and status codes: never an id, a path or a text of a
 * caller.
 */
export function createMetrics(
  { db, share, hub }: Environment,
  ofAll?: () => Promise<string>,
  hints?: HintFigures | null,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stoa_' });
  const requests = new Histogram({
    name: 'stoa_http_request_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [registry],
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('stoa_database_connections', 'Open connections to the database.', () => db.pool.totalCount);
  gauge(
    'stoa_database_waiting',
    'Requests that wait for a connection or for their transaction.',
    () => db.pool.waitingCount + share.waiting,
  );
  gauge(
    'stoa_event_waiters',
    'Agents that wait for events in this process.',
    () => hub.waiting().length,
  );
  if (hints) addHintMetrics(registry, hints);
  // Lets the primary process collect this one's metrics: the constructor begins to listen for its requests.
  if (ofAll) {
    AggregatorRegistry.setRegistries(registry);
    new AggregatorRegistry();
  }
  return {
    observe: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    contentType: registry.contentType,
    text: () => ofAll?.() ?? registry.metrics(),
  };
}
