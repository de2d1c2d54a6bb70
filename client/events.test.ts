import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { followEvents } from './events.ts';

const page = (ids: number[], nextCursor: number, hasMore: boolean) =>
  Response.json({ events: ids.map((id) => ({ id })), nextCursor, hasMore, unreadCount: 0 });

function following(...answers: Response[]) {
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
  it('gives each event once with the cursor to keep, over empty pages that move on', async () => {
    const { client, asked } = following(
      page([4, 5], 7, true),
      page([], 20, true),
      page([21], 21, false),
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

  it('waits for more until it is told to stop', async () => {
    const stop = new AbortController();
    const { client, asked } = following(page([1], 1, false), page([], 1, false));
    for await (const { cursor } of followEvents(client, { signal: stop.signal })) {
      expect(cursor).toBe(1);
      setTimeout(() => stop.abort(), 20);
    }
    expect(asked).toEqual(['0', '1', '1']);
  });
});
