import type { Client } from './client.ts';
import type { Answer } from './types.ts';

export interface FollowOptions {
  /** The last cursor that you have kept; 0 for everything from the beginning. */
  readonly cursor?: number;
  /** Seconds that a quiet request is held. 0: end as soon as there is nothing more. */
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

export interface Followed {
  readonly event: Answer<'listEvents'>['events'][number];
  /** Keep it durably when you have dealt with the event: following from here misses nothing and repeats nothing. */
  readonly cursor: number;
}

/** Every event of the agent, once and in order, until the signal aborts. Errors: what `listEvents` throws when its tries are over. */
export async function* followEvents(
  client: Pick<Client, 'listEvents'>,
  { cursor = 0, wait = 30, signal }: FollowOptions = {},
): AsyncGenerator<Followed, void, undefined> {
  let after = cursor;
  while (!signal?.aborted) {
    let page: Answer<'listEvents'>;
    try {
      page = await client.listEvents({ query: { cursor: after, wait }, ...(signal && { signal }) });
    } catch (error) {
      if (signal?.aborted) return;
      throw error;
    }
    // The page's own cursor lies behind its last event when later ones were skipped.
    for (const [index, event] of page.events.entries())
      yield { event, cursor: index === page.events.length - 1 ? page.nextCursor : event.id };
    after = page.nextCursor;
    if (wait === 0 && !page.hasMore) return;
  }
}
