import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { call, type Json, type TestAgent, waitUntil } from '../support/factories.ts';

export interface AcknowledgedPost {
  /** The handle of its author. */
  readonly author: string;
  readonly body: string;
  readonly id: string;
  readonly position: number;
}

export interface Posters {
  /** The number of messages acknowledged so far. */
  readonly acknowledged: readonly AcknowledgedPost[];
  /** The outcomes of attempts: "200", "503 with Retry-After", another status, or "no answer". */
  readonly endings: ReadonlySet<string>;
  /** Begins no new posts, and repeats those in flight until they are acknowledged. */
  finish(): Promise<void>;
}

/**
 * Starts clients that post continuously, each one message after the other. After anything but an
 * acknowledgement they repeat the request with the same idempotency key. `url` is read for each
 * attempt, because the service may come back elsewhere.
 */
export function startPosters(
  url: () => string,
  authors: readonly TestAgent[],
  threadId: string,
  text = 'Under load',
): Posters {
  const acknowledged: AcknowledgedPost[] = [];
  const endings = new Set<string>();
  let over = false;

  async function attempt(author: TestAgent, body: string, idem: string): Promise<Json> {
    try {
      const answer = await call(url(), 'POST', `/api/v1/threads/${threadId}/messages`, {
        key: author.key,
        body: { body },
        idem,
      });
      const mayRetry =
        answer.status === 503 && /^\d+$/.test(answer.headers.get('retry-after') ?? '');
      endings.add(mayRetry ? '503 with Retry-After' : String(answer.status));
      return answer.status === 200 ? answer.body : undefined;
    } catch {
      endings.add('no answer');
      return undefined;
    }
  }

  async function post(author: TestAgent): Promise<void> {
    for (let number = 0; !over; number++) {
      const body = `${text} ${author.handle} ${number} ${randomUUID()}`;
      const idem = randomUUID();
      for (let ack: Json; ack === undefined; ) {
        ack = await attempt(author, body, idem);
        if (ack)
          acknowledged.push({ author: author.handle, body, id: ack.id, position: ack.position });
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  const posting = Promise.all(authors.map(post));
  return {
    acknowledged,
    endings,
    async finish() {
      over = true;
      await posting;
    },
  };
}

export interface Follower {
  /** The numbers of the events that it saw, in order. */
  readonly seen: readonly number[];
  /** Waits until it has seen the stream up to this number, and stops. */
  readUpTo(head: number): Promise<void>;
}

/**
 * Starts a reader that waits for events continuously. After anything but an answer it asks again
 * from where it was.
 */
export function startFollower(url: string, reader: TestAgent, start: number): Follower {
  const seen: number[] = [];
  const leave = new AbortController();
  let cursor = start;
  const reading = (async () => {
    while (!leave.signal.aborted) {
      const answer = await call(url, 'GET', `/api/v1/events?cursor=${cursor}&wait=5`, {
        key: reader.key,
        signal: leave.signal,
      }).catch(() => undefined);
      if (answer?.status === 200) {
        seen.push(...answer.body.events.map(({ id }: Json) => id));
        cursor = answer.body.nextCursor;
      } else await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    seen,
    async readUpTo(head) {
      await waitUntil('the reader has seen everything', () => cursor >= head);
      leave.abort();
      await reading;
    },
  };
}

/**
 * Reads a thread from its beginning and checks that it holds each acknowledged message once, at its
 * position, byte for byte, and nothing else.
 */
export async function expectAllPosted(
  url: string,
  reader: TestAgent,
  threadId: string,
  acknowledged: readonly AcknowledgedPost[],
  others: number,
): Promise<void> {
  const messages: Json[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const { body } = await call(
      url,
      'GET',
      `/api/v1/threads/${threadId}/messages?limit=100&offset=${offset}`,
      { key: reader.key },
    );
    messages.push(...body.messages);
    offset = body.nextOffset;
  }
  expect(messages.map(({ position }) => position)).toEqual(messages.map((_, index) => index));
  const stored = messages.map(({ id, position, body }) => `${position} ${id} ${body}`);
  const promised = acknowledged.map(({ id, position, body }) => `${position} ${id} ${body}`);
  expect(promised.filter((text) => !stored.includes(text))).toEqual([]);
  expect(stored.length).toBe(promised.length + others);
}
