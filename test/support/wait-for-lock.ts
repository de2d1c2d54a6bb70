import type { Queryable } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { waitUntil } from './factories.ts';

/** Waits until a transaction of this database waits for a lock that another one has. */
export const waitForLock = (db: Queryable): Promise<void> =>
  waitUntil('a transaction waits for a lock', async () => {
    const waiting = await db.rows(sql`
      SELECT 1
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `);
    return waiting.length > 0;
  });
