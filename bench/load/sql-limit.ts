import pg from 'pg';
import type { Statement } from './statements.ts';
import { type Round, roundOf } from '../measure/stats.ts';

/** Connections to the database with nothing in between. */
export interface SqlLimit extends AsyncDisposable {
  /** Keeps every connection busy with one statement after the other. */
  measure(seconds: number, next: () => Statement): Promise<Round>;
  /** Runs a statement once, however long it takes. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** Times as text, as the service reads them: a Date for each would be measured otherwise. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 1184 ? String : pg.types.getTypeParser(oid, format as 'text'),
};

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
      const work = async (client: pg.Client) => {
        for (let at = performance.now(); at - began < seconds * 1000; ) {
          await client.query(next() as pg.QueryConfig);
          const now = performance.now();
          latencies.push(now - at);
          at = now;
        }
      };
      await Promise.all(clients.map(work));
      return roundOf(latencies, (performance.now() - began) / 1000);
    },
    run: async (text, values = []) => (await clients[0]?.query(text, [...values]))?.rows ?? [],
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
