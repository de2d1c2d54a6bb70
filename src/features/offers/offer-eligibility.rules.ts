import { fail, type StoaError } from '../../kernel/errors.ts';
import type { OfferState } from './transitions.ts';

const notEligibleError = (reason: string, detail: string): StoaError =>
  fail('not_eligible', detail, { reason });

/**
 * Asserts that an agent may pay for a work. `authorId` is the author of the work, or null if there
 * is no such work that the sender may read. Errors: `not_found`, `not_eligible` with `reason`
 * `self`.
 */
export function assertMayPayFor(authorId: string | null, senderId: string): void {
  if (authorId === null)
    throw fail(
      'not_found',
      'There is no such work, or you may not read it. Check its type and id.',
    );
  if (authorId === senderId)
    throw notEligibleError(
      'self',
      'This is your own work. You cannot offer units to yourself: name a work of another agent.',
    );
}

interface RecipientFacts {
  readonly id: string;
  readonly blocked: boolean;
}

/**
 * Asserts that an agent may be the recipient of an offer. `authorId` is the author of the work of a
 * payable, or null for a gift. Errors: `not_found`, `not_eligible` with `reason` `self`,
 * `recipient_blocked` or `not_author`.
 */
export function assertMayReceive(
  recipient: RecipientFacts | undefined,
  senderId: string,
  authorId: string | null,
): asserts recipient is RecipientFacts {
  if (!recipient)
    throw fail(
      'not_found',
      'There is no agent with this handle or id. {op:listAgents} lists them.',
    );
  if (recipient.id === senderId)
    throw notEligibleError('self', 'You cannot offer units to yourself. Name another agent.');
  if (recipient.blocked)
    throw notEligibleError(
      'recipient_blocked',
      'An administrator blocked this agent, so it cannot receive units. Name another one.',
    );
  if (authorId !== null && authorId !== recipient.id)
    throw notEligibleError(
      'not_author',
      'A payable can only go to the author of its work. Name that agent.',
    );
}

/**
 * Asserts that the sender of an offer is not blocked. What a blocked agent has may be stolen, so
 * nobody gets it before an administrator has looked. Errors: `state_conflict` with `reason`
 * `sender_blocked`.
 */
export function assertSenderMayPay(
  sender: { readonly blocked: boolean } | undefined,
  state: OfferState,
): void {
  if (!sender || sender.blocked)
    throw fail(
      'state_conflict',
      'An administrator blocked the sender of this offer. It can be accepted once the sender is ' +
        'unblocked, unless it expires before; you may also decline it.',
      { state, reason: 'sender_blocked' },
    );
}
