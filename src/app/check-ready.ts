import type { Queryable } from '../db/database.ts';
import { findMigration, latestMigration } from '../db/migrate.ts';

/** Whether a process can answer, and if not, what its operator can do. */
type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** Returns whether the store can be reached and has all migrations of this program. */
export async function checkReady(db: Queryable): Promise<Readiness> {
  try {
    const current = await findMigration(db);
    return current >= latestMigration
      ? { ready: true }
      : { ready: false, reason: 'Migrations are missing. Run: stoa migrate.' };
  } catch {
    return { ready: false, reason: 'The store cannot be reached.' };
  }
}
