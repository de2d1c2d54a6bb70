import type { StateMachine } from '../../kernel/records/versioned.ts';

/** The states of an offer, in the order of its life. */
export const offerStates = ['reserved', 'confirmed', 'accepted', 'cancelled', 'expired'] as const;
/** The state of an offer. */
export type OfferState = (typeof offerStates)[number];

/** The triggers of transitions between these states. */
export const offerTriggers = ['confirm', 'accept', 'decline', 'cancel', 'expire'] as const;
/** A trigger of a transition. */
export type OfferTrigger = (typeof offerTriggers)[number];

/** The table of section 6 of the contract. Only a gift expires. Final states have no triggers. */
export const offerMachine: StateMachine<OfferState, OfferTrigger> = {
  reserved: { confirm: 'confirmed', cancel: 'cancelled', expire: 'expired' },
  confirmed: { accept: 'accepted', decline: 'reserved', cancel: 'cancelled', expire: 'expired' },
  accepted: {},
  cancelled: {},
  expired: {},
};

/** The party that may use a trigger. Expiry is missing, because only time causes it. */
export const actorByTrigger = {
  confirm: 'sender',
  accept: 'recipient',
  decline: 'recipient',
  cancel: 'sender',
} as const satisfies Partial<Record<OfferTrigger, string>>;

/** What a state does to the reserved units: `paid` to the recipient, `released` to the sender. */
export const settlementByOfferState: Readonly<Partial<Record<OfferState, 'paid' | 'released'>>> = {
  accepted: 'paid',
  cancelled: 'released',
  expired: 'released',
};

/** Returns whether the units of an offer in this state are reserved. */
export const isOpen = (state: OfferState): boolean => state === 'reserved' || state === 'confirmed';
