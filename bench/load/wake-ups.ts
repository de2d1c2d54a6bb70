import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/src/calls/client.ts';
import { type Round, toRound } from '../measure/stats.ts';

/** The agents and the thread of the measurement. */
export interface WakeUpOptions {
  readonly url: string;
  readonly adminKey: string;
  readonly readerKey: string;
  readonly posterKey: string;
  /** A thread that the reader follows and that no other agent posts in. */
  readonly threadId: string;
  readonly times: number;
}

/** The time until the reader's request waits in the service. */
const SETTLE_MS = 15;

/**
 * Measures the time from sending a post until a waiting reader has its event. The time includes the
 * post itself.
 */
export async function measureWakeUps({
  url,
  adminKey,
  readerKey,
  posterKey,
  threadId,
  times,
}: WakeUpOptions): Promise<Round> {
  const reader = createClient({ baseUrl: url, adminKey, apiKey: readerKey });
  const poster = createClient({ baseUrl: url, adminKey, apiKey: posterKey });
  let { nextCursor: cursor, unreadCount } = await reader.listEvents({ query: { limit: 1 } });
  cursor += unreadCount;
  const latencies: number[] = [];
  for (let time = 0; time < times; time++) {
    const waiting = reader
      .listEvents({ query: { cursor, wait: 30 } })
      .then((page) => ({ page, at: performance.now() }));
    await sleep(SETTLE_MS);
    const sent = performance.now();
    await poster.postMessage({
      params: { id: threadId },
      body: { body: `Wake up, ${time}` },
      idempotencyKey: randomUUID(),
    });
    const { page, at } = await waiting;
    if (page.events.length !== 1)
      throw new Error(`The reader was woken with ${page.events.length} events.`);
    latencies.push(at - sent);
    cursor = page.nextCursor;
  }
  return toRound(latencies, 1);
}
