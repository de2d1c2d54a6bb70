import type { Transaction } from '../../db/database.ts';
import { failNotFound } from '../../kernel/access.ts';
import type { NewId } from '../../kernel/ids.ts';
import { type Notify, notifyOfChange } from '../../kernel/record-events.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import { RecordVersionRequest, VersionedRecord } from '../../kernel/records/versioned.ts';
import * as ledger from '../ledger/store.ts';
import { buildSettlement } from './offer-settlement.rules.ts';
import { getStateAfter, type Offer, type PartyTrigger, toOfferContent } from './rules.ts';
import { offerId } from './schemas.ts';
import * as offers from './store.ts';
import { isOpen, type OfferState } from './transitions.ts';

/** The members that acceptOffer, declineOffer and cancelOffer have in common. */
export const offerTransitionSpec = {
  method: 'POST',
  tag: 'offers',
  auth: 'agent',
  scope: 'credits',
  feature: 'offers',
  idempotency: 'required',
  params: offerId,
  body: RecordVersionRequest,
  output: VersionedRecord,
  errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict'],
} as const;

interface OfferContext {
  readonly tx: Transaction;
  readonly notify: Notify;
  readonly agent: { readonly id: string };
  readonly newId: NewId;
  readonly now: string;
}

/**
 * Locks an offer until the commit, and returns it with the state that the trigger of a party brings
 * it to. Errors: `not_found`, `forbidden` for the other party, `version_conflict`,
 * `state_conflict`.
 */
export async function beginTransition(
  { tx, agent, now }: OfferContext,
  id: string,
  trigger: PartyTrigger,
  expectedVersion: number,
) {
  const offer = await offers.lock(tx, id, agent.id);
  if (!offer) throw failNotFound('offer');
  return {
    offer,
    state: getStateAfter(offer, trigger, { agentId: agent.id, expectedVersion, now }),
  };
}

/** Time and administrators act without an agent. */
export type TransitionContext = Omit<OfferContext, 'agent'> & {
  readonly agent: OfferContext['agent'] | null;
};

/**
 * Brings a locked offer to its next state and recipient, and moves its units to the account where
 * they belong in that state. Errors: throws if the ledger contradicts the offer, which is a defect.
 */
export async function completeTransition(
  { tx, agent, notify, newId, now }: TransitionContext,
  offer: Offer,
  state: OfferState,
  recipientId: string | null,
  receiptId: string | null = null,
): Promise<VersionedRecord> {
  const { id, version, senderId } = offer;
  const transferred = { ...offer, recipientId };
  const changed = await revise(tx, {
    id,
    // Every version has an author. One that time or a recovery makes gets the sender.
    authorId: agent?.id ?? senderId,
    state,
    content: toOfferContent(transferred),
    receiptId,
    now,
    expectedVersion: version,
  });
  offers.update(tx, id, { recipientId, open: isOpen(state) });
  const movement = buildSettlement(transferred, state);
  // Accounts are locked last, see ledger/store.ts.
  const outcome = movement
    ? (await ledger.post(tx, newId, { ...movement, at: now })).outcome
    : 'posted';
  if (outcome !== 'posted') throw new Error(`The ledger contradicts offer ${id}: ${outcome}.`);
  tellParties(
    notify,
    { ...transferred, id, state, recipientId: recipientId ?? offer.recipientId },
    agent,
    now,
  );
  return changed;
}

/**
 * Tells the parties of an offer, all but the one that acted, that it came into a state. There is no
 * event for an acceptance: both parties get its receipt. Without the sender there would be no
 * offer, so whoever mutes it hears of none, neither when time nor when a recovery ends it.
 */
export function tellParties(
  notify: Notify,
  { id, state, senderId, recipientId }: Pick<Offer, 'id' | 'state' | 'senderId' | 'recipientId'>,
  actor: { readonly id: string } | null,
  now: string,
): void {
  if (state === 'accepted' || recipientId === null) return;
  notifyOfChange(notify, {
    kind: 'offer',
    concerned: [senderId, recipientId],
    actorId: actor?.id ?? null,
    causedBy: senderId,
    subject: { type: 'offer', id, state },
    now,
  });
}
