import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** An arbitrary constant. All processes that migrate one database take the same lock. */
export const MIGRATION_LOCK = 7_303_014_001;

const POLL_MS = 100;

/** Runs work of a session while nobody migrates the database. */
export async function holdMigrations<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockMigrations(client, 'alone');
  try {
    return await work();
  } finally {
    // A session that is gone has no locks.
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {});
  }
}

/**
 * Takes the lock of migrations for a session, alone or with others that only prevent them. It asks
 * again and again: a statement that waits would have a snapshot, for whose end the builder of an
 * index waits, while this one waits for the builder.
 */
export async function lockMigrations(client: pg.Client, mode: 'alone' | 'shared'): Promise<void> {
  const take = mode === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  for (;;) {
    const { rows } = await client.query(`SELECT ${take}($1) AS taken`, [MIGRATION_LOCK]);
    if (rows[0]?.taken) return;
    await sleep(POLL_MS);
  }
}
