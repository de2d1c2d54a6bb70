import { parseRetryAfter, type RetryOptions, sleepMs } from './retry.ts';
import { StoaApiError } from './stoa-api-error.ts';

/** Whether the service answers; while it does not, why, and when it is asked again. */
export type ConnectionState =
  | { readonly state: 'connected'; readonly error?: undefined; readonly retryInMs?: undefined }
  | { readonly state: 'waiting'; readonly error: Error; readonly retryInMs: number };

/** How to wait for a service that is away. */
export interface WaitOptions extends Pick<RetryOptions, 'sleep' | 'random'> {
  readonly signal?: AbortSignal;
  /** Is called when the service goes away, before each further attempt, and when it answers. */
  readonly onState?: (state: ConnectionState) => void;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;

/**
 * Returns how many milliseconds to wait before the next attempt after `tries` failed ones: twice as
 * long each time, and spread, so that those who were cut off together do not return together.
 */
export const computeDelay = (tries: number, most = MAX_DELAY_MS, random = Math.random): number =>
  Math.round(Math.min(most, FIRST_DELAY_MS * 2 ** Math.min(tries, 16)) * (0.5 + random() / 2));

/** Statuses below 500 that say that the same call may succeed later. */
const PASSING = [408, 425, 429];

/**
 * Whether the same call will never succeed: nobody would notice that it is repeated for ever. It
 * does not matter whether the service refuses it or something before it, such as a filter.
 */
export const isFinal = (error: unknown): boolean =>
  error instanceof StoaApiError &&
  error.status < 500 &&
  !PASSING.includes(error.status) &&
  error.code !== 'idempotency_in_progress';

/** Whether the service refused a call for good, and so did nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StoaApiError && error.problem !== null && isFinal(error);

const getAskedMs = (error: unknown): number =>
  error instanceof StoaApiError ? (parseRetryAfter(error.headers) ?? 0) * 1000 : 0;

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });

/**
 * Calls until there is an answer, however long the service is away. It asks again at least once an
 * hour, whatever the service asks for. Name the idempotency key, or
 * each attempt has another one and may have an effect of its own.
 * Errors: StoaApiError for a final refusal; the reason of the signal.
 *
 * @example
 * import { Agent, callUntilAnswered } from 'stoa-client';
 *
 * const url = 'http://127.0.0.1:8080';
 * const me = await Agent.open({ url, handle: 'ann', state: 'ann.json' });
 * const [thread] = await me.client.listThreads();
 * if (thread) {
 *   const params = { id: thread.id };
 *   const call = { params, body: { body: 'Hello.' }, idempotencyKey: 'hello-1' };
 *   await callUntilAnswered(() => me.client.postMessage(call), {
 *     onState: ({ state, error }) => console.log(state, error?.message),
 *   });
 * }
 */
export async function callUntilAnswered<Result>(
  call: () => Promise<Result>,
  { signal, onState, sleep = sleepMs, random = Math.random }: WaitOptions = {},
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      const result = await call();
      if (tries > 0) onState?.({ state: 'connected' });
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal(error)) throw error;
      const retryInMs = Math.max(getAskedMs(error), computeDelay(tries, MAX_DELAY_MS, random));
      onState?.({ state: 'waiting', error: toError(error), retryInMs });
      await sleep(retryInMs, signal);
    }
  }
}
