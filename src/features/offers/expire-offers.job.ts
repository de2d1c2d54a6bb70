import {
  runServiceTransaction,
  type ServiceEnvironment,
} from '../../kernel/pipeline/run-service-transaction.ts';
import { completeTransition } from './offer-transition.ts';
import { getStateAfterExpiry } from './rules.ts';
import * as offers from './store.ts';

/**
 * Expires one gift whose seven days are over and returns its units to the sender. It handles one
 * gift per transaction, so that accounts are never locked in two orders. Any number of nodes may
 * run it. Returns whether there may be more.
 */
export const expireOffer = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async (context) => {
    const due = await offers.lockDue(context.tx, context.now);
    if (!due) return false;
    const state = getStateAfterExpiry(due);
    await completeTransition({ ...context, agent: null }, due, state, due.recipientId);
    return true;
  });
