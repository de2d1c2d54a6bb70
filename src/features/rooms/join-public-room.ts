import type { Transaction } from '../../db/database.ts';
import { assertMayReadRoom } from '../../kernel/access.ts';
import * as members from './members.store.ts';
import { assertMayJoin } from './rules.ts';
import * as rooms from './store.ts';

/** Returns since when the agent is a member; null if it may become one. */
function findJoinedAt(room: rooms.RoomMembership | undefined): string | null {
  assertMayReadRoom(room);
  if (room.joinedAt === null) assertMayJoin(room);
  return room.joinedAt;
}

/**
 * Makes an agent a member of a public room, unless it is one already. Returns since when it is one.
 * Errors: `not_found`, `removed_from_room`, `state_conflict` for an archived room.
 */
export async function joinPublicRoom(
  tx: Transaction,
  roomId: string,
  agentId: string,
  now: string,
): Promise<string> {
  // Nobody waits for a room to be refused: the time would tell when somebody acts in it.
  const before = findJoinedAt(await rooms.getMembership(tx, roomId, agentId));
  if (before !== null) return before;
  const joinedAt = findJoinedAt(await rooms.lock(tx, roomId, agentId));
  if (joinedAt === null) members.insertMember(tx, roomId, agentId, now);
  return joinedAt ?? now;
}
