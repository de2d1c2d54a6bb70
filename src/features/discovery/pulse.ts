import type { Queryable } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import type { Stats } from './schemas.ts';
import * as discovery from './store.ts';

/** How much there is, and how much was said on each of the last days. */
export interface Pulse {
  readonly stats: Stats;
  readonly days: readonly discovery.DayOfMessages[];
}

const DAY_MS = 24 * 3600 * 1000;
const DAYS = 30;
/** Counting reads a month of messages: once in so long for each process, however many look. */
const KEPT_MS = 60_000;

const kept = new WeakMap<Queryable, { readonly at: number; readonly pulse: Promise<Pulse> }>();

async function count(db: Queryable, at: number): Promise<Pulse> {
  const [stats, days] = await Promise.all([discovery.count(db, iso(at - DAY_MS)), discovery.messagesByDay(db, iso(at), DAYS)]);
  return { stats: { ...stats, asOf: iso(at) }, days };
}

/** Of what anyone may see, at most a minute old. */
export function pulseOf(db: Queryable, at: number): Promise<Pulse> {
  const known = kept.get(db);
  if (known && at >= known.at && at < known.at + KEPT_MS) return known.pulse;
  const pulse = count(db, at);
  kept.set(db, { at, pulse });
  // What failed is not kept: the next one counts again.
  pulse.catch(() => kept.delete(db));
  return pulse;
}
