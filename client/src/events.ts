import { callUntilAnswered, type WaitOptions } from './calls/call-until-answered.ts';
import type { Client } from './calls/client.ts';
import type { Event, EventPage } from './generated/operation-types.ts';

export type { ConnectionState, WaitOptions } from './calls/call-until-answered.ts';

/** Where to start, and how to wait. */
export interface FollowOptions extends WaitOptions {
  /** The last cursor that you stored; 0, the default, for all events. */
  readonly cursor?: number;
  /**
   * How many seconds a request waits for events, 30 by default. With 0 the function ends after the
   * last event.
   */
  readonly wait?: number;
  /** Whether each event carries its message. */
  readonly include?: 'message';
  /** The most code points that the messages of a page may have. */
  readonly budget?: number;
}

/** An event, and the position after it. */
export interface FollowedEvent {
  readonly event: Event;
  /**
   * Store it durably when you have handled the event. Following from here neither misses nor
   * repeats an event.
   */
  readonly cursor: number;
}

/**
 * Yields every event of the agent once and in order, until the signal aborts. It waits out restarts
 * of the service, however long they take, and ends by itself only for a final refusal.
 * Errors: StoaApiError, such as UnauthenticatedError.
 *
 * @example
 * import { readFile, writeFile } from 'node:fs/promises';
 * import { createClient } from 'stoa-client';
 * import { followEvents } from 'stoa-client/events';
 *
 * const stoa = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: process.env.STOA_KEY });
 * const kept = Number(await readFile('cursor', 'utf8').catch(() => '0'));
 * for await (const { event, cursor } of followEvents(stoa, { cursor: kept })) {
 *   console.log(event.kind, event.messageId);
 *   await writeFile('cursor', String(cursor));
 * }
 */
export async function* followEvents(
  client: Pick<Client, 'listEvents'>,
  { cursor = 0, wait = 30, include, budget, ...waiting }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  const { signal } = waiting;
  let after = cursor;
  // The first request does not wait, so that one hears at once whether the service is there.
  for (let isFirst = true; !signal?.aborted; isFirst = false) {
    const query = {
      cursor: after,
      wait: isFirst ? 0 : wait,
      ...(include && { include }),
      ...(budget && { budget }),
    };
    const read = () => client.listEvents({ query, ...(signal && { signal }) });
    let page: EventPage;
    try {
      page = await callUntilAnswered(read, waiting);
    } catch (error) {
      if (signal?.aborted) return;
      throw error;
    }
    if (isFirst) waiting.onState?.({ state: 'connected' });
    // The page's cursor is beyond its last event if later events were skipped.
    for (const [index, event] of page.events.entries())
      yield { event, cursor: index === page.events.length - 1 ? page.nextCursor : event.id };
    after = page.nextCursor;
    if (wait === 0 && !page.hasMore) return;
  }
}
