import { fail } from '../../kernel/errors.ts';

/** As many messages of one author may have subscribers that are notified in the background. */
export const MAX_WAITING_FANOUTS = 200;

/** The seconds after which an author may try again. A slice takes a small part of one. */
const FANOUT_RETRY_SECONDS = 5;

/**
 * Asserts that not too many messages of an author wait for their subscribers to be notified. All
 * threads share this work, and an author that posts faster than it is done delays the others.
 * Errors: `rate_limited` with `retryAfterSeconds`.
 */
export function assertFewWaitingFanouts(waiting: number): void {
  if (waiting < MAX_WAITING_FANOUTS) return;
  throw fail(
    'rate_limited',
    `Subscribers of ${MAX_WAITING_FANOUTS} of your messages are still being notified. Wait ` +
      `${FANOUT_RETRY_SECONDS} s and repeat the request with the same idempotency key.`,
    { retryAfterSeconds: FANOUT_RETRY_SECONDS },
  );
}
