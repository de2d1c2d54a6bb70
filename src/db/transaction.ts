import type pg from 'pg';
import { findErrorCode } from './database-errors.ts';
import { createQueryable, type Queryable, toDatabaseError } from './queryable.ts';
import type { Sql } from './sql.ts';
import { type StatementWatcher, watchStatement } from './watch-statements.ts';

/** One transaction on one connection. */
export interface Transaction extends Queryable {
  /**
   * Sends a statement without waiting for its result. COMMIT waits for it, and an error rolls
   * everything back. The last writes of a transaction, its idempotency record and COMMIT thus
   * travel together, in one round trip instead of four.
   */
  send(query: Sql): void;
}

/**
 * The queues of reads with a time limit: `long` for searches and site maps, `slow` for searches of
 * callers whose last ones took very long, `lists` for lists, `deep` for pages of lists at a deep
 * offset, and `figures` for what research counts. Few of each run at once.
 */
export type ReadQueue = 'long' | 'slow' | 'lists' | 'deep' | 'figures';

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
  /**
   * Whether it is a short read of several statements that must agree. They see one snapshot, within
   * the time limit of reads, and count as a read: they wait for no transaction's turn.
   */
  readonly isSnapshot?: boolean;
  /** Which queue a read waits in, so that what it costs delays only its like. Default: `long`. */
  readonly queue?: ReadQueue;
  /**
   * Whose transaction it is: an agent's id or an address. Callers take turns while transactions
   * wait. Default: the service itself, whose jobs are one caller.
   */
  readonly caller?: string;
  /**
   * Whether it begins at once, beside those that wait for their turn. This is for somebody who has
   * one transaction at a time and serves many callers with it.
   */
  readonly skipsQueue?: boolean;
  /**
   * How long to wait for a row that another transaction has locked, in milliseconds.
   * Errors: DatabaseUnavailable when it takes longer.
   */
  readonly lockTimeoutMs?: number;
}

/** The setting for statements over arrays, see `genericPlans`. */
export const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/** Connections have the time limit of reads, which a snapshot keeps. */
const buildBegin = (
  { genericPlans, statementTimeoutMs, isSnapshot, lockTimeoutMs }: TransactionOptions,
  writeTimeoutMs: number,
): string =>
  isSnapshot
    ? BEGIN_SNAPSHOT
    : [
        statementTimeoutMs === undefined ? 'BEGIN' : BEGIN_SNAPSHOT,
        `SET LOCAL statement_timeout = ${statementTimeoutMs ?? writeTimeoutMs}`,
        ...(genericPlans ? [`SET LOCAL ${GENERIC_PLANS}`] : []),
        ...(lockTimeoutMs === undefined ? [] : [`SET LOCAL lock_timeout = ${lockTimeoutMs}`]),
      ].join('; ');

/** The SQLSTATE of a warning, and of a statement whose outcome is unknown. */
const WARNING = '01000';
const UNKNOWN_OUTCOME = '40003';

/** Connections on which a commit was not waited for until the end. */
const hasty = new WeakSet<object>();

/**
 * Notes when the server stops waiting for a synchronous standby, because somebody cancelled the
 * statement. It warns, and reports the commit as done, although a failover would lose it.
 */
export const watchCommits = (client: pg.PoolClient): void =>
  void client.on('notice', ({ code }: { readonly code?: string | undefined }) => {
    if (code === WARNING) hasty.add(client);
  });

function assertReplicated(client: pg.PoolClient): void {
  if (!hasty.delete(client)) return;
  const message = 'The server did not wait until a standby had the commit.';
  throw Object.assign(new Error(message), { code: UNKNOWN_OUTCOME });
}

/** What a transaction came to. */
export interface Outcome<Result> {
  readonly result: Result;
  /** Settles when the connection may serve others; rejects when it may not. */
  readonly ended: Promise<unknown>;
}

const onlyReads = ({ isSnapshot, statementTimeoutMs }: TransactionOptions): boolean =>
  isSnapshot === true || statementTimeoutMs !== undefined;

/**
 * Runs `work` once in a transaction of a connection, and rolls it back when it fails. What only
 * reads has its result before its COMMIT, which promises nothing.
 * Errors: those of `work`, and PostgreSQL's own.
 */
export async function attemptTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<Result>,
  options: TransactionOptions,
  writeTimeoutMs: number,
  watcher?: StatementWatcher,
): Promise<Outcome<Result>> {
  const sent: Promise<unknown>[] = [];
  let failure: unknown;
  const noteFailure = (error: unknown): never => {
    failure ??= error;
    throw error;
  };
  const { rows, first, run, load } = createQueryable(
    (config) => client.query(config).catch(noteFailure),
    watcher,
  );
  const command = (text: string) => watchStatement(watcher, text, () => client.query(text));
  const watch = (answer: Promise<unknown>) => {
    answer.catch(() => {});
    sent.push(answer);
  };
  watch(command(buildBegin(options, writeTimeoutMs)).catch(noteFailure));
  const send = (query: Sql) => watch(run(query));
  hasty.delete(client);
  try {
    const result = await work({ rows, first, run, load, send });
    const commit = command('COMMIT');
    commit.catch(() => {});
    await Promise.all(sent);
    if (onlyReads(options) && failure === undefined) return { result, ended: commit };
    if ((await commit).command !== 'COMMIT')
      throw new Error('The transaction was rolled back by an error that was not reported.');
    assertReplicated(client);
    return { result, ended: commit };
  } catch (error) {
    await Promise.allSettled(sent);
    await command('ROLLBACK');
    // 25P02 only says that an earlier statement failed. That statement's error says what happened.
    throw findErrorCode(error) === '25P02' && failure !== undefined
      ? toDatabaseError(failure)
      : error;
  }
}
