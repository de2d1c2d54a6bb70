import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** A longer answer says too little about the moment of which it tells. */
const MAX_ROUND_TRIP_MS = 500;

/**
 * Measures by how many milliseconds a clock of this machine is ahead of the database's; negative
 * when it is behind. Null where the answer took too long.
 */
export async function measureLead(db: Queryable, clock: () => number): Promise<number | null> {
  const before = clock();
  const found = await db.first<{ readonly at: number }>(
    sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at`,
  );
  const after = clock();
  if (!found || after - before > MAX_ROUND_TRIP_MS) return null;
  return Math.round((before + after) / 2 - found.at);
}
