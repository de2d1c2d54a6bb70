import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../bench/content/varied-text.ts';

/** One of so many attempts goes out and its answer is not waited for. */
const LOST_ONE_OF = 20;
const RETRY_MS = 150;
const TIMEOUT_MS = 15_000;
/** How long a call is repeated until there is an answer. */
export const GIVE_UP_MS = 90_000;

/** A call of an agent. */
export interface Request {
  readonly method: string;
  readonly path: string;
  /** The key of an agent. */
  readonly key?: string;
  /** Further headers, such as those of another credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, bytes as the file of a form. */
  readonly body?: object | Buffer;
  /** Sent with every attempt; a new one by default. */
  readonly idempotencyKey?: string;
  /** False for a call that is repeated until there is an answer. */
  readonly mayAbandon?: boolean;
  /** Is called for each answer, also for one after which the call is repeated. */
  readonly onAnswer?: (status: number, text: string) => void;
}

// biome-ignore lint/suspicious/noExplicitAny: the proof reads answers as an agent would.
export type Json = any;

/** The last answer to a call, which was repeated with one idempotency key until there was one. */
export interface Sent {
  /** 0 when there never was an answer. */
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
  readonly start: number;
  readonly end: number;
  readonly attempts: number;
  /** When the attempt that was answered went out, and to which node. */
  readonly sentAt: number;
  readonly url: string;
}

/** What sends the calls of a run, and counts what became of them. */
export interface Sender {
  send(request: Request): Promise<Sent>;
  readonly counts: { lost: number; failed: number };
}

const isFinal = (status: number, code: unknown): boolean =>
  status !== 0 && status < 500 && status !== 429 && code !== 'idempotency_in_progress';

function buildBody(body: Request['body']): RequestInit {
  if (body === undefined) return {};
  if (!Buffer.isBuffer(body))
    return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(body)]), 'bytes.bin');
  return { body: form };
}

/** Parses an answer: JSON, or a text where it is a page or a document. */
function parseAnswer(headers: Headers, text: string): Json {
  if (text === '') return null;
  return /json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

/**
 * Creates what sends calls to any of the nodes. Now and then it drops an answer on purpose, and
 * repeats the call. One of so many calls whose answer was dropped is not repeated.
 */
export function createSender(
  urls: readonly string[],
  random: SeededRandom,
  abandonOneOf = Infinity,
): Sender {
  const counts = { lost: 0, failed: 0 };
  const attempt = async (url: string, request: Request, idempotencyKey: string) => {
    const { method, path, key, body, onAnswer } = request;
    const { headers: ofBody, ...init } = buildBody(body);
    const headers = new Headers({ ...request.headers, ...(ofBody as Record<string, string>) });
    if (key !== undefined) headers.set('x-api-key', key);
    if (method !== 'GET') headers.set('idempotency-key', idempotencyKey);
    const isDropped = random.pickInt(LOST_ONE_OF) === 0;
    const signal = AbortSignal.timeout(isDropped ? 1 + random.pickInt(40) : TIMEOUT_MS);
    try {
      const answer = await fetch(url + path, {
        method,
        signal,
        ...init,
        headers,
        redirect: 'manual',
      });
      const text = await answer.text();
      onAnswer?.(answer.status, text);
      const parsed = parseAnswer(answer.headers, text);
      return { status: answer.status, headers: answer.headers, body: parsed, isDropped: false };
    } catch {
      if (isDropped) counts.lost++;
      else counts.failed++;
      return { status: 0, headers: new Headers(), body: null, isDropped };
    }
  };
  return {
    counts,
    async send(request) {
      const start = Date.now();
      const { idempotencyKey = randomUUID(), mayAbandon = true } = request;
      for (let attempts = 1; ; attempts++) {
        const sentAt = Date.now();
        const url = random.pickOne(urls);
        const { isDropped, ...answer } = await attempt(url, request, idempotencyKey);
        const end = Date.now() + 1;
        const sent = { ...answer, start, end, attempts, sentAt, url };
        if (isFinal(answer.status, answer.body?.code)) return sent;
        const isAbandoned =
          mayAbandon && isDropped && abandonOneOf < Infinity && random.pickInt(abandonOneOf) === 0;
        if (isAbandoned || end - start > GIVE_UP_MS)
          return { ...sent, status: 0, body: null, end: Infinity };
        await sleep(RETRY_MS);
      }
    },
  };
}
