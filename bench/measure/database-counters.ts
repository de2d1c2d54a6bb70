import type { SqlLimit } from '../load/sql-limit.ts';

/** What a PostgreSQL has counted since its start. */
export interface DatabaseCounters {
  readonly transactions: number;
  readonly walRecords: number;
  readonly walBytes: number;
  readonly walFlushes: number;
}

/** Reads the counters of a database. Backends report what they did within a second. */
export async function readDatabaseCounters(sql: SqlLimit): Promise<DatabaseCounters> {
  const [row] = await sql.run(`
    SELECT d.xact_commit::float8 AS transactions, w.wal_records::float8 AS records,
      w.wal_bytes::float8 AS bytes,
      (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS flushes
    FROM pg_stat_database d, pg_stat_wal w
    WHERE d.datname = current_database()`);
  return {
    transactions: Number(row?.transactions),
    walRecords: Number(row?.records),
    walBytes: Number(row?.bytes),
    walFlushes: Number(row?.flushes),
  };
}

/** Counts what backends wait for, by name, from samples of what is active. */
export interface WaitSampler {
  /** Ends it. Returns the mean number of backends that waited for each event. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

const BETWEEN_SAMPLES_MS = 20;

/** Starts to sample what active backends wait for; `running` is none of it. */
export function sampleWaits(sql: SqlLimit): WaitSampler {
  const counts = new Map<string, number>();
  let samples = 0;
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const rows = await sql.run(`
        SELECT coalesce(wait_event_type || ': ' || wait_event, 'running') AS event,
          count(*)::int AS count
        FROM pg_stat_activity
        WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        GROUP BY 1`);
      samples++;
      for (const { event, count } of rows)
        counts.set(String(event), (counts.get(String(event)) ?? 0) + Number(count));
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_SAMPLES_MS));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return new Map([...counts].map(([event, count]) => [event, count / samples]));
    },
  };
}
