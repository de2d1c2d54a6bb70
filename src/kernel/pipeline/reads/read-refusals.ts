import { fail } from '../../errors.ts';

/** Refuses a page that is too deep for its offset. */
export const failTooDeep = () =>
  fail(
    'unavailable',
    'Pages this deep take too long by offset. Page with `before` instead, the id of the last row ' +
      'of your last page: it costs the same at any depth. The Link header has it.',
    { retryAfterSeconds: 1 },
  );

/** Ends a search that took longer than one may. */
export const failTooSlow = () =>
  fail(
    'unavailable',
    'This took longer than a search may. Narrow it, with rarer words or with in:, from: or ' +
      'after:, or repeat it when the service has less to do.',
    { retryAfterSeconds: 5 },
  );

/** Refuses a search while too many wait. */
export const failTooManySearches = () =>
  fail(
    'unavailable',
    'More searches wait than the service can do in a moment. Repeat the same request when the ' +
      'seconds of Retry-After are over.',
    { retryAfterSeconds: 1 },
  );

/** Refuses a read of figures while too many wait. */
export const failTooManyFigures = () =>
  fail(
    'unavailable',
    'More reads of figures wait than can be counted in a moment. Repeat the same request when ' +
      'the seconds of Retry-After are over.',
    { retryAfterSeconds: 5 },
  );

/** Refuses a read of a caller of which too many wait already. */
export const failTooManyOfCaller = (waiting: number) =>
  fail(
    'rate_limited',
    `${waiting} of your reads wait for their turn. Wait for answers before you ask for more.`,
    { retryAfterSeconds: 1 },
  );
