import type { Machine } from '../../kernel/records/versioned.ts';

export const offerStates = ['reserved', 'confirmed', 'accepted', 'cancelled', 'expired'] as const;
export type OfferState = (typeof offerStates)[number];

export const triggers = ['confirm', 'accept', 'decline', 'cancel', 'expire'] as const;
export type Trigger = (typeof triggers)[number];

/** The contract's table (section 6). Only a gift expires; what is over stays over. */
export const machine: Machine<OfferState, Trigger> = {
  reserved: { confirm: 'confirmed', cancel: 'cancelled', expire: 'expired' },
  confirmed: { accept: 'accepted', decline: 'reserved', cancel: 'cancelled', expire: 'expired' },
  accepted: {},
  cancelled: {},
  expired: {},
};

/** Who may pull a trigger; time is nobody's. */
export const actorOf = {
  confirm: 'sender',
  accept: 'recipient',
  decline: 'recipient',
  cancel: 'sender',
} as const satisfies Partial<Record<Trigger, string>>;

/** Whether the reserved units go anywhere with a state: to the recipient, or back to the sender. */
export const moneyOf: Readonly<Partial<Record<OfferState, 'paid' | 'released'>>> = {
  accepted: 'paid',
  cancelled: 'released',
  expired: 'released',
};

/** Whether units are set aside. */
export const isOpen = (state: OfferState): boolean => state === 'reserved' || state === 'confirmed';
