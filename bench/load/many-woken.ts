import { setTimeout as sleep } from 'node:timers/promises';
import { type Round, toRound } from '../measure/stats.ts';
import { ask } from './poster.ts';
import { openRawClient } from './raw-client.ts';
import { formatRequest } from './raw-http.ts';

/** Readers that wait for the events of one thread, and who posts in it. */
export interface ManyWokenOptions {
  readonly url: string;
  readonly readerKeys: readonly string[];
  readonly posterKey: string;
  readonly threadId: string;
  readonly times: number;
}

/** The time until the requests of all readers wait in the service. */
const SETTLE_MS = 2_000;

/**
 * Measures the time from sending a post until each of many waiting readers has its event. The time
 * includes the post itself. Errors: Error when a reader gets no event.
 */
export async function measureManyWoken(options: ManyWokenOptions): Promise<Round> {
  const { url, readerKeys, posterKey, threadId, times } = options;
  // A client of Node.js would take as long for a thousand answers as the service.
  const client = openRawClient(url);
  const listEvents = async (key: string, query: string) => {
    const path = `/api/v1/events?${query}`;
    const request = formatRequest({ method: 'GET', path, headers: { 'x-api-key': key } });
    const { body } = await client.send(request);
    const at = performance.now();
    return { ...(JSON.parse(body) as { events: unknown[]; nextCursor: number }), at };
  };
  const cursors = new Map<string, number>();
  for (const key of readerKeys)
    cursors.set(key, (await listEvents(key, 'cursor=0&limit=500')).nextCursor);
  const latencies: number[] = [];
  for (let time = 0; time < times; time++) {
    const waiting = readerKeys.map(async (key) => {
      const page = await listEvents(key, `cursor=${cursors.get(key)}&wait=9`);
      if (page.events.length === 0) throw new Error('A reader was woken without an event.');
      cursors.set(key, page.nextCursor);
      return page.at;
    });
    await sleep(SETTLE_MS);
    const sent = performance.now();
    await ask({ url }, posterKey, `/threads/${threadId}/messages`, {
      body: `Wake up, ${time}`,
      follow: false,
    });
    latencies.push(...(await Promise.all(waiting)).map((at) => at - sent));
  }
  client.close();
  return toRound(latencies, 1);
}
