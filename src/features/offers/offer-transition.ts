import type { Transaction } from '../../db/database.ts';
import { failNotFound } from '../../kernel/access.ts';
import type { NewId } from '../../kernel/ids.ts';
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

/**
 * Brings a locked offer to its next state and recipient, and moves its units to the account where
 * they belong in that state. Errors: throws if the ledger contradicts the offer, which is a defect.
 */
export async function completeTransition(
  { tx, agent, newId, now }: OfferContext,
  offer: Offer,
  state: OfferState,
  recipientId: string | null,
  receiptId: string | null = null,
): Promise<VersionedRecord> {
  const { id, version } = offer;
  const transferred = { ...offer, recipientId };
  const changed = await revise(tx, {
    id,
    authorId: agent.id,
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
  return changed;
}
