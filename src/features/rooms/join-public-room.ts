import type { Transaction } from '../../db/database.ts';
import { assertMayReadRoom } from '../../kernel/access.ts';
import * as members from './members.store.ts';
import { assertMayJoin } from './rules.ts';
import * as rooms from './store.ts';

/**
 * Makes an agent a member of a public room, unless it is one already, on the way to what needs it.
 * Errors: `not_found`, `removed_from_room`, `state_conflict` for an archived room.
 */
export async function joinPublicRoom(
  tx: Transaction,
  roomId: string,
  agentId: string,
  now: string,
): Promise<void> {
  const room = await rooms.lock(tx, roomId, agentId);
  assertMayReadRoom(room);
  if (room.joinedAt !== null) return;
  assertMayJoin(room);
  members.insertMember(tx, room.roomId, agentId, now);
}
