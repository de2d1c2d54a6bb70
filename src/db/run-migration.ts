import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { findErrorCode } from './database-errors.ts';
import type { Migration } from './migrations/migration.ts';

/**
 * How long a statement waits for a lock. Whoever comes later waits behind it, and a cycle of waits
 * ends before PostgreSQL would look for one and refuse somebody's call (`deadlock_timeout`).
 */
const LOCK_TIMEOUT_MS = 100;
const PAUSE_MS = 300;
/** The lock was not to be had in time, or the cycle was found first. */
const BUSY = ['55P03', '40P01'];

/** Repeats `run` until it gets its locks. Calls `wait` once, before the first repetition. */
async function runUntilFree(
  run: () => Promise<unknown>,
  wait: () => void,
  giveUp?: () => Promise<unknown>,
) {
  for (let tries = 1; ; tries++) {
    try {
      await run();
      return;
    } catch (error) {
      await giveUp?.().catch(() => {});
      if (!BUSY.includes(findErrorCode(error))) throw error;
      if (tries === 1) wait();
      await sleep(PAUSE_MS);
    }
  }
}

const runTransaction = (
  client: pg.Client,
  run: () => Promise<unknown>,
  wait: () => void,
): Promise<void> =>
  runUntilFree(
    async () => {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await run();
      await client.query('COMMIT');
    },
    wait,
    () => client.query('ROLLBACK'),
  );

/**
 * Runs a statement outside of transactions. What an index that failed left behind is in the way of
 * the next attempt, so only the whole migration can run again after that.
 */
const runOutside = (client: pg.Client, statement: string, wait: () => void): Promise<unknown> =>
  statement.startsWith('CREATE INDEX')
    ? client.query(statement)
    : runUntilFree(() => client.query(statement), wait);

/**
 * Runs a migration and records it, together with its last step where that is a transaction. Others
 * read and write meanwhile: no statement of a transaction waits for a lock, while others wait
 * behind it, for longer than a tenth of a second. `report` gets a sentence for people when a step
 * has to wait.
 */
export async function runMigration(
  client: pg.Client,
  { id, name, sql }: Migration,
  report: (text: string) => void = () => {},
): Promise<void> {
  const steps = typeof sql === 'string' ? [sql] : sql;
  const wait = () =>
    report(`Migration ${id} (${name}) waits for a lock that others have, and tries again.`);
  const last = steps.at(-1);
  for (const step of typeof last === 'string' ? steps.slice(0, -1) : steps) {
    if (typeof step === 'string') await runTransaction(client, () => client.query(step), wait);
    else await runOutside(client, step.outside, wait);
  }
  const finish = async () => {
    if (typeof last === 'string') await client.query(last);
    await client.query('INSERT INTO migrations (id, name) VALUES ($1, $2)', [id, name]);
  };
  await runTransaction(client, finish, wait);
}
