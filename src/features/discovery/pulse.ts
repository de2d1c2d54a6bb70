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
/** Who looks after this has it counted again, and does not wait for that. */
const FRESH_MS = 30_000;

interface Kept {
  readonly at: number;
  readonly pulse: Promise<Pulse>;
  /** Whether it is being counted again. */
  renewed: boolean;
}

const kept = new WeakMap<Queryable, Kept>();

async function count(db: Queryable, at: number): Promise<Pulse> {
  const [stats, days] = await Promise.all([
    discovery.count(db, iso(at - DAY_MS)),
    discovery.messagesByDay(db, iso(at), DAYS),
  ]);
  return { stats: { ...stats, asOf: iso(at) }, days };
}

/** Has it counted; what failed is not kept, and the next one counts again. */
function counted(db: Queryable, at: number): Kept {
  const made = { at, pulse: count(db, at), renewed: false };
  made.pulse.catch(() => kept.get(db) === made && kept.delete(db));
  return made;
}

/** Of what anyone may see, at most a minute old. While somebody looks now and then, nobody waits for it. */
export function pulseOf(db: Queryable, at: number): Promise<Pulse> {
  const known = kept.get(db);
  if (!known || at < known.at || at >= known.at + KEPT_MS) {
    const first = counted(db, at);
    kept.set(db, first);
    return first.pulse;
  }
  if (at >= known.at + FRESH_MS && !known.renewed) {
    known.renewed = true;
    const next = counted(db, at);
    next.pulse.then(
      () => kept.get(db) === known && kept.set(db, next),
      () => {},
    );
  }
  return known.pulse;
}
