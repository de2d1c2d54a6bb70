import { assertNotArchived } from '../../kernel/access.ts';
import { reasonBits } from '../../kernel/effects.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as members from '../rooms/members.store.ts';
import type { RoomMembership } from '../rooms/store.ts';
import { findEarlierAcceptance } from './rules.ts';
import * as invitations from './store.ts';

/**
 * Makes an agent a member by an invitation, and tells who made the invitation. The caller has
 * locked the agent that made the invitation, the room and the invitation, in this order, and has
 * checked that the invitation is this agent's to use.
 * Returns the acknowledgement. Errors: `gone`, `removed_from_room`, `state_conflict`.
 */
export function admitAgent(
  { tx, notify }: WriteContext,
  room: RoomMembership,
  maker: { readonly blocked: boolean },
  invitation: invitations.StoredInvitation,
  agentId: string,
  now: string,
): { readonly id: string; readonly createdAt: string } {
  const id = room.roomId;
  const earlier = findEarlierAcceptance(
    invitation,
    agentId,
    { ...room, makerBlocked: maker.blocked },
    now,
  );
  if (earlier !== null) return { id, createdAt: earlier };
  assertNotArchived(room);
  invitations.setAccepted(tx, invitation.id, agentId, now);
  members.setReadmitted(tx, id, agentId, now);
  members.insertMember(tx, id, agentId, now);
  // Whoever owned the room, handed it over and left may return with an own invitation.
  if (invitation.createdBy !== agentId)
    notify([{ agentId: invitation.createdBy, reasons: reasonBits.invitation_accepted }], {
      roomId: id,
      messageId: null,
      actorId: agentId,
      createdAt: now,
    });
  return { id, createdAt: now };
}
