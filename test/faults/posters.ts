import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { call, type Loose, type TestAgent, until } from '../support/factories.ts';

export interface Acknowledged {
  /** Handle of its author. */
  readonly author: string;
  readonly body: string;
  readonly id: string;
  readonly position: number;
}

export interface Posters {
  /** Acknowledged so far. */
  readonly acknowledged: readonly Acknowledged[];
  /** How attempts ended: "200", "503 with Retry-After", another status, or "no answer". */
  readonly endings: ReadonlySet<string>;
  /** No new posts; what is begun is repeated until it is acknowledged. */
  finish(): Promise<void>;
}

/**
 * Clients that post all the time, each one message after the other, and after anything but an acknowledgement repeat the same
 * request with the same idempotency key. `url` is asked for each attempt: the service may come back elsewhere.
 */
export function startPosters(
  url: () => string,
  authors: readonly TestAgent[],
  threadId: string,
  text = 'Under load',
): Posters {
  const acknowledged: Acknowledged[] = [];
  const endings = new Set<string>();
  let over = false;

  async function attempt(author: TestAgent, body: string, idem: string): Promise<Loose> {
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
      const [body, idem] = [`${text} ${author.handle} ${number} ${randomUUID()}`, randomUUID()];
      for (let ack: Loose; ack === undefined; ) {
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
  /** Numbers of the events that it saw, as it saw them. */
  readonly seen: readonly number[];
  /** Waits until it has seen the stream up to this number, and goes. */
  upTo(head: number): Promise<void>;
}

/** A reader that waits for events all the time and, after anything but an answer, asks again from where it was. */
export function follow(url: string, reader: TestAgent, start: number): Follower {
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
        seen.push(...answer.body.events.map(({ id }: Loose) => id));
        cursor = answer.body.nextCursor;
      } else await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    seen,
    async upTo(head) {
      await until('the reader has seen everything', () => cursor >= head);
      leave.abort();
      await reading;
    },
  };
}

/** Reads a thread from its beginning and holds it to what was acknowledged: each once, at its position, byte for byte, and nothing else. */
export async function expectAllThere(
  url: string,
  reader: TestAgent,
  threadId: string,
  acknowledged: readonly Acknowledged[],
  others: number,
): Promise<void> {
  const messages: Loose[] = [];
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
