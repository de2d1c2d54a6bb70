import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { buildClientConfig, READ_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './client-config.ts';
import type { Connection } from './connection.ts';
import {
  DatabaseUnavailable,
  findErrorCode,
  isRetryable,
  isUnavailable,
  wasRolledBack,
} from './database-errors.ts';
import { createLoader, type Load } from './loader.ts';
import { createSemaphore } from './semaphore.ts';
import type { Sql } from './sql.ts';

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

/** One transaction on one connection. */
export interface Transaction extends Queryable {
  /**
   * Sends a statement without waiting for its result. COMMIT waits for it, and an error rolls
   * everything back. The last writes of a transaction, its idempotency record and COMMIT thus
   * travel together, in one round trip instead of four.
   */
  send(query: Sql): void;
}

/** How to run a transaction. */
export interface TransactionOptions {
  /**
   * Whether PostgreSQL plans each statement once, for any values, so each must use an index
   * whatever its values are. This is for frequent statements over arrays. PostgreSQL knows the
   * length of an array only at execution and would otherwise plan them each time.
   */
  readonly genericPlans?: boolean;
  /**
   * The time limit of each statement in milliseconds. The transaction only reads, in one snapshot.
   * Errors: DatabaseUnavailable when a statement takes longer.
   */
  readonly statementTimeoutMs?: number;
  /** Whether it is the page of a list at a deep offset. Only few of them run at once. */
  readonly isDeepRead?: boolean;
  /**
   * How long to wait for a row that another transaction has locked, in milliseconds.
   * Errors: DatabaseUnavailable when it takes longer.
   */
  readonly lockTimeoutMs?: number;
}

/** A PostgreSQL database with its pools of connections. */
export interface Database extends Queryable, AsyncDisposable {
  readonly connection: Connection;
  /**
   * Runs `work` in a READ COMMITTED transaction, at most three times when it conflicts with another
   * transaction.
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Closes all connections at once. Calls that wait for the database fail. */
  abandon(): void;
  /**
   * The number of all and of idle connections, and of callers that wait: for a connection, for
   * their transaction's turn, or for a shared statement.
   */
  readonly pool: {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
    /** How many reads at deep offsets wait for their turn. */
    readonly deepWaitingCount: number;
  };
}

/** Limits of a pool. */
export interface DatabaseOptions {
  /** The maximum number of connections of this process, besides two for `load`. */
  readonly connections?: number;
  /** How many transactions run at once; by default one more than the number of processors. */
  readonly writers?: number;
  /**
   * The time limit of a statement in milliseconds; by default the service's: 5 seconds for reads
   * and 20 in a transaction.
   */
  readonly statementMs?: number;
  /** Called when an idle connection breaks. The pool replaces it by itself. */
  readonly onError?: (error: Error) => void;
}

const LOADER_CONNECTIONS = 2;
/** The statements of `load` are index probes. One that takes longer has lost its connection. */
const LOADER_TIMEOUT_MS = 5_000;

const statementNames = new Map<string, string>();

/**
 * Adds the name of the prepared statement, one for each text, so PostgreSQL parses and plans it
 * once per connection.
 */
function toPreparedQuery(query: Sql): pg.QueryConfig {
  const text = query.text;
  const name = statementNames.get(text) ?? `s${statementNames.size}`;
  statementNames.set(text, name);
  return { name, text, values: query.values };
}

function toDatabaseError(error: unknown): unknown {
  return isUnavailable(error) ? new DatabaseUnavailable(error) : error;
}

type RunQuery = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

function createQueryable(run: RunQuery): Queryable & { readonly waiting: number } {
  const query = (statement: Sql) =>
    run(toPreparedQuery(statement)).catch((error: unknown) => {
      throw toDatabaseError(error);
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

/**
 * Runs statements on one connection, one after the other, for work that needs the connection itself
 * as well.
 */
export function toQueryable(client: pg.Client): Queryable {
  const turns = createSemaphore(1);
  return createQueryable((config) => turns.run(() => client.query(config)));
}

const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

const doNothing = () => {};

const getSocket = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Sends the statements of one turn of the event loop in one write. The server then reads them at
 * once instead of being woken for each. The function modifies the connection itself, because V8
 * stops optimizing the driver for a wrapper that has the connection as its prototype. That costs
 * half a millisecond per post (decision 0002).
 */
function corkWrites(client: pg.PoolClient): void {
  const stream = getSocket(client);
  const release = () => {
    isCorked = false;
    stream.uncork();
  };
  let isCorked = false;
  const query = client.query;
  client.query = function corked(this: pg.PoolClient, ...given: unknown[]) {
    if (!isCorked) {
      isCorked = true;
      stream.cork();
      process.nextTick(release);
    }
    return Reflect.apply(query, this, given);
  } as typeof client.query;
}

const buildBegin = (
  { genericPlans, statementTimeoutMs, lockTimeoutMs }: TransactionOptions,
  writeTimeoutMs: number,
): string =>
  [
    statementTimeoutMs === undefined ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY',
    `SET LOCAL statement_timeout = ${statementTimeoutMs ?? writeTimeoutMs}`,
    ...(genericPlans ? [`SET LOCAL ${GENERIC_PLANS}`] : []),
    ...(lockTimeoutMs === undefined ? [] : [`SET LOCAL lock_timeout = ${lockTimeoutMs}`]),
  ].join('; ');

async function attemptTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  options: TransactionOptions,
  writeTimeoutMs: number,
): Promise<Result> {
  const sent: Promise<unknown>[] = [];
  const { rows, first, run, load } = createQueryable((config) => client.query(config));
  let failure: unknown;
  const watch = (answer: Promise<unknown>) => {
    answer.catch((error: unknown) => {
      failure ??= error;
    });
    sent.push(answer);
  };
  watch(client.query(buildBegin(options, writeTimeoutMs)));
  const send = (query: Sql) => watch(run(query));
  try {
    const result = await work({ rows, first, run, load, send });
    const commit = client.query('COMMIT');
    commit.catch(doNothing);
    await Promise.all(sent);
    if ((await commit).command !== 'COMMIT')
      throw new Error('The transaction was rolled back by an error that was not reported.');
    return result;
  } catch (error) {
    await Promise.allSettled(sent);
    await client.query('ROLLBACK');
    // 25P02 only says that an earlier statement failed. That statement's error says what happened.
    throw findErrorCode(error) === '25P02' && failure !== undefined ? failure : error;
  }
}

/**
 * Opens a database. No connection is opened before the first statement.
 * Errors of its methods: DatabaseUnavailable when the database cannot answer now; otherwise
 * PostgreSQL's own errors.
 */
export function openDatabase(connection: Connection, options: DatabaseOptions = {}): Database {
  const clients = new Set<pg.PoolClient>();
  const openPool = (max: number, config: pg.ClientConfig) => {
    const pool = new pg.Pool({ ...config, pipeline: true, max } as pg.PoolConfig);
    pool.on('error', (error) => options.onError?.(error));
    // A connection that breaks while it is in use reports the error to its query too. Without a
    // listener Node would end the process.
    pool.on('connect', (client) => {
      client.on('error', doNothing);
      corkWrites(client);
      clients.add(client);
    });
    pool.on('remove', (client) => clients.delete(client));
    return pool;
  };
  const { statementMs } = options;
  const pool = openPool(
    options.connections ?? 12,
    buildClientConfig(
      connection,
      statementMs === undefined
        ? { settings: [`statement_timeout=${READ_TIMEOUT_MS}`] }
        : { statementMs },
    ),
  );
  // `load` uses these connections, for one statement of a kind at a time.
  const loaderPool = openPool(
    LOADER_CONNECTIONS,
    buildClientConfig(connection, { settings: [GENERIC_PLANS], statementMs: LOADER_TIMEOUT_MS }),
  );

  // More transactions would not write more; they would wait in PostgreSQL for the same rows. With
  // posts that share their subscribers, three at once reach 950 to 1,100/s on two processors,
  // twelve reach 840/s (decision 0003). Reads do not count here.
  const writers = createSemaphore(options.writers ?? availableParallelism() + 1);
  // Long reads must neither delay posts nor use all connections.
  const readers = createSemaphore(availableParallelism());
  const deepReaders = createSemaphore(Math.max(1, Math.floor(availableParallelism() / 2)));

  async function runOnce<Result>(
    work: (tx: Transaction) => Promise<Result>,
    transactionOptions: TransactionOptions,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await attemptTransaction(
        client,
        work,
        transactionOptions,
        statementMs ?? STATEMENT_TIMEOUT_MS,
      );
    } catch (error) {
      // A connection that could not even roll back is not used again.
      const cause = error instanceof DatabaseUnavailable ? error.cause : error;
      if (isUnavailable(cause) && !wasRolledBack(cause)) broken = new Error('broken');
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function runWithRetries<Result>(
    work: (tx: Transaction) => Promise<Result>,
    transactionOptions: TransactionOptions,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await runOnce(work, transactionOptions);
      } catch (error) {
        if (tries >= 3 || !isRetryable(error)) throw toDatabaseError(error);
      }
    }
  }

  const { rows, first, run } = createQueryable((query) => pool.query(query));
  const loader = createQueryable((query) => loaderPool.query(query));
  return {
    rows,
    first,
    run,
    load: loader.load,
    connection,
    pool: {
      get totalCount() {
        return pool.totalCount + loaderPool.totalCount;
      },
      get idleCount() {
        return pool.idleCount + loaderPool.idleCount;
      },
      get waitingCount() {
        const queues = [writers, readers, deepReaders, loader];
        return queues.reduce((sum, { waiting }) => sum + waiting, pool.waitingCount);
      },
      get deepWaitingCount() {
        return deepReaders.waiting;
      },
    },
    transaction(work, transactionOptions = {}) {
      const { statementTimeoutMs, isDeepRead } = transactionOptions;
      const reading = isDeepRead ? deepReaders : readers;
      const semaphore = statementTimeoutMs === undefined ? writers : reading;
      return semaphore.run(() => runWithRetries(work, transactionOptions));
    },
    abandon() {
      for (const client of clients) getSocket(client).destroy();
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all([pool.end(), loaderPool.end()])),
  };
}
