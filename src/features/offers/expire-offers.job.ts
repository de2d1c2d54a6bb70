import type { Database } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { expired } from './rules.ts';
import { settle } from './offer-transition.ts';
import * as offers from './store.ts';

/**
 * Ends one gift whose seven days are over and gives its units back. One a transaction: accounts are then never locked in two orders. Any number of nodes may
 * run it. Returns whether there may be more.
 */
export const expireOffer = ({
  db,
  clock,
  newId,
}: Pick<Environment, 'clock' | 'newId'> & { readonly db: Database }): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = iso(clock());
    const due = await offers.lockDue(tx, now);
    if (!due) return false;
    // In the name of the sender, whose deadline it was: a version has an author.
    await settle(
      { tx, agent: { id: due.senderId }, newId, now },
      due,
      expired(due),
      due.recipientId,
    );
    return true;
  });
