import { randomUUID } from 'node:crypto';
import type { SeededRandom } from '../../bench/content/varied-text.ts';
import { createSender, GIVE_UP_MS, type Json } from './send.ts';

/** Who calls, and what it may see. */
export interface Who {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it may see what is in private rooms. */
  readonly mayKnow: boolean;
}

/** A call as it is sent. */
export interface Request {
  readonly who: Who;
  readonly method: string;
  readonly path: string;
  /** An object is sent as JSON, bytes as the file of a form. */
  readonly body?: object | Buffer;
}

/** A call and its last answer. It was repeated with one idempotency key until there was one. */
export interface Called extends Request {
  readonly idempotencyKey: string;
  readonly status: number;
  readonly answer: Json;
  readonly start: number;
  readonly end: number;
  readonly attempts: number;
}

/** What sends calls, notes each of them, and looks at every answer. */
export interface Caller {
  call(request: Request): Promise<Called>;
  /** Calls again, with the key that was used before. */
  repeat(called: Called): Promise<Pick<Called, 'status' | 'answer'>>;
  /** The acts that were acknowledged, in the order of their answers. */
  readonly acts: readonly Called[];
  /** What was wrong with answers, as sentences. */
  readonly faults: readonly string[];
  readonly counts: { readonly calls: number; readonly lost: number };
}

/** Creates what sends calls to any of the nodes. */
export function createCaller(
  urls: readonly string[],
  canary: string,
  random: SeededRandom,
): Caller {
  const acts: Called[] = [];
  const faults: string[] = [];
  const sender = createSender(urls, random);
  const counts = {
    calls: 0,
    get lost() {
      return sender.counts.lost + sender.counts.failed;
    },
  };

  const examine = ({ who, method, path }: Request, status: number, text: string) => {
    const what = `${method} ${path} as ${who.name}`;
    if (status >= 500 && status !== 503)
      faults.push(`${what} was answered with ${status}: ${text}`);
    if (!who.mayKnow && text.includes(canary)) faults.push(`${what} showed what is private.`);
  };

  async function send(request: Request, idempotencyKey: string) {
    const { who, ...call } = request;
    const onAnswer = (status: number, text: string) => examine(request, status, text);
    const { headers } = who;
    const sent = await sender.send({ ...call, headers, idempotencyKey, onAnswer });
    if (sent.status === 0)
      throw new Error(`${call.method} ${call.path} had no answer in ${GIVE_UP_MS} ms.`);
    return sent;
  }

  return {
    acts,
    faults,
    counts,
    async repeat(called) {
      const { status, body } = await send(called, called.idempotencyKey);
      return { status, answer: body };
    },
    async call(request) {
      counts.calls++;
      const idempotencyKey = randomUUID();
      const { status, body, start, end, attempts } = await send(request, idempotencyKey);
      const called = { ...request, idempotencyKey, status, answer: body, start, end, attempts };
      if (status === 200 && request.method !== 'GET') acts.push(called);
      return called;
    },
  };
}
