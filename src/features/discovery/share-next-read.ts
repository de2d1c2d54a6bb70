import type { Queryable } from '../../db/database.ts';
import type { Page } from '../../kernel/html/page.ts';

interface Reads {
  running: Promise<unknown>;
  /** The read after the running one, if somebody asked for it. */
  next: Promise<Page> | null;
}

const readsOf = new WeakMap<Queryable, Reads>();

/**
 * Reads a page that is the same for everybody once for all who ask at the same time: those who come
 * during a read share the next one. Nobody gets a page that was read before it was asked for,
 * because a deletion takes effect for all readers at commit. Errors: those of `read`.
 */
export function shareNextRead(db: Queryable, read: () => Promise<Page>): Promise<Page> {
  const reads = readsOf.get(db) ?? { running: Promise.resolve(), next: null };
  readsOf.set(db, reads);
  reads.next ??= reads.running.then(() => {
    reads.next = null;
    const reading = read();
    reads.running = reading.catch(() => {});
    return reading;
  });
  return reads.next;
}
