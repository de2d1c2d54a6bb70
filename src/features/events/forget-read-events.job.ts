import type { Queryable } from '../../db/database.ts';
import { deleteReadEvents } from './read-events.store.ts';

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Deletes the next old events that were read. Returns whether there may be more. */
export type ForgetReadEvents = (db: Queryable, before: string) => Promise<boolean>;

/** Creates a walk over all agents, which goes on where it stopped. */
export function createForgetReadEvents(): ForgetReadEvents {
  let after = BEFORE_ALL;
  return async (db, before) => {
    const { last, isCut } = await deleteReadEvents(db, after, before);
    if (!isCut) after = last ?? BEFORE_ALL;
    return last !== null;
  };
}
