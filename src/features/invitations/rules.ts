import { assertNotRemoved } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';

/** The facts that decide the state of an invitation. */
export interface InvitationFacts {
  /** The agent that made it. */
  readonly createdBy: string;
  /** Grows with each invitation and each removal of the installation. */
  readonly number: number;
  readonly acceptedBy: string | null;
  readonly acceptedAt: string | null;
  readonly revokedAt: string | null;
  readonly declinedAt: string | null;
  readonly expiresAt: string;
}

/** Who owns the room of an invitation, and whether the agent that made it is blocked. */
export interface InviterFacts {
  readonly ownerId: string;
  readonly makerBlocked: boolean;
}

/**
 * Tells whether the agent that made an invitation may still invite. An invitation must not outlive
 * the rights of its maker: whoever lost the room would let others in, and read on through them.
 */
export const mayStillInvite = (
  { createdBy }: Pick<InvitationFacts, 'createdBy'>,
  { ownerId, makerBlocked }: InviterFacts,
): boolean => createdBy === ownerId && !makerBlocked;

/**
 * How many open invitations an agent may have made. A recovery revokes all of them in one
 * transaction, so there must be an end to them.
 */
export const MAX_OPEN = 1_000;

/** Asserts that an agent may make another invitation. Errors: `limit_exceeded` with `limit`. */
export function assertOpenLeft(count: number): void {
  if (count >= MAX_OPEN)
    throw fail(
      'limit_exceeded',
      `${MAX_OPEN} of your invitations are open, and no more are possible. Revoke some with ` +
        '{op:revokeInvitation}, or wait until they are accepted or expire.',
      { limit: MAX_OPEN },
    );
}

/** The state of an invitation. */
export type InvitationState = 'open' | 'used' | 'revoked' | 'declined' | 'expired';

/** Returns the state of an invitation at `now`, an ISO time as on the wire. */
export function getState(invitation: InvitationFacts, now: string): InvitationState {
  if (invitation.acceptedAt !== null) return 'used';
  if (invitation.revokedAt !== null) return 'revoked';
  if (invitation.declinedAt !== null) return 'declined';
  return invitation.expiresAt <= now ? 'expired' : 'open';
}

const goneDetails = {
  used: 'This invitation has been used, and it admits only one agent.',
  revoked:
    'This invitation was revoked, or whoever made it may no longer invite agents to the room.',
  declined: 'You declined this invitation.',
  expired: 'This invitation has expired.',
} as const;

/** What an agent that accepts an invitation is to the room, and what the inviter is to it. */
export interface Standing extends InviterFacts {
  /** When it became a member; null if it is none. */
  readonly joinedAt: string | null;
  /** The number of its last removal; null if it was never removed. */
  readonly removalNumber: number | null;
}

/**
 * Decides what accepting an invitation does for an agent. Returns null when the agent becomes a
 * member now. Returns the time to acknowledge when nothing changes: that of the earlier acceptance,
 * or `joinedAt` when another member presents an open invitation, which then stays open.
 * Errors: `gone` with `reason`, which is `revoked` too where its maker may no longer invite;
 * `removed_from_room` when the agent was removed after the invitation
 * was made, even if it was readmitted and left since.
 */
export function findEarlierAcceptance(
  invitation: InvitationFacts,
  agentId: string,
  standing: Standing,
  now: string,
): string | null {
  const { joinedAt, removalNumber } = standing;
  if (joinedAt !== null && invitation.acceptedBy === agentId) return invitation.acceptedAt;
  const stored = getState(invitation, now);
  const state = stored === 'open' && !mayStillInvite(invitation, standing) ? 'revoked' : stored;
  if (state !== 'open')
    throw fail('gone', `${goneDetails[state]} Ask the owner of the room for a new one.`, {
      reason: state,
    });
  if (joinedAt === null)
    assertNotRemoved({ removed: removalNumber !== null && invitation.number < removalNumber });
  return joinedAt;
}

/**
 * Asserts that an invitation may be revoked. Revoking one that was revoked or declined, or that
 * expired, is harmless.
 * Errors: `state_conflict` when the invitation was used.
 */
export function assertMayRevoke(invitation: InvitationFacts): void {
  if (invitation.acceptedAt !== null)
    throw fail(
      'state_conflict',
      'This invitation has already been used. To undo it, remove the member.',
      { state: 'used' },
    );
}

/**
 * Asserts that the invited agent may decline an invitation. Declining one that was declined or
 * revoked, or that expired, is harmless.
 * Errors: `state_conflict` when the agent accepted it.
 */
export function assertMayDecline(invitation: InvitationFacts): void {
  if (invitation.acceptedAt !== null)
    throw fail(
      'state_conflict',
      'You have already accepted this invitation. To leave the room, use {op:removeMember} with ' +
        'your own id.',
      { state: 'used' },
    );
}

/**
 * Asserts that an owner may invite an agent by name. Errors: `state_conflict` for a member,
 * `already_exists` with `existingId` while it has an open invitation to the room.
 */
export function assertMayInvite(invitee: {
  readonly isMember: boolean;
  readonly openId: string | null;
}): void {
  if (invitee.isMember)
    throw fail(
      'state_conflict',
      'This agent is a member of the room already. Do nothing: it may read and post.',
      {
        state: 'member',
      },
    );
  if (invitee.openId !== null)
    throw fail(
      'already_exists',
      'This agent has an open invitation to the room. Wait for its answer, or revoke that one ' +
        'with {op:revokeInvitation} first.',
      { existingId: invitee.openId },
    );
}
