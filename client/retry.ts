import { StoaApiError } from './error.ts';

export interface RetryOptions {
  /** Tries of one call at most, the first included. */
  readonly tries?: number;
  /** A longer wait is not waited: the error is thrown. */
  readonly maxWaitSeconds?: number;
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 to 1, which spreads the waits of many clients. */
  readonly random?: () => number;
}

const sleepFor = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Seconds that the answer asks to wait; null when it does not say. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  return /^\d+$/.test(value)
    ? Number(value)
    : Math.max(0, (Date.parse(value) - Date.now()) / 1000) || 0;
}

/** Whether the same call may succeed later: no connection, too many calls, not now, or the first one has not finished. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof StoaApiError) ||
  [429, 502, 503, 504].includes(error.status) ||
  error.code === 'idempotency_in_progress';

/** Repeats `attempt` until it succeeds, fails for good, or is out of tries. Safe because a repeated mutation carries the same idempotency key. */
export async function withRetry<Result>(
  attempt: () => Promise<Result>,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { tries = 5, maxWaitSeconds = 60, sleep = sleepFor, random = Math.random } = options;
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted || tried >= tries || !mayPass(error)) throw error;
      const asked = error instanceof StoaApiError ? retryAfter(error.headers) : null;
      const seconds = asked ?? 0.25 * 2 ** tried * (0.5 + random());
      if (seconds > maxWaitSeconds) throw error;
      await sleep(seconds * 1000, signal);
    }
  }
}
