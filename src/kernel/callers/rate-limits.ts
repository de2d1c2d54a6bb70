import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import { fail } from '../errors.ts';
import { computeRate, type Rate, type RateSubject } from './rate-limit-subjects.ts';
import { takeTokens } from './rate-limits.store.ts';

/** The rate-limit buckets of the contract (section 12). */
export const rateClasses = [
  'registrations',
  'reads',
  'writes',
  'searches',
  'anonymousReports',
] as const;
export type RateClass = (typeof rateClasses)[number];

export type Rates = Readonly<Record<RateClass, Rate>>;

export const defaultRates: Rates = {
  registrations: { tokens: 20, seconds: 3600, loopbackTokens: 1000 },
  reads: { tokens: 1200, seconds: 60 },
  writes: { tokens: 300, seconds: 60 },
  searches: { tokens: 120, seconds: 60 },
  anonymousReports: { tokens: 5, seconds: 3600 },
};

/** The state of a bucket, for the RateLimit headers. */
export interface RateState {
  readonly policy: RateClass;
  readonly rate: Rate;
  readonly remaining: number;
  /** Seconds until the bucket is full again or, after a refusal, until the next token. */
  readonly reset: number;
}

export interface RateLimiter {
  /**
   * Takes one token from the caller's bucket. `report` gets the state, even if the call is refused.
   * Errors: `rate_limited` with `retryAfterSeconds`.
   */
  take(
    policy: RateClass,
    who: RateSubject,
    at: number,
    report: (state: RateState) => void,
  ): Promise<void>;
}

interface Lease {
  /** Tokens that this process may spend without asking the database. */
  left: number;
  /** The number of tokens in the shared bucket after the last lease. */
  tokensInBucket: number;
  exhausted: { until: number } | null;
  refilling: Promise<void> | null;
}

/**
 * Creates a rate limiter whose buckets are in the database and thus hold for all nodes together. A
 * process leases tokens in lots of a twentieth of the bucket and spends them locally, because one
 * statement per request would cost more than most requests do.
 */
export function createRateLimiter(db: Queryable, rates: Rates): RateLimiter {
  const leases = new LRUCache<string, Lease>({ max: 50_000 });

  async function refill(name: string, lease: Lease, rate: Rate, at: number): Promise<void> {
    const lot = Math.max(1, Math.floor(rate.tokens / 20));
    const perSecond = rate.tokens / rate.seconds;
    const row = await takeTokens(db, name, rate.tokens, perSecond, lot, new Date(at).toISOString());
    lease.left += row?.granted ?? 0;
    lease.tokensInBucket = row?.tokens ?? 0;
    lease.exhausted =
      lease.left < 1
        ? { until: at + Math.ceil((1 - Math.min(1, lease.tokensInBucket)) / perSecond) * 1000 }
        : null;
  }

  return {
    async take(policy, who, at, report) {
      const rate = computeRate(rates[policy], who);
      const name = `${policy}:${who.name}`;
      const lease: Lease = leases.get(name) ?? {
        left: 0,
        tokensInBucket: rate.tokens,
        exhausted: null,
        refilling: null,
      };
      leases.set(name, lease);
      if (lease.exhausted && at >= lease.exhausted.until) lease.exhausted = null;
      while (lease.left < 1 && !lease.exhausted) {
        lease.refilling ??= refill(name, lease, rate, at).finally(() => {
          lease.refilling = null;
        });
        await lease.refilling;
      }
      const wait =
        lease.exhausted && lease.left < 1
          ? Math.max(1, Math.ceil((lease.exhausted.until - at) / 1000))
          : 0;
      if (wait === 0) lease.left -= 1;
      const remaining = Math.floor(lease.left + lease.tokensInBucket);
      report({
        policy,
        rate,
        remaining: wait ? 0 : remaining,
        reset: wait || Math.ceil(((rate.tokens - remaining) * rate.seconds) / rate.tokens),
      });
      if (wait)
        throw fail(
          'rate_limited',
          `Too many ${policy}. Wait ${wait} s and repeat the request with the same ` +
            'idempotency key.',
          { retryAfterSeconds: wait },
        );
    },
  };
}

/** The rate limiter for `RATE_LIMITS=off`. */
export const unlimitedRateLimiter: RateLimiter = { take: async () => {} };
