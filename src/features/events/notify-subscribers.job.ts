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
 * Creates a walk over the threads that wait, which gives each of them one slice in a round. The
 * oldest message of all threads once went first, and 300 posts in one thread made the subscribers
 * of another wait for 44 s. Any number of nodes may walk, each at its own place.
 */
export function createNotifySubscribers(): NotifySubscribers {
  let after = NIL_UUID;
  let until = 0;
  let size = MAX_SLICE;
  return async (db) => {
    const notifyNext = async () => {
      const tried = size;
      size = Math.max(MIN_SLICE, Math.floor(tried / 2));
      try {
        const slice = await fanouts.notifySlice(db, { after, until }, tried);
        size = Math.min(MAX_SLICE, tried * 2);
        return slice;
      } catch (error) {
        // A thread that fails with the smallest slice must not keep all others waiting.
        if (tried === MIN_SLICE)
          after = (await fanouts.findNextThread(db, { after, until })) ?? after;
        throw error;
      }
    };
    let slice = until > 0 ? await notifyNext() : undefined;
    if (!slice) {
      after = NIL_UUID;
      until = (await fanouts.findNewestFanout(db)) ?? 0;
      if (until > 0) slice = await notifyNext();
    }
    if (!slice) return null;
    after = slice.threadId;
    return slice.notified;
  };
}
