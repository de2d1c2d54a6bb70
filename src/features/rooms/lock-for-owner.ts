import type { Transaction } from '../../db/database.ts';
import { assertMayReadRoom, assertOwner } from '../../kernel/access.ts';
import * as rooms from './store.ts';

/** Narrows a room to one that its reader owns. Errors: `not_found`, `forbidden`. */
function getOwned<R extends rooms.Room>(room: R | undefined): R {
  assertMayReadRoom(room);
  assertOwner(room);
  return room;
}

/**
 * Locks a room until the commit, for an act of its owner. Nobody else waits for it: the time would
 * tell when somebody acts in it. Errors: `not_found`, `forbidden`.
 */
export async function lockForOwner(tx: Transaction, id: string, agentId: string) {
  getOwned(await rooms.find(tx, id, agentId));
  return getOwned(await rooms.lock(tx, id, agentId));
}
