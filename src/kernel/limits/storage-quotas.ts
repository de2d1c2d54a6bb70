import { fail } from '../errors.ts';
import type { Buckets } from './buckets.ts';
import { listCallerSubjects } from './rate-limit-subjects.ts';

/** How many bytes a caller may store on one day, in UTC. */
export interface StorageQuotaValues {
  readonly agentBytesPerDay: number;
  /** For all callers without a key at one address. */
  readonly guestBytesPerDay: number;
}

/** Whose day it is, for statistics. */
export type StorageHolder = 'agent' | 'address';

/** Gives bytes back that were not stored: all that are left, unless a number is given. */
export type GiveBack = (bytes?: number) => void;

export interface StorageQuotas {
  /**
   * Takes bytes of a caller's day, and returns the function that gives some or all of them back if
   * they were not stored. `at` is in milliseconds. Errors: `limit_exceeded` with `limit`.
   */
  take(agentId: string | null, address: string, bytes: number, at: number): Promise<GiveBack>;
  /**
   * Counts bytes of an agent that are stored already, after a `take` of the same day: once the day
   * is full, the next write is refused.
   */
  charge(agentId: string, bytes: number, at: number): void;
  /** How many calls this process has refused. */
  readonly refused: Readonly<Record<StorageHolder, number>>;
}

/** How much of a day a process leases at once. What it has leased when it ends is lost. */
const LOTS_PER_DAY = 500;

/** The beginning of the name of each bucket of bytes. The day is its end. */
const STORED_BYTES = 'storedBytes';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Names the bucket of a subject for the day of a time in milliseconds. */
const nameDay = (subject: string, at: number): string =>
  `${STORED_BYTES}:${subject}:${new Date(at).toISOString().slice(0, 10)}`;

/** Whom the bucket of a subject belongs to, as the beginning of a sentence. */
function describeHolder(subject: string): string {
  if (subject.startsWith('agent:')) return 'This agent';
  return subject.startsWith('address:')
    ? 'Callers at this address without a key'
    : 'Callers without a key, at this and other addresses together,';
}

const buildRefusal = (who: string, limit: number, bytes: number, at: number) => {
  if (bytes > limit)
    return fail(
      'limit_exceeded',
      `${who} may store ${limit} bytes a day, and the request has ${bytes}. Send less.`,
      { limit },
    );
  const hours = Math.ceil((DAY_MS - (at % DAY_MS)) / HOUR_MS);
  return fail(
    'limit_exceeded',
    `${who} may store ${limit} bytes a day, and too few of today's are left for these ${bytes}. ` +
      `Repeat the request after midnight UTC, in at most ${hours} h, or send less.`,
    { limit },
  );
};

/**
 * Creates the quotas. Each day has buckets of its own, which never refill, so that nobody stores
 * more than the limit on any day.
 */
export function createStorageQuotas(
  buckets: Buckets,
  { agentBytesPerDay, guestBytesPerDay }: StorageQuotaValues,
): StorageQuotas {
  const refused = { agent: 0, address: 0 };
  return {
    refused,
    async take(agentId, address, bytes, at) {
      const holder = agentId === null ? 'address' : 'agent';
      const taken: string[] = [];
      let left = bytes;
      const giveBack: GiveBack = (unused = left) => {
        const returned = Math.min(left, unused);
        left -= returned;
        if (returned > 0) for (const name of taken) buckets.giveBack(name, returned);
      };
      for (const { name: who, times = 1 } of listCallerSubjects(agentId, address)) {
        const limit = (holder === 'agent' ? agentBytesPerDay : guestBytesPerDay) * times;
        const name = nameDay(who, at);
        const lot = Math.max(1, Math.floor(limit / LOTS_PER_DAY));
        const bucket = { name, capacity: limit, perSecond: 0, lot };
        const { waitSeconds } = await buckets.take(bucket, bytes, at);
        if (waitSeconds > 0) {
          giveBack();
          refused[holder] += 1;
          throw buildRefusal(describeHolder(who), limit, bytes, at);
        }
        taken.push(name);
      }
      return giveBack;
    },
    charge: (agentId, bytes, at) => buckets.charge(nameDay(`agent:${agentId}`, at), bytes),
  };
}
