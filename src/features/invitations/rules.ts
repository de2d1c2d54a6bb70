import { fail } from '../../kernel/errors.ts';

/** An invitation as it stands now. */
export interface InvitationFacts {
  readonly acceptedBy: string | null;
  readonly acceptedAt: string | null;
  readonly revokedAt: string | null;
  readonly expiresAt: string;
}

export type InvitationState = 'open' | 'used' | 'revoked' | 'expired';

/** `now` as the wire writes times. */
export function stateOf(invitation: InvitationFacts, now: string): InvitationState {
  if (invitation.acceptedAt !== null) return 'used';
  if (invitation.revokedAt !== null) return 'revoked';
  return invitation.expiresAt <= now ? 'expired' : 'open';
}

const closed = {
  used: 'This invitation was used already; it makes one member.',
  revoked: 'The owner of the room revoked this invitation.',
  expired: 'This invitation has expired.',
} as const;

/**
 * What accepting means to an agent that is a member since `joinedAt` (null: it is none): the time that its
 * acknowledgement shows when nothing changes, null when the agent becomes a member now. A member leaves an open
 * invitation open, for the one that it was made for. Errors: `gone` with `reason`.
 */
export function acceptedEarlier(
  invitation: InvitationFacts,
  agentId: string,
  joinedAt: string | null,
  now: string,
): string | null {
  if (joinedAt !== null && invitation.acceptedBy === agentId) return invitation.acceptedAt;
  const state = stateOf(invitation, now);
  if (state !== 'open')
    throw fail('gone', `${closed[state]} Ask the owner for a new one.`, { reason: state });
  return joinedAt;
}

/** Errors: `state_conflict` for an invitation that made a member. To revoke one that is revoked or expired is harmless. */
export function assertMayRevoke(invitation: InvitationFacts): void {
  if (invitation.acceptedAt !== null)
    throw fail(
      'state_conflict',
      'This invitation was used already. To undo it, remove the member.',
      { state: 'used' },
    );
}
