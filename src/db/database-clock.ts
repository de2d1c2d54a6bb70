import type { Clock } from '../kernel/clock.ts';
import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/**
 * Measures by how many milliseconds a clock of this machine is ahead of the database's; negative
 * when it is behind. Null where the answer took so long that it says little.
 */
export async function measureLead(
  db: Queryable,
  clock: Clock,
  maxRoundTripMs: number,
): Promise<number | null> {
  const before = clock();
  const found = await db.first<{ readonly at: number }>(
    sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at`,
  );
  const after = clock();
  if (!found || after - before > maxRoundTripMs) return null;
  return Math.round((before + after) / 2 - found.at);
}
