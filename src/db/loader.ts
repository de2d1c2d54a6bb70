import type { Sql } from './sql.ts';

/**
 * A read for any number of rows at once. Each result has as `nr` the position of its row, from 1.
 */
export type BulkRead<Row> = (rows: readonly Row[]) => Sql;

/** Reads for one row, in one statement with equal reads that are requested at the same time. */
export type Load = <Found, Row>(statement: BulkRead<Row>, row: Row) => Promise<Found[]>;

/** Batches reads. */
export interface Loader {
  readonly load: Load;
  /** The number of rows for which no statement was sent yet. */
  readonly waiting: number;
}

interface PendingRow {
  readonly row: unknown;
  readonly resolve: (found: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Rows of one statement. Further ones wait, so that statements of other kinds get between. */
const MAX_ROWS = 256;

/**
 * Creates a loader that batches equal reads. They take a few index probes for each row, so they
 * cost little more than the round trip. Reads that are requested within one turn of the event loop,
 * by any number of callers, or while a statement of their kind is running, become one statement.
 */
export function createLoader(rows: (query: Sql) => Promise<{ readonly nr: number }[]>): Loader {
  const waiting = new Map<BulkRead<never>, PendingRow[]>();

  async function run(statement: BulkRead<never>): Promise<void> {
    for (let queued = waiting.get(statement); queued?.length; queued = waiting.get(statement)) {
      const batch = queued.splice(0, MAX_ROWS);
      try {
        const found = await rows(statement(batch.map(({ row }) => row as never)));
        const parts = batch.map((): never[] => []);
        for (const row of found) parts[row.nr - 1]?.push(row as never);
        for (const [index, { resolve }] of batch.entries()) resolve(parts[index] ?? []);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    waiting.delete(statement);
  }

  // One callback sends all kinds, so that they are written to the server together.
  let due: BulkRead<never>[] = [];
  function runDue(): void {
    const statements = due;
    due = [];
    for (const statement of statements) void run(statement);
  }

  const load: Load = (statement, row) =>
    new Promise((resolve, reject) => {
      const pending = { row, resolve: resolve as PendingRow['resolve'], reject };
      const queued = waiting.get(statement);
      if (queued) queued.push(pending);
      else {
        waiting.set(statement, [pending]);
        if (due.push(statement) === 1) setImmediate(runDue);
      }
    });

  return {
    load,
    get waiting() {
      return [...waiting.values()].reduce((sum, batch) => sum + batch.length, 0);
    },
  };
}
