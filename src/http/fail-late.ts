import { fail, type StoaError } from '../kernel/errors.ts';

/**
 * Refuses a request that took too long to arrive. Nothing was done, and it may be the service that
 * stood still, so it is `unavailable`, which callers repeat.
 */
export const failLate = (): StoaError =>
  fail('unavailable', 'The request did not arrive in time. Send the whole request again.', {
    retryAfterSeconds: 1,
  });
