import type { Database } from '../../db/database.ts';
import { reasonBits } from '../../kernel/effects.ts';
import { insertEvents } from '../../kernel/pipeline/group-commit/commit-effects.store.ts';
import * as fanouts from './fanout-slices.store.ts';

/**
 * The number of subscribers notified in one transaction. It is small enough that their other events
 * hardly wait for it.
 */
const SUBSCRIBERS_PER_TRANSACTION = 500;

/**
 * Notifies the next slice of subscribers of a message that had too many of them to notify at once.
 * Returns the ids of the agents that were notified, or null when nothing is left to do. Any number
 * of nodes may run it.
 */
export const notifySubscribers = (db: Database): Promise<string[] | null> =>
  db.transaction(async (tx) => {
    const fanout = await fanouts.lockFanout(tx);
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
    return notified;
  });
