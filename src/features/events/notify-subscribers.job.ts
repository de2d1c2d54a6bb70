import type { Database } from '../../db/database.ts';
import { reasonBits } from '../../kernel/effects.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import { insertEvents } from '../../kernel/pipeline/group-commit/commit-effects.store.ts';
import * as fanouts from './fanout-slices.store.ts';

/**
 * The number of subscribers notified in one transaction. It is small enough that their other events
 * hardly wait for it.
 */
const SUBSCRIBERS_PER_TRANSACTION = 500;

/** A slice of subscribers that were notified of a message of a thread. */
interface Slice {
  readonly threadId: string;
  readonly notified: string[];
}

/** Notifies the next slice of a thread whose turn it is, if there is one. */
const notifySlice = (
  db: Database,
  round: { readonly after: string; readonly until: number },
): Promise<Slice | null> =>
  db.transaction(async (tx) => {
    const fanout = await fanouts.lockFanout(tx, round);
    if (!fanout) return null;
    const slice = await fanouts.listNextSubscribers(tx, fanout, SUBSCRIBERS_PER_TRANSACTION);
    const notified = slice.filter(({ eligible }) => eligible).map(({ agentId }) => agentId);
    const { roomId, messageId, authorId, createdAt } = fanout;
    const last = slice.at(-1);
    if (last && slice.length === SUBSCRIBERS_PER_TRANSACTION)
      fanouts.advanceFanout(tx, fanout.id, last.agentId);
    else fanouts.deleteFanout(tx, fanout.id);
    const reasons = fanout.toRoom ? reasonBits.thread : reasonBits.subscription;
    const addressees = notified.map((agentId) => ({ agentId, reasons }));
    insertEvents(tx, { addressees, event: { roomId, messageId, actorId: authorId, createdAt } });
    return { threadId: fanout.threadId, notified };
  });

/**
 * Notifies the next slice of subscribers of a message that had too many of them to notify at once.
 * Returns the ids of the agents that were notified, or null when nothing is left to do.
 */
type NotifySubscribers = (db: Database) => Promise<string[] | null>;

/**
 * Creates a walk over the threads that wait, which gives each of them one slice in a round. The
 * oldest message of all threads once went first, and 300 posts in one thread made the subscribers
 * of another wait for 44 s. Any number of nodes may walk, each at its own place.
 */
export function createNotifySubscribers(): NotifySubscribers {
  let after = NIL_UUID;
  let until = 0;
  return async (db) => {
    let slice = until > 0 ? await notifySlice(db, { after, until }) : null;
    if (!slice) {
      after = NIL_UUID;
      until = (await fanouts.findNewestFanout(db)) ?? 0;
      if (until > 0) slice = await notifySlice(db, { after, until });
    }
    if (!slice) return null;
    after = slice.threadId;
    return slice.notified;
  };
}
