import { createRandom } from '../../../bench/content/varied-text.ts';
import { useCounters } from '../../../test/faults/histories/use-counters.ts';
import { useGuestContext } from '../../../test/faults/histories/use-guest-context.ts';
import { useIdempotencyKeys } from '../../../test/faults/histories/use-idempotency-keys.ts';
import { useInvitations } from '../../../test/faults/histories/use-invitations.ts';
import { useMemberships } from '../../../test/faults/histories/use-memberships.ts';
import { useOffers } from '../../../test/faults/histories/use-offers.ts';
import { useRecords } from '../../../test/faults/histories/use-records.ts';
import type { Ground, Workload } from '../../../test/faults/histories/workload.ts';
import type { Told } from '../../../test/support/models/told.ts';
import { explainFailure } from '../../../test/support/shrink-history.ts';
import { createSender } from '../send.ts';
import type { Site } from '../site.ts';

const TURNS = 12;
/** One of so many calls whose answer was dropped is not repeated. */
const ABANDON_ONE_OF = 4;

/** Runs a workload; returns a check of its history, because that takes long. */
const record =
  <State, Operation extends Told>(use: Workload<State, Operation>) =>
  async (ground: Ground): Promise<() => string | null> => {
    const { calls, model } = await use(ground);
    return () => explainFailure(calls, model);
  };

const kinds = [
  record(useCounters),
  record(useGuestContext),
  record(useIdempotencyKeys),
  record(useInvitations),
  record(useMemberships),
  record(useOffers),
  record(useRecords),
];

/**
 * Lets several clients use objects of one kind at once, a kind for each seed in turn. Returns the
 * check of what they were told: it explains, with the fewest calls, why no order explains them.
 */
export async function recordHistory(
  { posts, adminKey }: Site,
  seed: number,
  run: string,
): Promise<() => string | null> {
  const use = kinds[seed % kinds.length] as (typeof kinds)[0];
  const urls = posts.map(({ url }) => url);
  return use({
    sender: createSender(urls, createRandom(2 * seed), ABANDON_ONE_OF),
    adminKey,
    turns: TURNS,
    random: createRandom(2 * seed + 1),
    run,
  });
}
