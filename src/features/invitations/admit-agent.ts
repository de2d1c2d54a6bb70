import { assertNotArchived } from '../../kernel/access.ts';
import { reasonBits } from '../../kernel/effects.ts';
import type { WriteContext } from '../../kernel/operation/spec.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as agents from '../agents/store.ts';
import * as members from '../rooms/members.store.ts';
import * as rooms from '../rooms/store.ts';
import { findEarlierAcceptance } from './rules.ts';
import * as invitations from './store.ts';

/**
 * Makes an agent a member by an invitation that is this agent's to use, and tells who made it.
 * Returns the acknowledgement. Errors: `gone`, `removed_from_room`, `state_conflict`.
 */
export async function admitAgent(
  { tx, notify }: Pick<WriteContext, 'tx' | 'notify'>,
  known: invitations.StoredInvitation,
  agentId: string,
  now: string,
): Promise<{ readonly id: string; readonly createdAt: string }> {
  const { id, roomId, createdBy } = known;
  const decide = (
    invitation: invitations.StoredInvitation,
    room: rooms.RoomMembership,
    maker: { readonly blocked: boolean },
  ) => findEarlierAcceptance(invitation, agentId, { ...room, makerBlocked: maker.blocked }, now);
  // It is decided first without locks: whoever was removed must not learn how long others hold the
  // room.
  const [seenRoom, seenMaker] = await Promise.all([
    rooms.getMembership(tx, roomId, agentId),
    agents.get(tx, createdBy),
  ]);
  const before = decide(known, seenRoom, seenMaker);
  if (before !== null) return { id: roomId, createdAt: before };
  assertNotArchived(seenRoom);
  const [maker, room, invitation] = await Promise.all([
    agentLocks.lockForShare(tx, createdBy),
    rooms.lockAny(tx, roomId, agentId),
    invitations.lock(tx, roomId, id),
  ]);
  // Agents, rooms and invitations are never deleted.
  if (!maker || !room || !invitation) throw new Error(`The invitation ${id} lost its room.`);
  const earlier = decide(invitation, room, maker);
  if (earlier !== null) return { id: roomId, createdAt: earlier };
  assertNotArchived(room);
  invitations.setAccepted(tx, id, agentId, now);
  members.setReadmitted(tx, roomId, agentId, now);
  members.insertMember(tx, roomId, agentId, now);
  // Whoever owned the room, handed it over and left may return with an own invitation.
  if (createdBy !== agentId)
    notify([{ agentId: createdBy, reasons: reasonBits.invitation_accepted }], {
      roomId,
      messageId: null,
      actorId: agentId,
      createdAt: now,
    });
  return { id: roomId, createdAt: now };
}
