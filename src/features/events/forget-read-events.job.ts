import type { Queryable } from '../../db/database.ts';
import { NIL_UUID } from '../../kernel/ids.ts';
import { deleteReadEvents } from './read-events.store.ts';

/** Deletes the next old events that were read. Returns whether there may be more. */
export type ForgetReadEvents = (db: Queryable, before: string) => Promise<boolean>;

/** Creates a walk over all agents, which goes on where it stopped. */
export function createForgetReadEvents(): ForgetReadEvents {
  let after = NIL_UUID;
  return async (db, before) => {
    const { last, isCut } = await deleteReadEvents(db, after, before);
    if (!isCut) after = last ?? NIL_UUID;
    return last !== null;
  };
}
