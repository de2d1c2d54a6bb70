import type { Queryable } from '../../db/database.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import * as fanouts from './fanout-slices.store.ts';

/**
 * The number of subscribers notified at once. It is small enough that their other events hardly
 * wait for it. After a failure, such as a disk that takes seconds, slices are smaller for a while.
 */
const MAX_SLICE = 500;
const MIN_SLICE = 10;

/**
 * Notifies the next slice of subscribers of a message that had too many of them to notify at once.
 * Returns the ids of the agents that were notified, or null when nothing is left to do.
 */
type NotifySubscribers = (db: Queryable) => Promise<readonly string[] | null>;

/**
 * Creates a walk over the authors who wait, which gives each of them, and each thread, at most one
 * slice in a round. The oldest message of all once went first, and 300 posts in one thread made the
 * subscribers of another wait for 44 s. Then threads took turns, and whoever started 200 had as
 * many. Any number of nodes may walk, each at its own place.
 */
export function createNotifySubscribers(): NotifySubscribers {
  let after = NIL_UUID;
  let size = MAX_SLICE;
  const served = new Set<string>();

  const notifyNext = async (db: Queryable, authorId: string) => {
    const tried = size;
    size = Math.max(MIN_SLICE, Math.floor(tried / 2));
    try {
      const slice = await fanouts.notifySlice(db, { authorId, served: [...served] }, tried);
      size = Math.min(MAX_SLICE, tried * 2);
      after = authorId;
      if (slice) served.add(slice.threadId);
      return slice;
    } catch (error) {
      // An author whose smallest slice fails must not keep all others waiting.
      if (tried === MIN_SLICE) after = authorId;
      throw error;
    }
  };

  return async (db) => {
    // What is left of this round, and a whole one: nothing is left to do if that is empty, too.
    for (let rounds = after === NIL_UUID ? 1 : 2; rounds > 0; rounds--) {
      for (;;) {
        const authorId = await fanouts.findNextAuthor(db, after);
        if (authorId === null) break;
        const slice = await notifyNext(db, authorId);
        if (slice) return slice.notified;
      }
      after = NIL_UUID;
      served.clear();
    }
    return null;
  };
}
