import { createRandom } from '../content/varied-text.ts';
import { answerAsChild, type Child } from './child.ts';
import { createRequests, type Profile } from './profiles.ts';
import { openRawClient, type RawClient } from './raw-client.ts';
import { formatRequest } from './raw-http.ts';

/** A command to the generator. */
export type OpenLoopCommand =
  | { readonly open: readonly Profile[]; readonly url: string; readonly adminKey: string }
  /** Sends at these rates, one for each profile, whatever the answers are. */
  | {
      readonly rates: readonly number[];
      readonly seconds: number;
      readonly seed: number;
      /** Connections to have from the beginning: more are opened when all of them are in use. */
      readonly connections: number;
    }
  /** So many callers send as soon as they have an answer: profiles by their index in this order. */
  | { readonly callers: number; readonly order: readonly number[]; readonly seconds: number };

/** What became of the requests of a round, each at the same index. */
export interface Outcomes {
  /** The index of the profile. */
  readonly kind: Uint8Array;
  /** When the request was due, in milliseconds since the beginning of the round. */
  readonly due: Float32Array;
  /** Milliseconds from when it was due until the answer was complete. */
  readonly latency: Float32Array;
  /** Milliseconds by which the generator itself sent it too late. */
  readonly lag: Float32Array;
  /** 0 when the connection broke. */
  readonly status: Uint16Array;
  readonly hasRetryAfter: Uint8Array;
}

/** This machine's addresses that the callers have, as limits by address count them. */
const ADDRESSES = Array.from({ length: 16 }, (_, index) => `127.0.0.${index + 1}`);

/** Collects outcomes in columns, which are cheap to send to another process. */
function createColumns() {
  const columns = {
    kind: [],
    due: [],
    latency: [],
    lag: [],
    status: [],
    hasRetryAfter: [],
  } as Record<keyof Outcomes, number[]>;
  return {
    columns,
    build: (): Outcomes => ({
      kind: Uint8Array.from(columns.kind),
      due: Float32Array.from(columns.due),
      latency: Float32Array.from(columns.latency),
      lag: Float32Array.from(columns.lag),
      status: Uint16Array.from(columns.status),
      hasRetryAfter: Uint8Array.from(columns.hasRetryAfter),
    }),
  };
}

/** Sends a request that was due at a moment, and notes what became of it. */
type SendDue = (kind: number, due: number) => Promise<void>;

function createSender(client: RawClient, next: readonly (() => string)[], began: number) {
  const { columns, build } = createColumns();
  const send: SendDue = async (kind, due) => {
    const lag = performance.now() - began - due;
    const { status, hasRetryAfter } = await client.send(next[kind]?.() ?? '');
    columns.kind.push(kind);
    columns.due.push(due);
    columns.latency.push(performance.now() - began - due);
    columns.lag.push(lag);
    columns.status.push(status);
    columns.hasRetryAfter.push(Number(hasRetryAfter));
  };
  return { send, build };
}

/** Sends requests as they are due, at random moments (a Poisson process) with these rates. */
async function sendAtRates(
  rates: readonly number[],
  milliseconds: number,
  seed: number,
  began: number,
  send: SendDue,
): Promise<void> {
  const random = createRandom(seed);
  const pickGap = (rate: number) => (-Math.log(1 - random.next()) / rate) * 1000;
  const nextDue = rates.map((rate) => (rate > 0 ? pickGap(rate) : Number.POSITIVE_INFINITY));
  const pending = new Set<Promise<void>>();
  while (performance.now() - began < milliseconds) {
    const now = Math.min(performance.now() - began, milliseconds);
    for (const [kind, rate] of rates.entries())
      for (let due = nextDue[kind] as number; due <= now; nextDue[kind] = due) {
        const sent = send(kind, due);
        pending.add(sent);
        void sent.then(() => pending.delete(sent));
        due += pickGap(rate);
      }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
}

/** Runs the role "open-loop": callers that do not wait for each other's answers. */
export function serveOpenLoop(): void {
  let client: RawClient | undefined;
  let next: (() => string)[] = [];
  answerAsChild<OpenLoopCommand, Outcomes | null>(async (command) => {
    if ('open' in command) {
      client?.close();
      client = openRawClient(command.url, ADDRESSES);
      next = command.open.map((profile) => {
        const build = createRequests(profile, command.adminKey);
        return () => formatRequest(build());
      });
      return null;
    }
    if (!client) throw new Error('The generator has no profiles yet.');
    if ('rates' in command) await client.prepare(command.connections);
    const began = performance.now();
    const { send, build } = createSender(client, next, began);
    const milliseconds = command.seconds * 1000;
    if ('rates' in command)
      await sendAtRates(command.rates, milliseconds, command.seed, began, send);
    else
      await Promise.all(
        Array.from({ length: command.callers }, async (_, caller) => {
          for (let nr = caller, now = 0; now < milliseconds; nr++) {
            await send(command.order[nr % command.order.length] as number, now);
            now = performance.now() - began;
          }
        }),
      );
    return build();
  });
}

/** The process that sends in an open loop. */
export type OpenLoop = Child<OpenLoopCommand, Outcomes | null>;
