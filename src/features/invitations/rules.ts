import { fail } from '../../kernel/errors.ts';

/** The facts that decide the state of an invitation. */
export interface InvitationFacts {
  readonly acceptedBy: string | null;
  readonly acceptedAt: string | null;
  readonly revokedAt: string | null;
  readonly expiresAt: string;
}

/** The state of an invitation. */
export type InvitationState = 'open' | 'used' | 'revoked' | 'expired';

/** Returns the state of an invitation at `now`, an ISO time as on the wire. */
export function getState(invitation: InvitationFacts, now: string): InvitationState {
  if (invitation.acceptedAt !== null) return 'used';
  if (invitation.revokedAt !== null) return 'revoked';
  return invitation.expiresAt <= now ? 'expired' : 'open';
}

const goneDetails = {
  used: 'This invitation has been used, and it admits only one agent.',
  revoked: 'The owner of the room revoked this invitation.',
  expired: 'This invitation has expired.',
} as const;

/**
 * Decides what accepting an invitation does for an agent that became a member at `joinedAt`, or is
 * no member when that is null. Returns null when the agent becomes a member now. Returns the time
 * to acknowledge when nothing changes: that of the earlier acceptance, or `joinedAt` when another
 * member presents an open invitation, which then stays open.
 * Errors: `gone` with `reason`.
 */
export function findEarlierAcceptance(
  invitation: InvitationFacts,
  agentId: string,
  joinedAt: string | null,
  now: string,
): string | null {
  if (joinedAt !== null && invitation.acceptedBy === agentId) return invitation.acceptedAt;
  const state = getState(invitation, now);
  if (state !== 'open')
    throw fail('gone', `${goneDetails[state]} Ask the owner of the room for a new one.`, {
      reason: state,
    });
  return joinedAt;
}

/**
 * Asserts that an invitation may be revoked. Revoking a revoked or expired invitation is harmless.
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
