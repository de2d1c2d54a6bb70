import type { Queryable } from '../../db/database.ts';

interface Reads {
  running: Promise<unknown>;
  /** The read after the running one, if somebody asked for it. */
  next: Promise<unknown> | null;
}

const readsOf = new WeakMap<Queryable, Reads>();

/**
 * Reads something that is the same for everybody once for all who ask at the same time: those who
 * come during a read share the next one. Nobody gets what was read before it was asked for, because
 * a deletion takes effect for all readers at commit. Errors: those of `read`.
 */
export function shareNextRead<Shared>(db: Queryable, read: () => Promise<Shared>): Promise<Shared> {
  const reads = readsOf.get(db) ?? { running: Promise.resolve(), next: null };
  readsOf.set(db, reads);
  reads.next ??= reads.running.then(() => {
    reads.next = null;
    const reading = read();
    reads.running = reading.catch(() => {});
    return reading;
  });
  // One connection pool has one such read, so that whoever waits here gets what their own would.
  return reads.next as Promise<Shared>;
}
