import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import { loadKinds } from '../../kernel/limits/load-limits.ts';
import type { WorkMeter } from '../../kernel/limits/work-meter.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';

/** The metrics of one process, or of all processes of the service. */
export interface Metrics {
  /** Counts an answered request. `operation` is its name, or the route where there is none. */
  observe(operation: string, status: number, seconds: number): void;
  readonly contentType: string;
  /** Returns the metrics in the Prometheus text format. */
  text(): Promise<string>;
}

/**
 * What the hint sender counts: the attempts of this process, and the backlog of the whole
 * installation.
 */
export interface HintStatistics {
  readonly outcomes: Readonly<Record<'sent' | 'retried' | 'failed', number>>;
  countBacklog(): Promise<{ readonly waiting: number; readonly oldestSeconds: number }>;
}

function addHintMetrics(registry: Registry, hints: HintStatistics): void {
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
  const addGauge = (name: string, help: string, figure: 'waiting' | 'oldestSeconds') =>
    new Gauge({
      name,
      help,
      registers: [registry],
      // The figure comes from the database, so every process reports the same one.
      aggregator: 'max',
      async collect() {
        // The other metrics are still reported while the database is down.
        const backlog = await hints.countBacklog().catch(() => null);
        this.set(backlog?.[figure] ?? Number.NaN);
      },
    });
  addGauge('stoa_hints_waiting', 'Webhooks with undelivered hints.', 'waiting');
  addGauge(
    'stoa_hints_oldest_waiting_seconds',
    'Age of the oldest undelivered notification.',
    'oldestSeconds',
  );
}

function addStorageMetrics(
  registry: Registry,
  disk: Environment['disk'],
  { refused }: Environment['storageQuotas'],
): void {
  new Gauge({
    name: 'stoa_disk_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR.',
    registers: [registry],
    // All processes are on one disk.
    aggregator: 'max',
    async collect() {
      this.set((await disk.readFreeBytes()) ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'stoa_disk_floor_bytes',
    help: 'Free bytes below which uploads and registrations are refused (DISK_FLOOR_BYTES).',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(disk.floorBytes);
    },
  });
  new Counter({
    name: 'stoa_storage_refusals_total',
    help: 'Calls that were refused because the bytes of their agent or address were used up.',
    labelNames: ['holder'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [holder, count] of Object.entries(refused)) this.inc({ holder }, count);
    },
  });
}

/** Requests that are counted and never end would have callers refused for ever. */
function addWorkMetrics(registry: Registry, meters: Readonly<Record<string, WorkMeter>>): void {
  const addGauge = (name: string, help: string, read: (meter: WorkMeter) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        for (const [kind, meter] of Object.entries(meters)) this.set({ kind }, read(meter));
      },
    });
  addGauge(
    'stoa_work_in_hand',
    'Requests that the process works on, and searches among them; not those that wait for news.',
    ({ inHand }) => inHand,
  );
  addGauge(
    'stoa_overloaded',
    'Processes that have so much in hand that they refuse some requests with 503.',
    ({ isOverloaded }) => Number(isOverloaded),
  );
}

/** Tells when the first of a node's processes started; prom-client leaves that out for several. */
function addStartTime(registry: Registry): void {
  const name = 'stoa_process_start_time_seconds';
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'Start of the process, or of the oldest of several, in seconds since 1970.',
    aggregator: 'min',
    registers: [registry],
  }).set(Math.round(performance.timeOrigin / 1000));
}

/**
 * Creates the Prometheus metrics of one process. With several processes, `collectAll` returns those
 * of all of them. Labels are operations and status codes, never an id, a path or a caller's text.
 */
export function createMetrics(
  { db, groupCommit, hub, load, work, searches, disk, storageQuotas }: Environment,
  collectAll?: () => Promise<string>,
  hints?: HintStatistics | null,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stoa_' });
  addStartTime(registry);
  new Gauge({
    name: 'stoa_under_way',
    help:
      'What callers have under way at once: unfinished bodies, unread answers, uploads, ' +
      'requests, waits.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const kind of loadKinds) this.set({ kind }, load.measure(kind));
    },
  });
  new Counter({
    name: 'stoa_answers_taken_back_total',
    help: 'Unread answers that were broken off because callers with much less needed the room.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(load.takenBack);
    },
  });
  const requests = new Histogram({
    name: 'stoa_http_request_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [registry],
  });
  const addGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  addStorageMetrics(registry, disk, storageQuotas);
  addWorkMetrics(registry, { requests: work, searches });
  addGauge(
    'stoa_database_connections',
    'Open connections to the database.',
    () => db.pool.totalCount,
  );
  addGauge(
    'stoa_database_waiting',
    'Requests that wait for a connection or for their transaction.',
    () => db.pool.waitingCount + groupCommit.waiting,
  );
  addGauge(
    'stoa_event_waiters',
    'Agents that wait for events in this process.',
    () => hub.listWaitingAgents().length,
  );
  if (hints) addHintMetrics(registry, hints);
  // The constructor starts to listen for the primary process, which collects the metrics of this
  // one.
  if (collectAll) {
    AggregatorRegistry.setRegistries(registry);
    new AggregatorRegistry();
  }
  return {
    observe: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    contentType: registry.contentType,
    text: () => collectAll?.() ?? registry.metrics(),
  };
}
