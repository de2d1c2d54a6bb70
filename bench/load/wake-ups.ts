import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/client.ts';
import { type Round, roundOf } from '../measure/stats.ts';

export interface Waking {
  readonly url: string;
  readonly adminKey: string;
  readonly readerKey: string;
  readonly posterKey: string;
  /** One that the reader follows and nobody else posts in now. */
  readonly threadId: string;
  readonly times: number;
}

/** Long enough that the reader's request is being held when the post is sent. */
const SETTLE_MS = 15;

/** Time from sending a post until a reader who waits for events has the answer, the post itself included. */
export async function wakeUps({
  url,
  adminKey,
  readerKey,
  posterKey,
  threadId,
  times,
}: Waking): Promise<Round> {
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
  return roundOf(latencies, 1);
}
