import { readdirSync } from 'node:fs';
import type { BenchService } from '../load/service.ts';
import type { SqlLimit } from '../load/sql-limit.ts';
import { readResidentMemory } from './memory.ts';

/** What a service holds at one moment, by the name of the measure. */
export type ServiceSample = Readonly<Record<string, number>>;

const MIB = 1024 * 1024;
const TABLES = 6;

/** The metrics of the service that count what it holds, and their names in a sample. */
const metricNames: Readonly<Record<string, string>> = {
  stoa_nodejs_heap_size_used_bytes: 'heap used, MiB',
  stoa_nodejs_external_memory_bytes: 'buffers, MiB',
  stoa_nodejs_active_handles_total: 'handles',
  stoa_nodejs_active_requests_total: 'requests of the system',
  stoa_event_waiters: 'waiting agents',
};

const readMetric = (text: string, name: string): number =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);

/** Reads how many timers run: the metric has one line for each type of resource. */
const readTimers = (text: string): number =>
  Number(/^stoa_nodejs_active_resources\{type="Timeout"[^}]*\} (\S+)/m.exec(text)?.[1] ?? 0);

/** Reads what the service and its database hold now. Dead rows are a share of all, in percent. */
export async function sampleService(
  { pid, url, adminKey }: BenchService,
  sql: SqlLimit,
): Promise<ServiceSample> {
  const answer = await fetch(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } });
  const text = await answer.text();
  const [connections] = await sql.run(
    `SELECT count(*)::int AS n
     FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  const tables = await sql.run(
    `SELECT relname AS name, n_dead_tup::float8 AS dead,
       (n_live_tup + n_dead_tup)::float8 AS rows, pg_total_relation_size(relid)::float8 AS bytes
     FROM pg_stat_user_tables
     ORDER BY pg_total_relation_size(relid) DESC`,
  );
  const sum = (name: string) => tables.reduce((all, row) => all + Number(row[name]), 0);
  const metrics = Object.entries(metricNames).map(([name, title]) => {
    const value = readMetric(text, name);
    return [title, title.endsWith('MiB') ? value / MIB : value] as const;
  });
  return {
    'resident memory, MiB': readResidentMemory(pid).now,
    ...Object.fromEntries(metrics),
    timers: readTimers(text),
    'database connections': Number(connections?.n),
    'file descriptors': readdirSync(`/proc/${pid}/fd`).length,
    'tables, MiB': sum('bytes') / MIB,
    'dead rows, %': (sum('dead') / Math.max(1, sum('rows'))) * 100,
    ...Object.fromEntries(
      tables
        .slice(0, TABLES)
        .map(({ name, dead, rows }) => [
          `dead rows of ${name}, %`,
          (Number(dead) / Math.max(1, Number(rows))) * 100,
        ]),
    ),
  };
}
