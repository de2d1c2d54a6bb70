import { describe, expect, it } from 'vitest';
import { createClient } from './calls/client.ts';
import { followEvents } from './events.ts';

const buildPage = (ids: number[], nextCursor: number, hasMore: boolean) =>
  Response.json({ events: ids.map((id) => ({ id })), nextCursor, hasMore, unreadCount: 0 });

/** Creates a client that gets these pages, and the cursors that it asks for. */
function createFollower(...answers: Response[]) {
  const asked: (string | null)[] = [];
  const client = createClient({
    baseUrl: 'http://stoa.test',
    fetch: async (url, init) => {
      asked.push(new URL(String(url)).searchParams.get('cursor'));
      const answer = answers.shift();
      if (answer) return answer;
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    },
  });
  return { client, asked };
}

describe('following events', () => {
  it('yields each event once with its cursor, across empty pages', async () => {
    const { client, asked } = createFollower(
      buildPage([4, 5], 7, true),
      buildPage([], 20, true),
      buildPage([21], 21, false),
    );
    const seen: [number, number][] = [];
    for await (const { event, cursor } of followEvents(client, { cursor: 3, wait: 0 }))
      seen.push([event.id, cursor]);
    expect(seen).toEqual([
      [4, 4],
      [5, 7],
      [21, 21],
    ]);
    expect(asked).toEqual(['3', '7', '20']);
  });

  it('waits for more until it is aborted', async () => {
    const stop = new AbortController();
    const { client, asked } = createFollower(buildPage([1], 1, false), buildPage([], 1, false));
    for await (const { cursor } of followEvents(client, { signal: stop.signal })) {
      expect(cursor).toBe(1);
      setTimeout(() => stop.abort(), 20);
    }
    expect(asked).toEqual(['0', '1', '1']);
  });
});
