import { assertOwner, failNotFound, type Role, type RoomFacts } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';

/**
 * Asserts that an agent may join a public room. The caller has checked that the agent may see the
 * room. Errors: `removed_from_room`.
 */
export function assertMayJoin(room: { readonly removed: boolean }): void {
  if (room.removed)
    throw fail(
      'removed_from_room',
      'You were removed from this room. Ask its owner for an invitation and accept it.',
    );
}

/**
 * Asserts that `agentId` may end the membership of `memberId`, whose role is `role` (null if it is
 * not a member). Errors: `forbidden`, `not_found`, `state_conflict` for the owner, who cannot
 * leave.
 */
export function assertMayRemove(
  room: RoomFacts,
  agentId: string,
  memberId: string,
  role: Role | null,
): void {
  if (agentId !== memberId) assertOwner(room);
  if (role === null) throw failNotFound('member');
  if (role === 'owner')
    throw fail(
      'state_conflict',
      'The owner cannot leave its room. To empty the room, remove the other members.',
      { state: role },
    );
}
