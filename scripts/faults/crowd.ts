import { buildCrowdStatement } from '../../bench/content/crowd.ts';
import { waitForNone } from './checks/wait-for-none.ts';
import type { Site } from './site.ts';

/** More than are told in the transaction of a post, so that a job tells the rest in slices. */
const CROWD = 700;
const TOLD_MS = 60_000;

/** Lets many agents follow a thread who never read, before those in the order of ids who do. */
export async function addCrowd(site: Site, threadId: string): Promise<void> {
  await site.query(buildCrowdStatement(CROWD), [threadId]);
}

/** Waits until everybody was told of everything. Returns what is wrong, as sentences. */
export const waitForFanouts = (site: Site): Promise<string[]> =>
  waitForNone(site, 'event_fanouts', 'Threads whose followers were not told', TOLD_MS);
