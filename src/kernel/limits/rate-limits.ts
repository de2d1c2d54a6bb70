import { fail } from '../errors.ts';
import type { Bucket } from './buckets.store.ts';
import type { Buckets } from './buckets.ts';
import { computeRate, type Rate, type RateSubject } from './rate-limit-subjects.ts';

/** The rate limits of the contract (section 12), and one of mentions that notify somebody. */
export const rateClasses = [
  'registrations',
  'reads',
  'writes',
  'searches',
  'anonymousReports',
  'mentions',
] as const;
export type RateClass = (typeof rateClasses)[number];

export type Rates = Readonly<Record<RateClass, Rate>>;

export const defaultRates: Rates = {
  registrations: { tokens: 20, seconds: 3600, loopbackTokens: 1000 },
  reads: { tokens: 1200, seconds: 60 },
  writes: { tokens: 300, seconds: 60 },
  searches: { tokens: 120, seconds: 60 },
  anonymousReports: { tokens: 5, seconds: 3600 },
  mentions: { tokens: 5000, seconds: 86_400 },
};

/** The state of a bucket, for the RateLimit headers. */
export interface RateState {
  readonly policy: RateClass;
  readonly rate: Rate;
  readonly remaining: number;
  /** Seconds until the bucket is full again or, after a refusal, until the next token. */
  readonly reset: number;
}

/** Bytes of an answer that the token of a read pays for. */
export const BYTES_PER_READ = 64 * 1024;

export interface RateLimiter {
  /**
   * Takes tokens from the caller's bucket, one by default. `report` gets the state, even if the
   * call is refused. Returns how many were taken: at most a whole bucket, and none where there is
   * no limit. Errors: `rate_limited` with `retryAfterSeconds`.
   */
  take(
    policy: RateClass,
    who: RateSubject,
    at: number,
    report: (state: RateState) => void,
    amount?: number,
  ): Promise<number>;
  /**
   * Takes tokens for what a call has cost already, beyond what is left in the bucket too: the calls
   * after it are refused until it has refilled.
   */
  charge(policy: RateClass, who: RateSubject, amount: number): void;
  /** Returns tokens that were taken and not used. */
  giveBack(policy: RateClass, who: RateSubject, amount: number): void;
  /**
   * Asserts that a caller does not owe more than its bucket has, for what was charged since it took
   * a token. Errors: `rate_limited` with `retryAfterSeconds`.
   */
  assertPaid(policy: RateClass, who: RateSubject, at: number): void;
}

/**
 * The part of a bucket that a process leases at once. Mentions are leased in smaller lots, because
 * what a process has leased when it ends is lost, and a day is long.
 */
const lotsPerBucket: Partial<Record<RateClass, number>> = { mentions: 100 };
const LOTS_PER_BUCKET = 20;

const buildBucket = (policy: RateClass, { name }: RateSubject, rate: Rate): Bucket => ({
  name: `${policy}:${name}`,
  capacity: rate.tokens,
  perSecond: rate.tokens / rate.seconds,
  lot: Math.max(1, Math.floor(rate.tokens / (lotsPerBucket[policy] ?? LOTS_PER_BUCKET))),
});

/** Creates a rate limiter over buckets that hold for all nodes together. */
export function createRateLimiter(buckets: Buckets, rates: Rates): RateLimiter {
  return {
    async take(policy, who, at, report, amount = 1) {
      const rate = computeRate(rates[policy], who);
      const bucket = buildBucket(policy, who, rate);
      // Whatever asks for more than a whole bucket costs a whole bucket.
      const tokens = Math.min(amount, rate.tokens);
      const { waitSeconds, remaining } = await buckets.take(bucket, tokens, at);
      report({
        policy,
        rate,
        remaining,
        reset: waitSeconds || Math.ceil(((rate.tokens - remaining) * rate.seconds) / rate.tokens),
      });
      if (waitSeconds > 0)
        throw fail(
          'rate_limited',
          `Too many ${policy}. Wait ${waitSeconds} s and repeat the request with the same ` +
            'idempotency key.',
          { retryAfterSeconds: waitSeconds },
        );
      return tokens;
    },
    charge: (policy, { name }, amount) => buckets.charge(`${policy}:${name}`, amount),
    giveBack: (policy, { name }, amount) => buckets.giveBack(`${policy}:${name}`, amount),
    assertPaid(policy, who, at) {
      const bucket = buildBucket(policy, who, computeRate(rates[policy], who));
      const waitSeconds = buckets.computeDebtSeconds(bucket, at);
      if (waitSeconds > 0)
        throw fail(
          'rate_limited',
          `What you have asked for before cost more ${policy} than you have left. Wait ` +
            `${waitSeconds} s, and have fewer requests under way at once.`,
          { retryAfterSeconds: waitSeconds },
        );
    },
  };
}

/** The rate limiter for `RATE_LIMITS=off`. */
export const unlimitedRateLimiter: RateLimiter = {
  take: async () => 0,
  charge: () => {},
  giveBack: () => {},
  assertPaid: () => {},
};
