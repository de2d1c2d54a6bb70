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

/** Runs SQL in one transaction, again until each of its locks is to be had at once. */
async function runTransaction(client: pg.Client, run: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await run();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      if (!BUSY.includes(findErrorCode(error))) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Runs a migration and records it, together with its last step where that is a transaction. Others
 * read and write meanwhile: no statement of a transaction waits for a lock, and keeps others waiting
 * behind it, for longer than a tenth of a second.
 */
export async function runMigration(client: pg.Client, { id, name, sql }: Migration): Promise<void> {
  const steps = typeof sql === 'string' ? [sql] : sql;
  const last = steps.at(-1);
  for (const step of typeof last === 'string' ? steps.slice(0, -1) : steps) {
    if (typeof step === 'string') await runTransaction(client, () => client.query(step));
    else await client.query(step.outside);
  }
  await runTransaction(client, async () => {
    if (typeof last === 'string') await client.query(last);
    await client.query('INSERT INTO migrations (id, name) VALUES ($1, $2)', [id, name]);
  });
}
