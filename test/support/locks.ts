import type { Database, Queryable } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { waitUntil } from './factories.ts';

/** Counts the statements of this database that wait for a lock that another one has. */
export async function countWaitingForLocks(db: Queryable): Promise<number> {
  const [found] = await db.rows<{ waits: number }>(sql`
    SELECT count(*)::int AS waits
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
  `);
  return found?.waits ?? 0;
}

/** Waits until so many statements of this database wait for locks that others have. */
export const waitForLocks = (db: Queryable, count: number): Promise<void> =>
  waitUntil(
    `${count} statements wait for a lock`,
    async () => (await countWaitingForLocks(db)) >= count,
  );

/** Runs something while a lock is held. */
export const whileLocked = (db: Database, lock: Sql, run: () => Promise<void>): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.run(lock);
    await run();
  });
