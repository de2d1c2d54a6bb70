import pg from 'pg';
import { buildClientConfig, READ_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from './client-config.ts';
import { type Connection, getHosts } from './connection.ts';
import { getClientClass, getSocket, tryServers } from './create-client.ts';
import {
  DatabaseUnavailable,
  findErrorCode,
  isRetryable,
  isUnavailable,
  wasRolledBack,
} from './database-errors.ts';
import { createQueryable, type Queryable, toDatabaseError } from './queryable.ts';
import { shareConnection } from './share-connection.ts';
import {
  attemptTransaction,
  GENERIC_PLANS,
  type ReadQueue,
  type Transaction,
  type TransactionOptions,
  watchCommits,
} from './transaction.ts';
import { createTurns, type TurnKind } from './turns/turns.ts';
import type { StatementWatcher } from './watch-statements.ts';

export type { Queryable } from './queryable.ts';
export type { ReadQueue, Transaction, TransactionOptions } from './transaction.ts';
export type { TurnKind } from './turns/turns.ts';

/** A PostgreSQL database with its pools of connections. */
export interface Database extends Queryable, AsyncDisposable {
  readonly connection: Connection;
  /**
   * Runs `work` in a READ COMMITTED transaction, at most three times when it conflicts with another
   * transaction. Errors: DatabaseUnavailable when it conflicts each time.
   */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Runs what a caller reads without a time limit. Callers take turns, for each kind its own. */
  readInTurn<Result>(kind: TurnKind, read: () => Promise<Result>, caller: string): Promise<Result>;
  /** Counts the reads of a caller that wait for their turn. */
  countWaitingTurns(kind: TurnKind, caller: string): number;
  /** Whether one more of these reads of a caller would wait for others of its own. */
  waitsForOwnTurns(kind: TurnKind, caller: string): boolean;
  waitsForOwnReads(queue: ReadQueue, caller: string): boolean;
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
  };
  /** Counts the reads that wait in a queue and will probably begin before one more of a caller. */
  countReadsAhead(queue: ReadQueue, caller: string): number;
  /** Counts the reads that wait in a queue: those of a caller, or all. */
  countWaitingReads(queue: ReadQueue, caller?: string): number;
}

/** Limits of a pool. */
export interface DatabaseOptions {
  /** The maximum number of connections of this process, besides two for `load`. */
  readonly connections?: number;
  /** How many transactions run at once; by default one more than the number of processors. */
  readonly writers?: number;
  /**
   * Returns milliseconds that never go back. With it, short reads overtake long ones; by default
   * callers only take turns.
   */
  readonly now?: () => number;
  /**
   * The time limit of a statement in milliseconds; by default the service's: 5 seconds for reads
   * and 20 in a transaction.
   */
  readonly statementMs?: number;
  /** Called when an idle connection breaks. The pool replaces it by itself. */
  readonly onError?: (error: Error) => void;
  /** Learns of every statement that is sent for a caller. */
  readonly watcher?: StatementWatcher | undefined;
}

/** How often a transaction is run that conflicts with others. */
const MAX_TRIES = 3;
/** One for all statements of `load`, and one that takes over while a broken one ends. */
const LOADER_CONNECTIONS = 2;
/** The statements of `load` are index probes. One that takes longer has lost its connection. */
const LOADER_TIMEOUT_MS = 5_000;

/** Seconds after which a connection is replaced: what it prepared, and no longer needs, ends. */
const CONNECTION_SECONDS = 600;

/** The SQLSTATE of a write on a server that only reads. */
const READ_ONLY = '25006';

const doNothing = () => {};

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

/**
 * Opens a database. No connection is opened before the first statement.
 * Errors of its methods: DatabaseUnavailable when the database cannot answer now; otherwise
 * PostgreSQL's own errors.
 */
