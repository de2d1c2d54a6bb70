import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** An answer that takes longer says too little about the moment of which it tells. */
const SHORT_MS = 500;
/** How often a clock is read for a short answer: the first one may have to connect. */
const TRIES = 3;

/** When the clock of the database was asked and had answered, by a local one, and what it said. */
interface ClockReading {
  readonly before: number;
  readonly at: number;
  readonly after: number;
}

/**
 * Computes by how many milliseconds the local clock is ahead of the other one at least; negative
 * when it is behind, and 0 where the answer took so long that they may agree.
 */
export const computeLead = ({ before, at, after }: ClockReading): number =>
  Math.max(before - at, 0) - Math.max(at - after, 0);

/** Measures by how many milliseconds a clock of this machine is ahead of the database's. */
export async function measureLead(db: Queryable, clock: () => number): Promise<number> {
  let reading: ClockReading | undefined;
  for (let tried = 0; tried < TRIES; tried++) {
    const before = clock();
    const found = await db.first<{ readonly at: number }>(
      sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at`,
    );
    const after = clock();
    if (!found) throw new Error('The database did not tell its time.');
    reading = { before, at: found.at, after };
    if (after - before <= SHORT_MS) return Math.round((before + after) / 2 - found.at);
  }
  return reading ? computeLead(reading) : 0;
}
