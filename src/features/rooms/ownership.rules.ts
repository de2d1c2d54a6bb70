import { failNotFound, type Role } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';

/** An agent that is to own a room. */
export interface Successor {
  readonly role: Role | null;
  readonly blocked: boolean;
}

/**
 * Asserts that an agent is not blocked, so that its room will have somebody who can act. Errors:
 * `state_conflict`.
 */
export function assertNotBlocked({ blocked }: Pick<Successor, 'blocked'>): void {
  if (blocked)
    throw fail('state_conflict', 'This agent is blocked and could not act. Choose another one.', {
      state: 'blocked',
    });
}

/**
 * Asserts that the owner of a room may propose an agent as the next owner. Errors: `not_found` for
 * an agent that is no member, `state_conflict` for the owner itself and for a blocked member.
 */
export function assertMaySucceed(successor: Successor): void {
  if (successor.role === null) throw failNotFound('member');
  if (successor.role === 'owner')
    throw fail('state_conflict', 'You own this room already. Propose another member.', {
      state: 'owner',
    });
  assertNotBlocked(successor);
}

/**
 * Asserts that an agent may accept a room. Only the owner and the agent that it proposed know of a
 * proposal, so everybody else learns nothing. Errors: `not_found`.
 */
export function assertIsProposed(
  room: { readonly proposedOwnerId: string | null; readonly role: Role | null },
  agentId: string,
): void {
  if (room.proposedOwnerId !== agentId || room.role !== 'member') throw failNotFound('proposal');
}

/**
 * Asserts that the agent that proposed still owns the room and is not blocked. A proposal of a
 * blocked owner may be that of a thief, and is as if there were none until the owner is unblocked.
 * Errors: `not_found`.
 */
export function assertMayHandOver(
  proposer: { readonly id: string; readonly blocked: boolean } | undefined,
  room: { readonly ownerId: string },
): void {
  if (proposer?.id !== room.ownerId || proposer.blocked) throw failNotFound('proposal');
}
