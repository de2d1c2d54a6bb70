import type { NodeSummary, OperationSummary } from './summarize.ts';

/** What is known of one node. */
export interface NodeStatus {
  readonly url: string;
  readonly state: 'ready' | 'overloaded' | 'not ready' | 'unreachable';
  /** Null while there are no two scrapes to compare. */
  readonly summary: NodeSummary | null;
}

const MIB = 1024 * 1024;
const WIDTH = 28;

const formatRate = (rate: number): string => rate.toFixed(rate < 10 ? 1 : 0);

function formatTime(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds < 1
    ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`
    : `${seconds.toFixed(1)} s`;
}

function formatAge(seconds: number | null): string {
  if (seconds === null) return 'for an unknown time';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

const formatBytes = (bytes: number | undefined): string => {
  if (bytes === undefined || Number.isNaN(bytes)) return '–';
  return bytes < 1024 * MIB
    ? `${(bytes / MIB).toFixed(0)} MiB`
    : `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
};

const formatCount = (count: number | undefined): string =>
  count === undefined || Number.isNaN(count) ? '–' : String(count);

const renderRow = (cells: readonly string[]): string =>
  `  ${(cells[0] ?? '').padEnd(WIDTH)}${cells
    .slice(1)
    .map((cell) => cell.padStart(11))
    .join('')}`;

const renderOperation = (one: OperationSummary): string =>
  renderRow([
    one.operation,
    formatRate(one.rate),
    formatTime(one.p50),
    formatTime(one.p99),
    formatRate(one.refused),
    formatRate(one.failed),
  ]);

function renderHeld({ gauges, underWay, hintsRate, ...summary }: NodeSummary): string[] {
  const kinds = Object.entries(underWay).map(([kind, count]) =>
    /Bytes$/.test(kind) ? `${kind} ${formatBytes(count)}` : `${kind} ${count}`,
  );
  return [
    `  Process   ${(summary.processorShare * 100).toFixed(0)} % of a processor, ` +
      `${formatBytes(gauges.process_resident_memory_bytes)} of memory, ` +
      `${formatCount(gauges.process_open_fds)} open files, ` +
      `event loop late by ${formatTime(gauges.nodejs_eventloop_lag_p99_seconds ?? null)} (p99)`,
    `  Database  ${formatCount(gauges.database_connections)} connections, ` +
      `${formatCount(gauges.database_waiting)} waiting for one`,
    `  Events    ${formatCount(gauges.event_waiters)} agents wait; hints: ` +
      `${formatRate(hintsRate)}/s sent, ${formatCount(gauges.hints_waiting)} waiting`,
    `  Disk      ${formatBytes(gauges.disk_free_bytes)} free, ` +
      `refuses uploads below ${formatBytes(gauges.disk_floor_bytes)}`,
    `  Under way ${kinds.join(', ')}`,
  ];
}

function renderNode({ url, state, summary }: NodeStatus): string[] {
  if (!summary) return [`${url}: ${state}`];
  return [
    `${url}: ${state}, up ${formatAge(summary.uptimeSeconds)}`,
    renderRow(['Operation', 'calls/s', 'median', '99 %', 'refused/s', 'failed/s']),
    ...[...summary.operations, summary.all].map(renderOperation),
    ...renderHeld(summary),
  ];
}

/** Renders the state of all nodes as lines. */
export const renderStatus = (nodes: readonly NodeStatus[], now: string): string =>
  [`Stoa at ${now}`, ...nodes.flatMap((node) => ['', ...renderNode(node)])].join('\n');
