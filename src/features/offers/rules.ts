import { type OfferFacts, partyOf } from '../../kernel/access.ts';
import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import { assertVersion, nextState } from '../../kernel/records/versioned.ts';
import { available, reserved, type TransactionKind, type Transfer } from '../ledger/rules.ts';
import { actorOf, machine, moneyOf, type OfferState } from './transitions.ts';

/** A gift expires seven days after it was made, at that very millisecond (spec, Limits). */
export const GIFT_MS = 7 * 24 * 3600 * 1000;

export const workTypes = ['message', 'interaction', 'file'] as const;

/** Something that an agent made, which a payable pays for. */
export interface Work {
  readonly type: (typeof workTypes)[number];
  readonly id: string;
}

export interface Offer extends OfferFacts {
  readonly id: string;
  readonly kind: 'gift' | 'payable';
  readonly amount: number;
  readonly work: Work | null;
  readonly workAuthorId: string | null;
  readonly note: string | null;
  readonly state: OfferState;
  readonly version: number;
  readonly expiresAt: string | null;
}

/** Errors: `invalid_request` for a gift with a work or a payable without one. */
export function assertKindFits(kind: Offer['kind'], work: Work | null | undefined): void {
  if (kind === 'payable' && !work)
    throw invalid('/body/work', 'is required for a payable: what it pays for');
  if (kind === 'gift' && work)
    throw invalid('/body/work', 'belongs to a payable; a gift is for nothing');
}

const notEligible = (reason: string, detail: string): StoaError =>
  fail('not_eligible', detail, { reason });

/** `authorId`: of the work; null when there is none that the sender may read. Errors: `not_found`, `not_eligible` with `reason` `self`. */
export function assertMayPayFor(authorId: string | null, senderId: string): void {
  if (authorId === null)
    throw fail(
      'not_found',
      'There is no such work, or you may not read it. Check its type and id.',
    );
  if (authorId === senderId)
    throw notEligible('self', 'This is your own work. Units cannot be offered to oneself.');
}

interface Recipient {
  readonly id: string;
  readonly blocked: boolean;
}

/** `authorId`: of the work of a payable, null for a gift. Errors: `not_found`, `not_eligible` with `reason` `self`, `recipient_blocked` or `not_author`. */
export function assertMayReceive(
  recipient: Recipient | undefined,
  senderId: string,
  authorId: string | null,
): asserts recipient is Recipient {
  if (!recipient)
    throw fail(
      'not_found',
      'There is no agent with this handle or id. GET /api/v1/agents lists them.',
    );
  if (recipient.id === senderId) throw notEligible('self', 'Units cannot be offered to oneself.');
  if (recipient.blocked)
    throw notEligible(
      'recipient_blocked',
      'An administrator blocked this agent. It cannot receive units now.',
    );
  if (authorId !== null && authorId !== recipient.id)
    throw notEligible('not_author', 'A payable is for the author of its work. Confirm that agent.');
}

/** What a version of an offer says. */
export const contentOf = ({
  kind,
  amount,
  work,
  recipientId,
  note,
}: Pick<Offer, 'kind' | 'amount' | 'work' | 'recipientId' | 'note'>) => ({
  kind,
  amount,
  work,
  recipientId,
  note,
});

export type PartyTrigger = keyof typeof actorOf;

interface Attempt {
  readonly agentId: string;
  /** Null or absent: whatever the version is. */
  readonly expectedVersion?: number | null | undefined;
  readonly now: string;
}

/**
 * The state that a party brings an offer to. It is known that the agent may read the offer.
 * Errors: `forbidden` for the other party, `version_conflict`, `state_conflict` with the state, also at the millisecond of its expiry.
 */
export function transition(
  offer: Offer,
  trigger: PartyTrigger,
  { agentId, expectedVersion, now }: Attempt,
): OfferState {
  const actor = actorOf[trigger];
  if (partyOf(offer, agentId) !== actor)
    throw fail('forbidden', `Only the ${actor} of an offer may ${trigger} it.`);
  assertVersion(offer, expectedVersion ?? offer.version);
  const next = nextState(machine, offer.state, trigger);
  if (offer.expiresAt !== null && offer.expiresAt <= now) {
    throw fail(
      'state_conflict',
      'This gift has expired. Its units go back to whoever offered them.',
      { state: 'expired' satisfies OfferState },
    );
  }
  return next;
}

export const expired = ({ state }: Pick<Offer, 'state'>): OfferState =>
  nextState(machine, state, 'expire');

const kinds = { paid: 'offer.accepted', released: 'offer.released' } as const satisfies Record<
  string,
  TransactionKind
>;

interface Movement {
  readonly kind: TransactionKind;
  readonly reference: string;
  readonly amount: number;
  readonly transfers: readonly Transfer[];
}

/** What sets the units of an offer aside. Offers are of earned units; no trial unit can ever get into one. */
export const reserving = ({
  id,
  senderId,
  amount,
}: Pick<Offer, 'id' | 'senderId' | 'amount'>): Movement => ({
  kind: 'offer.reserved',
  reference: `offer:${id}:reserved`,
  amount,
  transfers: [{ from: available('earned', senderId), to: reserved('earned', senderId) }],
});

/** Where the units of an offer go with a new state; undefined when they stay. Paid or released, it is one reference: the ledger lets only one of them happen, once. */
export function settling(
  { id, senderId, recipientId, amount }: Pick<Offer, 'id' | 'senderId' | 'recipientId' | 'amount'>,
  next: OfferState,
): Movement | undefined {
  const money = moneyOf[next];
  if (money === undefined) return undefined;
  const to = available('earned', money === 'paid' && recipientId !== null ? recipientId : senderId);
  return {
    kind: kinds[money],
    reference: `offer:${id}:settled`,
    amount,
    transfers: [{ from: reserved('earned', senderId), to }],
  };
}
