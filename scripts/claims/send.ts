import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../bench/content/varied-text.ts';

/** One of so many attempts goes out and its answer is not waited for. */
const LOST_ONE_OF = 20;
const RETRY_MS = 150;
const GIVE_UP_MS = 45_000;

/** A call of an agent. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: the proof reads answers as an agent would.
export type Json = any;

/** The last answer to a call, which was repeated with one idempotency key until there was one. */
export interface Sent {
  /** 0 when there never was an answer. */
  readonly status: number;
  readonly body: Json;
  readonly start: number;
  readonly end: number;
  readonly attempts: number;
}

/** What sends the calls of a run, and counts what became of them. */
export interface Sender {
  send(request: Request): Promise<Sent>;
  readonly counts: { lost: number; failed: number };
}

const isFinal = (status: number, code: unknown): boolean =>
  status !== 0 && status < 500 && status !== 429 && code !== 'idempotency_in_progress';

/** Creates what sends calls to any of the nodes. Now and then it drops an answer on purpose. */
export function createSender(urls: readonly string[], random: SeededRandom): Sender {
  const counts = { lost: 0, failed: 0 };
  const attempt = async (url: string, request: Request, idempotencyKey: string) => {
    const { method, path, key, body } = request;
    const isDropped = random.pickInt(LOST_ONE_OF) === 0;
    const signal = AbortSignal.timeout(isDropped ? 1 + random.pickInt(40) : 10_000);
    try {
      const answer = await fetch(url + path, {
        method,
        signal,
        headers: {
          'x-api-key': key,
          ...(method !== 'GET' && { 'idempotency-key': idempotencyKey }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as Json) };
    } catch {
      if (isDropped) counts.lost++;
      else counts.failed++;
      return { status: 0, body: null };
    }
  };
  return {
    counts,
    async send(request) {
      const start = Date.now();
      const idempotencyKey = randomUUID();
      for (let attempts = 1; ; attempts++) {
        const answer = await attempt(random.pickOne(urls), request, idempotencyKey);
        const end = Date.now() + 1;
        if (isFinal(answer.status, answer.body?.code)) return { ...answer, start, end, attempts };
        if (end - start > GIVE_UP_MS)
          return { status: 0, body: null, start, end: Infinity, attempts };
        await sleep(RETRY_MS);
      }
    },
  };
}
