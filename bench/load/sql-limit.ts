import pg from 'pg';
import { type Round, toRound } from '../measure/stats.ts';
import type { Statement } from './statements.ts';

/** Plain connections to the database. */
export interface SqlLimit extends AsyncDisposable {
  /** Runs one statement after the other on every connection. */
  measure(seconds: number, next: () => Statement): Promise<Round>;
  /** Runs a statement once, however long it takes. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/**
 * Times remain text, as in the service. Otherwise the creation of Date objects would be measured.
 */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 1184 ? String : pg.types.getTypeParser(oid, format as 'text'),
};

/** Opens a number of connections. */
export async function connectSql(
  connection: pg.ClientConfig,
  connections: number,
): Promise<SqlLimit> {
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ ...connection, types }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  return {
    async measure(seconds, next) {
      const latencies: number[] = [];
      const began = performance.now();
      const runStatements = async (client: pg.Client) => {
        for (let at = performance.now(); at - began < seconds * 1000; ) {
          await client.query(next() as pg.QueryConfig);
          const now = performance.now();
          latencies.push(now - at);
          at = now;
        }
      };
      await Promise.all(clients.map(runStatements));
      return toRound(latencies, (performance.now() - began) / 1000);
    },
    run: async (text, values = []) => (await clients[0]?.query(text, [...values]))?.rows ?? [],
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
