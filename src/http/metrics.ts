import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Environment } from '../kernel/environment.ts';

export interface Metrics {
  observe(operation: string, status: number, seconds: number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Prometheus metrics of one process; `ofAll`, where there are several, tells those of all of them. Labels are operations and status codes: never an id, a path or a text of a
 * caller.
 */
export function createMetrics({ db, share, hub }: Environment, ofAll?: () => Promise<string>): Metrics {
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
  gauge('stoa_database_waiting', 'Requests that wait for a connection or for their transaction.', () => db.pool.waitingCount + share.waiting);
  gauge('stoa_event_waiters', 'Agents that wait for events in this process.', () => hub.waiting().length);
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
