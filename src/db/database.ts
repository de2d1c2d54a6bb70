import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { clientConfig } from './client-config.ts';
import type { Connection } from './connection.ts';
import {
  codeOf,
  DatabaseUnavailable,
  isRetryable,
  isUnavailable,
  wasRolledBack,
} from './errors.ts';
import { createLoader, type Load } from './loader.ts';
import type { Sql } from './sql.ts';
import { createTurnstile } from './semaphore.ts';

/** Whatever can run a statement: the pool (each statement alone) or a transaction. */
export interface Queryable {
  /** All rows. */
  rows<Row>(query: Sql): Promise<Row[]>;
  /** The first row, or undefined. */
  first<Row>(query: Sql): Promise<Row | undefined>;
  /** Number of rows touched. */
  run(query: Sql): Promise<number>;
  /** What belongs to one row, in one statement with whoever asks the same at the same time. */
  readonly load: Load;
}

/** One transaction on one connection. */
export interface Transaction extends Queryable {
  /**
   * Sends a statement without waiting for its answer; COMMIT waits for it and an error rolls everything back.
   * The last writes of a transaction, its idempotency record and COMMIT so travel together: one round trip, not four.
   */
  send(query: Sql): void;
}

export interface TransactionOptions {
  /**
   * Statements are planned once, for any values: each must run by index whatever they are. For those that run all the time over arrays, for
   * which PostgreSQL would plan anew each time: it knows the length of an array only when it has it.
   */
  readonly genericPlans?: boolean;
  /** Reads only, all of it in one snapshot, each statement for so many milliseconds at most. Errors: DatabaseUnavailable when one takes longer. */
  readonly readFor?: number;
  /** How long to wait for a row that someone else holds, in milliseconds. Errors: DatabaseUnavailable when it takes longer. */
  readonly lockFor?: number;
}

export interface Database extends Queryable, AsyncDisposable {
  readonly connection: Connection;
  /** Runs `work` in a READ COMMITTED transaction; again, up to three times, when PostgreSQL says that it only met another one. */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Connections: all, idle, and callers waiting for one, for their transaction's turn or for their part of a statement. */
  /** Breaks all connections off: what waits for the database ends with an error, now. */
  abandon(): void;
  readonly pool: {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
  };
}

export interface DatabaseOptions {
  /** Connections of this process at most, besides two for `load`. */
  readonly connections?: number;
  /** Transactions of this process that run at once; by default as many as there are processors, and one. */
  readonly writers?: number;
  /** How long a statement may take; by default as long as one of the service, 20 seconds. */
  readonly statementMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly onError?: (error: Error) => void;
}

/** Connections for `load`, whose statements are probes of an index: one that takes longer than this has lost its connection. */
const LOADING = 2;
const LOADING_MS = 5_000;

const names = new Map<string, string>();

/** A prepared statement's name, one for each text: PostgreSQL then parses and plans it once a connection. */
function prepared(query: Sql): pg.QueryConfig {
  const text = query.text;
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return { name, text, values: query.values };
}

