import type { Database } from '../../db/database.ts';
import { toIso } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { completeTransition } from './offer-transition.ts';
import { getStateAfterExpiry } from './rules.ts';
import * as offers from './store.ts';

/**
 * Expires one gift whose seven days are over and returns its units to the sender. It handles one
 * gift per transaction, so that accounts are never locked in two orders. Any number of nodes may
 * run it. Returns whether there may be more.
 */
export const expireOffer = ({
  db,
  clock,
  newId,
}: Pick<Environment, 'clock' | 'newId'> & { readonly db: Database }): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = toIso(clock());
    const due = await offers.lockDue(tx, now);
    if (!due) return false;
    // Every version has an author. This one gets the sender, who set the deadline.
    await completeTransition(
      { tx, agent: { id: due.senderId }, newId, now },
      due,
      getStateAfterExpiry(due),
      due.recipientId,
    );
    return true;
  });
