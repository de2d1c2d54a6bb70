import { fail } from '../../kernel/errors.ts';
import { getNextState } from '../../kernel/records/versioned.ts';
import type { Offer } from './rules.ts';
import { type OfferState, offerMachine } from './transitions.ts';

/**
 * The most open offers that an agent may have made. A recovery cancels all of them in one
 * transaction, so there must be an end to them.
 */
export const MAX_OPEN = 1000;

/**
 * Asserts that an agent may have so many open offers. Errors: `limit_exceeded` with `limit`.
 */
export function assertMayHoldOpen(count: number): void {
  if (count > MAX_OPEN)
    throw fail(
      'limit_exceeded',
      `You have ${MAX_OPEN} open offers, and no more are possible. Cancel one with ` +
        '{op:cancelOffer}, or wait until one is accepted.',
      { limit: MAX_OPEN },
    );
}

/** Returns the state of an offer after a recovery of its sender. Errors: `state_conflict`. */
export const getStateAfterRecovery = ({ state }: Pick<Offer, 'state'>): OfferState =>
  getNextState(offerMachine, state, 'cancel');
