import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../../db/database.ts';

/** Somebody who asks for what others may be asking for too. */
interface Asker<Shared> {
  /**
   * Whether the read of this asker would wait for none of its own. Nobody waits for the turn of
   * somebody who has taken so many that the next one must wait.
   */
  readonly mayLead: () => boolean;
  /** Reads for all who share it, also when this asker has left. */
  readonly read: () => Promise<Shared>;
  /** Reads for this asker alone. */
  readonly readAlone: () => Promise<Shared>;
}

interface Outcome {
  readonly leader: Asker<unknown>;
  readonly reading: Promise<unknown>;
}

interface Reads {
  running: Promise<unknown>;
  /** The read after the running one, if somebody asked for it. */
  next: { readonly askers: Asker<unknown>[]; readonly outcome: Promise<Outcome | null> } | null;
}

const readsOf = new WeakMap<Queryable, Map<string, Reads>>();

const getReads = (db: Queryable): Map<string, Reads> => {
  const reads = readsOf.get(db) ?? new Map<string, Reads>();
  readsOf.set(db, reads);
  return reads;
};

/**
 * Lets one of the askers read when the running read is over and all requests that have arrived are
 * among them. Null if none of them may lead.
 */
async function startNext(reads: Reads, askers: readonly Asker<unknown>[], forget: () => void) {
  await reads.running;
  await nextTurn();
  reads.next = null;
  const leader = askers.find(({ mayLead }) => mayLead());
  const reading = leader?.read();
  const running = Promise.allSettled([reading]);
  reads.running = running;
  void running.then(() => reads.running === running && !reads.next && forget());
  return leader && reading ? { leader, reading } : null;
}

/**
 * Reads what `key` names once for all who ask for it at the same time: those who come during a read
 * share the next one. Nobody gets what was read before it was asked for, because a deletion takes
 * effect for all readers at commit. A failure is nobody else's: whoever shared it reads alone.
 * Errors: those of `read` and `readAlone`.
 */
export async function shareNextRead<Shared>(
  db: Queryable,
  key: string,
  asker: Asker<Shared>,
): Promise<Shared> {
  // One pool of connections has one such read, so that whoever waits gets what their own would.
  const all = getReads(db);
  const reads = all.get(key) ?? { running: Promise.resolve(), next: null };
  all.set(key, reads);
  if (reads.next) reads.next.askers.push(asker);
  else {
    const askers: Asker<unknown>[] = [asker];
    reads.next = { askers, outcome: startNext(reads, askers, () => all.delete(key)) };
  }
  const outcome = await reads.next.outcome;
  if (!outcome) return asker.readAlone();
  if (outcome.leader === asker) return outcome.reading as Promise<Shared>;
  return outcome.reading.catch(asker.readAlone) as Promise<Shared>;
}
