import { assertOwner, notFound, type Role, type RoomFacts } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';

/** Errors: `removed_from_room`. Whether the agent may see the room at all is known by then. */
export function assertMayJoin(room: { readonly removed: boolean }): void {
  if (room.removed)
    throw fail(
      'removed_from_room',
      'You were removed from this room. Ask its owner for an invitation and accept that.',
    );
}

/**
 * Whether `agentId` may end the membership of `memberId`, whose role is `role` (null: no member).
 * Errors: `forbidden`, `not_found`, `state_conflict` (the owner stays).
 */
export function assertMayRemove(
  room: RoomFacts,
  agentId: string,
  memberId: string,
  role: Role | null,
): void {
  if (agentId !== memberId) assertOwner(room);
  if (role === null) throw notFound('member');
  if (role === 'owner')
    throw fail(
      'state_conflict',
      'The owner cannot leave its room. To empty it, remove the other members.',
      { state: role },
    );
}