function translate(error: unknown): unknown {
  return isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

type Run = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

function queryable(run: Run): Queryable & { readonly waiting: number } {
  const query = (statement: Sql) =>
    run(prepared(statement)).catch((error: unknown) => {
      throw translate(error);
    });
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

const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

const ignore = () => {};

const socketOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Lets statements that are sent within one turn of the event loop leave in one write: the server then reads them at once instead
 * of being woken for each. Changes the connection itself: a wrapper with the connection as its prototype would make V8 give
 * up on everything the driver does with it, and cost half a millisecond a post.
 */
function cork(client: pg.PoolClient): void {
  const stream = socketOf(client);
  const release = () => {
    held = false;
    stream.uncork();
  };
  let held = false;
  const query = client.query;
  client.query = function corked(this: pg.PoolClient, ...given: unknown[]) {
    if (!held) {
      held = true;
      stream.cork();
      process.nextTick(release);
    }
    return Reflect.apply(query, this, given);
  } as typeof client.query;
}

const begin = ({ genericPlans, readFor, lockFor }: TransactionOptions): string =>
  [
    readFor === undefined
      ? 'BEGIN'
      : `BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL statement_timeout = ${readFor}`,
    ...(genericPlans ? [`SET LOCAL ${GENERIC_PLANS}`] : []),
    ...(lockFor === undefined ? [] : [`SET LOCAL lock_timeout = ${lockFor}`]),
  ].join('; ');

async function attempt<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const sent: Promise<unknown>[] = [];
  const { rows, first, run, load } = queryable((config) => client.query(config));
  let failure: unknown;
  const watch = (answer: Promise<unknown>) => {
    answer.catch((error: unknown) => {
      failure ??= error;
    });
    sent.push(answer);
  };
  watch(client.query(begin(options)));
  const send = (query: Sql) => watch(run(query));
  try {
    const result = await work({ rows, first, run, load, send });
    const commit = client.query('COMMIT');
    commit.catch(ignore);
    await Promise.all(sent);
    if ((await commit).command !== 'COMMIT')
      throw new Error('The transaction was rolled back by an error that nobody reported.');
    return result;
  } catch (error) {
    await Promise.allSettled(sent);
    await client.query('ROLLBACK');
    // 25P02 says only that an earlier statement failed: that one tells what happened.
    throw codeOf(error) === '25P02' && failure !== undefined ? failure : error;
  }
}

/**
 * Opens a pool. No connection is made before the first statement.
 * Errors: DatabaseUnavailable when the store cannot answer now; PostgreSQL's own errors otherwise.
 */
export function openDatabase(connection: Connection, options: DatabaseOptions = {}): Database {
  const clients = new Set<pg.PoolClient>();
  const open = (max: number, config: pg.ClientConfig) => {
    const pool = new pg.Pool({ ...config, pipeline: true, max } as pg.PoolConfig);
    pool.on('error', (error) => options.onError?.(error));
    // A connection that breaks while it is checked out reports the same to its query; without a listener Node would end the process.
    pool.on('connect', (client) => {
      client.on('error', ignore);
      cork(client);
      clients.add(client);
    });
    pool.on('remove', (client) => clients.delete(client));
    return pool;
  };
  const { statementMs } = options;
  const pool = open(
    options.connections ?? 12,
    clientConfig(connection, statementMs === undefined ? {} : { statementMs }),
  );
  // What is asked by `load` goes here, one statement of a kind at a time.
  const loads = open(
    LOADING,
    clientConfig(connection, { settings: [GENERIC_PLANS], statementMs: LOADING_MS }),
  );

  // More would not write more, only wait inside PostgreSQL for the same rows and wake each other: of posts that share their
  // subscribers, three at once reach 950 to 1,100/s on two processors, twelve 840/s. Reads are not counted here.
  const writers = createTurnstile(options.writers ?? availableParallelism() + 1);
  // What may take long must neither hold up posts nor take all connections.
  const readers = createTurnstile(availableParallelism());

  async function once<Result>(
    work: (tx: Transaction) => Promise<Result>,
    how: TransactionOptions,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await attempt(client, work, how);
    } catch (error) {
      // A connection that could not even roll back is not given to anyone else.
      const cause = error instanceof DatabaseUnavailable ? error.cause : error;
      if (isUnavailable(cause) && !wasRolledBack(cause)) broken = new Error('broken');
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function repeatedly<Result>(
    work: (tx: Transaction) => Promise<Result>,
    how: TransactionOptions,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await once(work, how);
      } catch (error) {
        if (tries >= 3 || !isRetryable(error)) throw translate(error);
      }
    }
  }

  const { rows, first, run } = queryable((query) => pool.query(query));
  const loader = queryable((query) => loads.query(query));
  return {
    rows,
    first,
    run,
    load: loader.load,
    connection,
    pool: {
      get totalCount() {
        return pool.totalCount + loads.totalCount;
      },
      get idleCount() {
        return pool.idleCount + loads.idleCount;
      },
      get waitingCount() {
        return pool.waitingCount + writers.waiting + readers.waiting + loader.waiting;
      },
    },
    transaction: (work, how = {}) =>
      (how.readFor === undefined ? writers : readers).run(() => repeatedly(work, how)),
    abandon() {
      for (const client of clients) socketOf(client).destroy();
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all([pool.end(), loads.end()])),
  };
}
