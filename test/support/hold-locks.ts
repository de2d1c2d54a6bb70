import type { Database } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { waitUntil } from './factories.ts';

/** Holds locks in a database while calls run into them. */
export function createLockHolder(db: Database) {
  /** Counts the statements of the service that wait for a lock. */
  const countWaiting = async (): Promise<number> => {
    const [found] = await db.rows<{ waits: number }>(sql`
      SELECT count(*)::int AS waits
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `);
    return found?.waits ?? 0;
  };
  return {
    countWaiting,
    /** Waits until so many statements of the service wait for a lock. */
    waitForLocks: (count: number) =>
      waitUntil(`${count} statements wait`, async () => (await countWaiting()) >= count),
    /** Runs something while a lock is held. */
    whileLocked: (lock: Sql, run: () => Promise<void>) =>
      db.transaction(async (tx) => {
        await tx.run(lock);
        await run();
      }),
  };
}
