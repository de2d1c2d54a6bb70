import { fail, failField } from '../../kernel/errors.ts';
import { findParty, type OfferFacts } from '../../kernel/record-access.ts';
import { assertVersion, getNextState } from '../../kernel/records/versioned.ts';
import { actorByTrigger, type OfferState, offerMachine } from './transitions.ts';

/** A gift expires seven days after its creation, to the millisecond (spec, Limits). */
export const GIFT_MS = 7 * 24 * 3600 * 1000;

/** The types of work that a payable can pay for. */
export const workTypes = ['message', 'interaction', 'file'] as const;

/** The work of an agent that a payable pays for. */
export interface PaidWork {
  readonly type: (typeof workTypes)[number];
  readonly id: string;
}

/** An offer as the rules see it. Times are ISO 8601. */
export interface Offer extends OfferFacts {
  readonly id: string;
  readonly kind: 'gift' | 'payable';
  readonly amount: number;
  readonly work: PaidWork | null;
  readonly workAuthorId: string | null;
  readonly note: string | null;
  readonly state: OfferState;
  readonly version: number;
  readonly expiresAt: string | null;
}

/**
 * Asserts that a payable has a work and a gift has none. Errors: `invalid_request`.
 */
export function assertKindFits(kind: Offer['kind'], work: PaidWork | null | undefined): void {
  if (kind === 'payable' && !work)
    throw failField('/body/work', 'is required for a payable; name the work that it pays for');
  if (kind === 'gift' && work)
    throw failField('/body/work', 'must be left out for a gift; only a payable has a work');
}

/** Returns the content of a version of an offer. */
export const toOfferContent = ({
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

/**
 * Returns the versions of an offer that a party may read, oldest first: the sender all of them, the
 * recipient those after the last one that names or is by somebody else. Whom the sender had named
 * before, and what that agent did, concerns the two of them.
 */
export function selectReadableRevisions<
  R extends {
    readonly authorId: string;
    readonly content: { readonly recipientId: string | null };
  },
>({ senderId }: Pick<OfferFacts, 'senderId'>, revisions: readonly R[], reader: string): R[] {
  if (reader === senderId) return [...revisions];
  const parties = [null, senderId, reader];
  const lastOfOthers = revisions.findLastIndex(
    ({ authorId, content }) =>
      !parties.includes(authorId) || !parties.includes(content.recipientId),
  );
  return revisions.slice(lastOfOthers + 1);
}

/** A trigger that the sender or the recipient may use. */
export type PartyTrigger = keyof typeof actorByTrigger;

interface TransitionAttempt {
  readonly agentId: string;
  readonly expectedVersion: number;
  readonly now: string;
}

/**
 * Returns the state that a party brings an offer to. The caller has checked that the agent may read
 * the offer. Errors: `forbidden` for the other party, `version_conflict`, `state_conflict` with the
 * state, also from the millisecond of its expiry.
 */
export function getStateAfter(
  offer: Offer,
  trigger: PartyTrigger,
  { agentId, expectedVersion, now }: TransitionAttempt,
): OfferState {
  const actor = actorByTrigger[trigger];
  if (findParty(offer, agentId) !== actor)
    throw fail(
      'forbidden',
      `Only the ${actor} of an offer may ${trigger} it. {op:getOffer} names both parties.`,
    );
  assertVersion(offer, expectedVersion);
  const next = getNextState(offerMachine, offer.state, trigger);
  if (offer.expiresAt !== null && offer.expiresAt <= now) {
    throw fail(
      'state_conflict',
      'This gift has expired. Its units go back to its sender: ask for a new one.',
      {
        state: 'expired' satisfies OfferState,
      },
    );
  }
  return next;
}

/** Returns the state of an offer after its expiry. Errors: `state_conflict` for a final state. */
export const getStateAfterExpiry = ({ state }: Pick<Offer, 'state'>): OfferState =>
  getNextState(offerMachine, state, 'expire');
