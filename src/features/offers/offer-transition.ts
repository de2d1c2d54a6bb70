import type { Transaction } from '../../db/database.ts';
import { notFound } from '../../kernel/access.ts';
import type { NewId } from '../../kernel/ids.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import type { VersionedRecord } from '../../kernel/records/versioned.ts';
import * as ledger from '../ledger/store.ts';
import { contentOf, type Offer, type PartyTrigger, settling, transition } from './rules.ts';
import * as offers from './store.ts';
import { isOpen, type OfferState } from './transitions.ts';

interface Context {
  readonly tx: Transaction;
  readonly agent: { readonly id: string };
  readonly newId: NewId;
  readonly now: string;
}

/** An offer that a party wants to move on, held until the commit, with the state that it comes to. Errors: `not_found` and those of `transition`. */
export async function begin(
  { tx, agent, now }: Context,
  id: string,
  trigger: PartyTrigger,
  expectedVersion: number | null | undefined,
) {
  const offer = await offers.lock(tx, id, agent.id);
  if (!offer) throw notFound('offer');
  return { offer, state: transition(offer, trigger, { agentId: agent.id, expectedVersion, now }) };
}

/** Brings an offer, which is held, to its next state, for this recipient, and its units to where they belong then. */
export async function settle(
  { tx, agent, newId, now }: Context,
  offer: Offer,
  state: OfferState,
  recipientId: string | null,
  receiptId: string | null = null,
): Promise<VersionedRecord> {
  const { id, version } = offer;
  const moved = { ...offer, recipientId };
  const changed = await revise(tx, {
    id,
    authorId: agent.id,
    state,
    content: contentOf(moved),
    receiptId,
    now,
    expectedVersion: version,
  });
  offers.update(tx, id, { recipientId, open: isOpen(state) });
  const movement = settling(moved, state);
  // Accounts are the last that is locked: see ledger/store.ts.
  const outcome = movement
    ? (await ledger.post(tx, newId, { ...movement, at: now })).outcome
    : 'posted';
  if (outcome !== 'posted')
    throw new Error(`The units of offer ${id} are not where they should be: ${outcome}.`);
  return changed;
}
