import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from './site.ts';

/** More than are told in the transaction of a post, so that a job tells the rest in slices. */
const CROWD = 700;

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

/** Waits until everybody was told of everything. */
export async function waitForFanouts(site: Site): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const [row] = await site.query('SELECT count(*)::int AS n FROM event_fanouts');
    isDone = row?.n === 0;
    if (!isDone) await sleep(100);
  }
}
