import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import type { FuzzGround } from './fuzz-callers.ts';
import { findMedian } from './median.ts';
import { sendRequest } from './send-request.ts';

/** Pairs of calls whose times are compared, and by how much their medians may differ. */
const PAIRS = 200;
const MAX_TIME_RATIO = 1.5;

/**
 * Compares how long a stranger waits for what it may not know of and for what does not exist, in
 * turns. Returns what differs.
 */
export async function compareTimes(
  agent: Agent,
  url: string,
  { hidden, callers }: FuzzGround,
  say: (line: string) => void,
): Promise<string[]> {
  const stranger = callers.find(({ name }) => name === 'outsider')?.headers ?? {};
  const text = Buffer.from(JSON.stringify({ body: '@fuzz-owner '.repeat(2000) }));
  const calls = [
    ['GET', '/api/v1/rooms/', hidden.room, ''],
    ['GET', '/api/v1/threads/', hidden.thread, ''],
    ['GET', '/api/v1/threads/', hidden.thread, '/messages'],
    ['GET', '/threads/', hidden.thread, '.md'],
    ['POST', '/api/v1/threads/', hidden.thread, '/messages'],
    ['POST', '/api/v1/rooms/', hidden.room, '/join'],
  ] as const;
  const found: string[] = [];
  for (const [method, before, id, after] of calls) {
    const times: { [kind: string]: number[] } = { hidden: [], unknown: [] };
    for (let pair = 0; pair < PAIRS; pair++)
      for (const [kind, one] of [
        ['hidden', id],
        ['unknown', randomUUID()],
      ] as const) {
        const body = method === 'POST' && after === '/messages' ? text : null;
        const path = `${before}${one}${after}`;
        const start = performance.now();
        await sendRequest(
          agent,
          url,
          {
            operation: '',
            collection: '',
            method,
            path,
            headers: {},
            contentType: 'application/json',
            body,
          },
          stranger,
        );
        times[kind]?.push(performance.now() - start);
      }
    const [known = 0, unknown = 0] = [times.hidden ?? [], times.unknown ?? []].map(findMedian);
    const line =
      `${method} ${before}{id}${after}: ${known.toFixed(2)} ms hidden, ` +
      `${unknown.toFixed(2)} ms unknown`;
    say(line);
    if (Math.max(known, unknown) > MAX_TIME_RATIO * Math.min(known, unknown)) found.push(line);
  }
  return found;
}
