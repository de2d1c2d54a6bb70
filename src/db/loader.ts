import type { Sql } from './sql.ts';

/** A read that a store can make for any number of rows at once; what it finds carries as `nr` the place of its row, from 1. */
export type BulkRead<Row> = (rows: readonly Row[]) => Sql;

/** Finds what belongs to one row, in one statement with whoever asks the same at the same time. */
export type Load = <Found, Row>(statement: BulkRead<Row>, row: Row) => Promise<Found[]>;

export interface Loader {
  readonly load: Load;
  /** Rows that no statement was sent for yet. */
  readonly waiting: number;
}

interface Asked {
  readonly row: unknown;
  readonly resolve: (found: never[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The statements that each request begins with are one index probe each: what they cost is the way to the server and back. Those that
 * are asked within one turn of the event loop, or while one of the kind is under way, go as one.
 */
export function createLoader(rows: (query: Sql) => Promise<{ readonly nr: number }[]>): Loader {
  const waiting = new Map<BulkRead<never>, Asked[]>();

  async function run(statement: BulkRead<never>): Promise<void> {
    for (let asked = waiting.get(statement); asked?.length; asked = waiting.get(statement)) {
      waiting.set(statement, []);
      try {
        const found = await rows(statement(asked.map(({ row }) => row as never)));
        const parts = asked.map((): never[] => []);
        for (const row of found) parts[row.nr - 1]?.push(row as never);
        for (const [index, { resolve }] of asked.entries()) resolve(parts[index] ?? []);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    waiting.delete(statement);
  }

  const load: Load = (statement, row) =>
    new Promise((resolve, reject) => {
      const asked = { row, resolve: resolve as Asked['resolve'], reject };
      const others = waiting.get(statement);
      if (others) others.push(asked);
      else {
        waiting.set(statement, [asked]);
        process.nextTick(() => void run(statement));
      }
    });

  return {
    load,
    get waiting() {
      return [...waiting.values()].reduce((sum, asked) => sum + asked.length, 0);
    },
  };
}
