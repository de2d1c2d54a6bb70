import type pg from 'pg';
import { DatabaseUnavailable, isUnavailable } from './database-errors.ts';
import { createLoader, type Load } from './loader.ts';
import type { Sql } from './sql.ts';
import { createStatementNames } from './statement-names.ts';
import { createSemaphore } from './turns/semaphore.ts';
import { type StatementWatcher, watchStatement } from './watch-statements.ts';

/** Runs statements: the pool, which runs each one on its own, or a transaction. */
export interface Queryable {
  /** Returns all rows. */
  rows<Row>(query: Sql): Promise<Row[]>;
  /** Returns the first row, or undefined. */
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** Returns the number of affected rows. */
  run(query: Sql): Promise<number>;
  /** Reads for one row, in one statement with equal reads that are requested at the same time. */
  readonly load: Load;
}

const nameStatement = createStatementNames();

/**
 * Adds the name of the prepared statement to texts that are sent often, so that PostgreSQL parses
 * and plans them once per connection.
 */
function toPreparedQuery({ text, values }: Sql): pg.QueryConfig {
  const name = nameStatement(text);
  return name === undefined ? { text, values } : { name, text, values };
}

/** Converts an error of the driver to the one that callers get. */
export function toDatabaseError(error: unknown): unknown {
  return isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

type RunQuery = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Builds what runs statements from a function that sends one. `waiting` counts loads not sent. */
export function createQueryable(
  run: RunQuery,
  watcher?: StatementWatcher,
): Queryable & { readonly waiting: number } {
  const query = (statement: Sql) =>
    watchStatement(watcher, statement.text, () => run(toPreparedQuery(statement))).catch(
      (error: unknown) => {
        throw toDatabaseError(error);
      },
    );
  const rows = async <Row>(statement: Sql) => (await query(statement)).rows as Row[];
  const loader = createLoader(rows);
  return {
    rows,
    first: async <Row>(statement: Sql) => (await query(statement)).rows[0] as Row | undefined,
    run: async (statement) => (await query(statement)).rowCount ?? 0,
    load: loader.load,
    get waiting() {
      return loader.waiting;
    },
  };
}

/**
 * Runs statements on one connection, one after the other, for work that needs the connection itself
 * as well.
 */
export function toQueryable(client: pg.Client): Queryable {
  const turns = createSemaphore(1);
  return createQueryable((config) => turns.run(() => client.query(config)));
}
