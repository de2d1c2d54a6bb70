import { completeTransition, type TransitionContext } from './offer-transition.ts';
import { getStateAfterRecovery } from './open-offers.rules.ts';
import * as openOffers from './open-offers.store.ts';

/**
 * Cancels all open offers that an agent made, and tells both parties of each. Nobody acts for the
 * agent in it. The caller holds `agentLocks.lock`, for which the agent waits to make an offer,
 * and calls this last: all units move between the same two accounts.
 */
export async function cancelOpenOffers(
  context: Omit<TransitionContext, 'agent'>,
  senderId: string,
): Promise<void> {
  const open = await openOffers.lockOpen(context.tx, senderId);
  // The statements of all offers travel together: there may be a thousand.
  await Promise.all(
    open.map((offer) =>
      completeTransition(
        { ...context, agent: null },
        offer,
        getStateAfterRecovery(offer),
        offer.recipientId,
      ),
    ),
  );
}
