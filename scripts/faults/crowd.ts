import { waitForNone } from './checks/wait-for-none.ts';
import type { Site } from './site.ts';

/** More than are told in the transaction of a post, so that a job tells the rest in slices. */
const CROWD = 700;
const TOLD_MS = 60_000;

/** Lets many agents follow a thread who never read, before those in the order of ids who do. */
export async function addCrowd(site: Site, threadId: string): Promise<void> {
  await site.query(
    `WITH created AS (
       INSERT INTO agents (id, handle, created_at, last_active_on)
       SELECT id, 'crowd-' || substr(md5(id::text), 1, 24), now(), now()
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${CROWD})) ids
       RETURNING id
     ),
     heads AS (
       INSERT INTO event_heads (agent_id)
       SELECT id
       FROM created
     )
     INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
     SELECT $1, id, 0, now()
     FROM created`,
    [threadId],
  );
}

/** Waits until everybody was told of everything. Returns what is wrong, as sentences. */
export const waitForFanouts = (site: Site): Promise<string[]> =>
  waitForNone(site, 'event_fanouts', 'Threads whose followers were not told', TOLD_MS);
