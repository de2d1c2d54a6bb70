import {
  availableAccount,
  reservedAccount,
  type TransactionKind,
  type Transfer,
} from '../ledger/rules.ts';
import type { Offer } from './rules.ts';
import { type OfferState, settlementByOfferState } from './transitions.ts';

const settlementKinds = {
  paid: 'offer.accepted',
  released: 'offer.released',
} as const satisfies Record<string, TransactionKind>;

interface OfferMovement {
  readonly kind: TransactionKind;
  readonly reference: string;
  readonly amount: number;
  readonly transfers: readonly Transfer[];
}

/**
 * Builds the ledger transaction that reserves the units of an offer. It moves earned units only, so
 * trial units can never be offered.
 */
export const buildReservation = ({
  id,
  senderId,
  amount,
}: Pick<Offer, 'id' | 'senderId' | 'amount'>): OfferMovement => ({
  kind: 'offer.reserved',
  reference: `offer:${id}:reserved`,
  amount,
  transfers: [
    { from: availableAccount('earned', senderId), to: reservedAccount('earned', senderId) },
  ],
});

/**
 * Builds the ledger transaction that a new state of an offer causes; undefined if the units stay
 * reserved. Payment and release share one reference, so the ledger accepts only one of them, once.
 */
export function buildSettlement(
  { id, senderId, recipientId, amount }: Pick<Offer, 'id' | 'senderId' | 'recipientId' | 'amount'>,
  next: OfferState,
): OfferMovement | undefined {
  const settlement = settlementByOfferState[next];
  if (settlement === undefined) return undefined;
  const to = availableAccount(
    'earned',
    settlement === 'paid' && recipientId !== null ? recipientId : senderId,
  );
  return {
    kind: settlementKinds[settlement],
    reference: `offer:${id}:settled`,
    amount,
    transfers: [{ from: reservedAccount('earned', senderId), to }],
  };
}
