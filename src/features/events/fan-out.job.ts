import type { Database } from '../../db/database.ts';
import { insertEvents } from '../adjudication/closing.store.ts';
import { reasonBits } from './rules.ts';
import * as events from './store.ts';

/** Subscribers told in one transaction: short enough that their other events hardly wait. */
const SLICE = 500;

/**
 * Tells the next slice of subscribers of a message that had too many to tell at once.
 * Returns the agents that were told, or null when nothing is left to do. Any number of nodes may run it.
 */
export const tellSubscribers = (db: Database): Promise<string[] | null> =>
  db.transaction(async (tx) => {
    const fanout = await events.lockFanout(tx);
    if (!fanout) return null;
    const slice = await events.nextSubscribers(tx, fanout, SLICE);
    const told = slice.filter((subscriber) => subscriber.told).map(({ agentId }) => agentId);
    const { roomId, messageId, authorId, createdAt } = fanout;
    const last = slice.at(-1);
    if (last && slice.length === SLICE) events.advanceFanout(tx, fanout.id, last.agentId);
    else events.deleteFanout(tx, fanout.id);
    const addressees = told.map((agentId) => ({ agentId, reasons: reasonBits.subscription }));
    insertEvents(tx, { addressees, event: { roomId, messageId, actorId: authorId, createdAt } });
    return told;
  });
