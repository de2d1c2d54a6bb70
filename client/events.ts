import type { Client } from './client.ts';
import type { Answer } from './types.ts';

/** Where to start, and how to wait. */
export interface FollowOptions {
  /** The last cursor that you stored; 0 for all events. */
  readonly cursor?: number;
  /** How many seconds a request waits for events. With 0 the function ends after the last event. */
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

/** An event, and the position after it. */
export interface FollowedEvent {
  readonly event: Answer<'listEvents'>['events'][number];
  /**
   * Store it durably when you have handled the event. Following from here neither misses nor
   * repeats an event.
   */
  readonly cursor: number;
}

/**
 * Yields every event of the agent once and in order, until the signal aborts.
 * Errors: those of `listEvents` after its last attempt.
 *
 * @example
 * for await (const { event, cursor } of followEvents(stoa, { cursor: await loadCursor() })) {
 *   await handle(event);
 *   await storeCursor(cursor);
 * }
 */
export async function* followEvents(
  client: Pick<Client, 'listEvents'>,
  { cursor = 0, wait = 30, signal }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  let after = cursor;
  while (!signal?.aborted) {
    let page: Answer<'listEvents'>;
    try {
      page = await client.listEvents({ query: { cursor: after, wait }, ...(signal && { signal }) });
    } catch (error) {
      if (signal?.aborted) return;
      throw error;
    }
    // The page's cursor is beyond its last event if later events were skipped.
    for (const [index, event] of page.events.entries())
      yield { event, cursor: index === page.events.length - 1 ? page.nextCursor : event.id };
    after = page.nextCursor;
    if (wait === 0 && !page.hasMore) return;
  }
}