export function openDatabase(connection: Connection, options: DatabaseOptions = {}): Database {
  const clients = new Set<pg.PoolClient>();
  const abandon = () => {
    for (const client of clients) getSocket(client).destroy();
  };
  const hosts = getHosts(connection);
  hosts?.onGiveUp(abandon);
  /** After a failover the former primary may still answer, and takes no writes. */
  const leaveStandby = (error: unknown): never => {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    if (hosts && findErrorCode(cause) === READ_ONLY) abandon();
    throw error;
  };
  const openPool = (max: number, config: pg.ClientConfig) => {
    const Client = getClientClass(connection);
    const pool = new pg.Pool({
      ...config,
      Client,
      pipeline: true,
      max,
      maxLifetimeSeconds: CONNECTION_SECONDS,
    } as pg.PoolConfig);
    pool.on('error', (error) => options.onError?.(error));
    // A connection that breaks while it is in use reports the error to its query too. Without a
    // listener Node would end the process.
    pool.on('connect', (client) => {
      client.on('error', doNothing);
      watchCommits(client);
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
  const loaderPool = openPool(
    LOADER_CONNECTIONS,
    buildClientConfig(connection, { settings: [GENERIC_PLANS], statementMs: LOADER_TIMEOUT_MS }),
  );

  const { writers, readers, turns } = createTurns(options.writers, options.now);
  const connect = () => tryServers(connection, () => pool.connect());

  async function runOnce<Result>(
    work: (tx: Transaction) => Promise<Result>,
    transactionOptions: TransactionOptions,
  ): Promise<Result> {
    const client = await connect();
    try {
      const { result, ended } = await attemptTransaction(
        client,
        work,
        transactionOptions,
        statementMs ?? STATEMENT_TIMEOUT_MS,
        options.watcher,
      ).catch(leaveStandby);
      void ended.then(
        () => client.release(),
        () => client.release(true),
      );
      return result;
    } catch (error) {
      // A connection that could not even roll back is not used again.
      const cause = error instanceof DatabaseUnavailable ? error.cause : error;
      client.release(isUnavailable(cause) && !wasRolledBack(cause));
      throw error;
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
        if (!isRetryable(error)) throw toDatabaseError(error);
        if (tries === MAX_TRIES) throw new DatabaseUnavailable(error);
      }
    }
  }

  const { rows, first, run } = createQueryable(
    (query) =>
      hosts
        ? connect().then((client) =>
            client
              .query(query)
              .catch(leaveStandby)
              .finally(() => client.release()),
          )
        : pool.query(query),
    options.watcher,
  );
  const loader = createQueryable(shareConnection(loaderPool), options.watcher);
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
        const queues = [writers, ...Object.values(turns), ...Object.values(readers), loader];
        return queues.reduce((sum, { waiting }) => sum + waiting, pool.waitingCount);
      },
    },
    countReadsAhead: (queue, caller) => readers[queue].countAhead(caller),
    countWaitingReads: (queue, caller) =>
      caller === undefined ? readers[queue].waiting : readers[queue].countWaiting(caller),
    readInTurn: (kind, read, caller) => turns[kind].run(read, caller),
    countWaitingTurns: (kind, caller) => turns[kind].countWaiting(caller),
    waitsForOwnTurns: (kind, caller) => turns[kind].waitsForOwn(caller),
    waitsForOwnReads: (queue, caller) => readers[queue].waitsForOwn(caller),
    transaction(work, transactionOptions = {}) {
      const {
        statementTimeoutMs,
        isSnapshot,
        queue = 'long',
        caller,
        skipsQueue,
      } = transactionOptions;
      if (skipsQueue || isSnapshot) return runWithRetries(work, transactionOptions);
      const semaphore = statementTimeoutMs === undefined ? writers : readers[queue];
      return semaphore.run(() => runWithRetries(work, transactionOptions), caller);
    },
    abandon,
    [Symbol.asyncDispose]: async () => void (await Promise.all([pool.end(), loaderPool.end()])),
  };
}
