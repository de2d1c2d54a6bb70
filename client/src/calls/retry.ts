import { StoaApiError } from './stoa-api-error.ts';

/** How often and when to repeat a call. */
export interface RetryOptions {
  /** The maximum number of attempts, including the first one; 5 by default. */
  readonly tries?: number;
  /** If the service asks for a longer wait, the error is thrown; 60 by default. */
  readonly maxWaitSeconds?: number;
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to 1, which spreads the waits of many clients. */
  readonly random?: () => number;
}

/** The longest wait that an answer may ask for. Whatever asks for more is broken or hostile. */
const MAX_ASKED_SECONDS = 3600;
/** Timers cannot wait longer, and end at once if they are asked to. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits, at most 24 days. Errors: the reason of the signal. */
export const sleepMs = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const wake = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(milliseconds, MAX_TIMER_MS));
    signal?.addEventListener('abort', stop, { once: true });
  });

/**
 * Parses how many seconds a response asks to wait (RFC 9110, section 10.2.3), at most an hour; null
 * if it asks for nothing.
 */
export function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : Math.max(0, (Date.parse(value) - Date.now()) / 1000) || 0;
  return Math.min(seconds, MAX_ASKED_SECONDS);
}

/**
 * Whether the same call may succeed later: after a lost connection, too many calls, an overload, or
 * when the first call has not finished.
 */
const isRetryable = (error: unknown): boolean =>
  !(error instanceof StoaApiError) ||
  [429, 502, 503, 504].includes(error.status) ||
  error.code === 'idempotency_in_progress';

/**
 * Repeats `attempt` until it succeeds, fails permanently, or has no attempts left. This is safe,
 * because a repeated mutation has the same idempotency key.
 * Errors: the error of the last attempt.
 */
export async function withRetry<Result>(
  attempt: () => Promise<Result>,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { tries = 5, maxWaitSeconds = 60, sleep = sleepMs, random = Math.random } = options;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted || attempts >= tries || !isRetryable(error)) throw error;
      const askedSeconds = error instanceof StoaApiError ? parseRetryAfter(error.headers) : null;
      const seconds = askedSeconds ?? 0.25 * 2 ** attempts * (0.5 + random());
      if (seconds > maxWaitSeconds) throw error;
      await sleep(seconds * 1000, signal);
    }
  }
}
