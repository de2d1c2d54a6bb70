import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import { type Bucket, takeTokens } from './buckets.store.ts';

/** Whether tokens were taken from a bucket, and how many are left. */
interface Taken {
  /**
   * The seconds after which there may be enough: 0 when the tokens were taken, and infinite when
   * there never will be.
   */
  readonly waitSeconds: number;
  readonly remaining: number;
}

export interface Buckets {
  /** Takes tokens from a bucket: all of them or none. `at` is in milliseconds. */
  take(bucket: Bucket, amount: number, at: number): Promise<Taken>;
  /**
   * Takes tokens that a process owes, without asking the database. The next `take` by this process
   * needs as many more, but never more than a whole bucket.
   */
  charge(name: string, amount: number): void;
  /** Returns tokens that were not used. */
  giveBack(name: string, amount: number): void;
  /**
   * Returns the seconds after which a bucket will probably have paid what a process owes; 0 when
   * it owes nothing. It does not ask the database. `at` is in milliseconds.
   */
  computeDebtSeconds(bucket: Bucket, at: number): number;
}

/** What a process knows of a bucket. */
interface Lease {
  /** Tokens that this process may spend without asking the database, or owes if negative. */
  left: number;
  readonly capacity: number;
  /** The tokens of the bucket when the database was asked last, and that time. */
  inBucket: number;
  askedAt: number;
  /** Whether the database had fewer tokens then than were needed. */
  exhausted: boolean;
  refilling: Promise<void> | null;
}

/** Tokens flow in as fractions, and a fraction this small is a rounding error. */
const EPSILON = 1e-6;

/**
 * Creates the access of one process to buckets in the database. It leases tokens in lots and spends
 * them locally, because a statement for each request would cost more than most requests do.
 */
export function createBuckets(db: Queryable): Buckets {
  const leases = new LRUCache<string, Lease>({ max: 50_000 });

  const findLease = ({ name, capacity }: Bucket, at: number): Lease => {
    const known = leases.get(name);
    if (known) return known;
    const lease = {
      left: 0,
      capacity,
      inBucket: capacity,
      askedAt: at,
      exhausted: false,
      refilling: null,
    };
    leases.set(name, lease);
    return lease;
  };

  async function refill(bucket: Bucket, lease: Lease, missing: number, at: number): Promise<void> {
    const row = await takeTokens(db, bucket, missing, new Date(at).toISOString());
    const granted = row?.granted ?? 0;
    lease.left += granted;
    lease.inBucket = row?.tokens ?? 0;
    lease.askedAt = at;
    lease.exhausted = granted === 0;
  }

  /** Counts the tokens that have flown in since the database was asked. */
  const countRefilled = ({ perSecond }: Bucket, { askedAt }: Lease, at: number): number =>
    (Math.max(0, at - askedAt) / 1000) * perSecond;

  /** Returns how long a process that asked in vain waits until it asks again. */
  function computeWait(bucket: Bucket, lease: Lease, missing: number, at: number): number {
    const { perSecond } = bucket;
    const lacking = missing - lease.inBucket - countRefilled(bucket, lease, at);
    return lacking <= EPSILON ? 0 : Math.max(1, Math.ceil(lacking / perSecond - EPSILON));
  }

  /** What a process owes at most. */
  const getFloor = ({ capacity }: Pick<Lease, 'capacity'>): number => 1 - capacity;

  return {
    async take(bucket, amount, at) {
      const lease = findLease(bucket, at);
      const waitSeconds = amount > bucket.capacity ? Number.POSITIVE_INFINITY : 0;
      while (waitSeconds === 0 && lease.left < amount) {
        const missing = amount - lease.left;
        const wait = lease.exhausted ? computeWait(bucket, lease, missing, at) : 0;
        if (wait > 0) return { waitSeconds: wait, remaining: 0 };
        lease.refilling ??= refill(bucket, lease, missing, at).finally(() => {
          lease.refilling = null;
        });
        await lease.refilling;
      }
      if (waitSeconds === 0) lease.left -= amount;
      const remaining = Math.max(0, Math.floor(lease.left + lease.inBucket));
      return { waitSeconds, remaining };
    },
    charge(name, amount) {
      const lease = leases.get(name);
      if (lease) lease.left = Math.max(getFloor(lease), lease.left - amount);
    },
    giveBack(name, amount) {
      const lease = leases.get(name);
      if (lease) lease.left = Math.min(lease.capacity, lease.left + amount);
    },
    computeDebtSeconds(bucket, at) {
      const lease = leases.get(bucket.name);
      if (!lease || lease.left >= 0) return 0;
      const inBucket = Math.min(bucket.capacity, lease.inBucket + countRefilled(bucket, lease, at));
      // At the floor more may have been charged than is known.
      const isAtFloor = lease.left <= getFloor(lease);
      const owed = isAtFloor ? Math.max(1, -lease.left - lease.inBucket) : -lease.left - inBucket;
      return owed <= EPSILON ? 0 : Math.max(1, Math.ceil(owed / bucket.perSecond));
    },
  };
}
