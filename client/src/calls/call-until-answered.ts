import { type RetryOptions, sleepMs } from './retry.ts';
import { StoaApiError } from './stoa-api-error.ts';

/** Whether the service answers; while it does not, why, and when it is asked again. */
export type ConnectionState =
  | { readonly state: 'connected' }
  | { readonly state: 'waiting'; readonly error: unknown; readonly retryInMs: number };

/** How to wait for a service that is away. */
export interface WaitOptions extends Pick<RetryOptions, 'sleep' | 'random'> {
  readonly signal?: AbortSignal;
  /** Is told when the service goes away, before each further attempt, and when it answers. */
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

/** Whether the same call will never succeed: nobody would notice that it is repeated for ever. */
export const isFinal = (error: unknown): boolean =>
  error instanceof StoaApiError &&
  error.problem !== null &&
  error.status < 500 &&
  error.status !== 429 &&
  error.code !== 'idempotency_in_progress';

const getAskedMs = (error: unknown): number =>
  error instanceof StoaApiError ? Number(error.headers.get('retry-after')) * 1000 || 0 : 0;

/**
 * Calls until there is an answer, however long the service is away.
 * Errors: StoaApiError for a refusal that stays; the reason of the signal.
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
      onState?.({ state: 'waiting', error, retryInMs });
      await sleep(retryInMs, signal);
    }
  }
}
