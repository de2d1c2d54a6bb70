import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { StoaError } from '../errors.ts';
import type { RateSubject } from './rate-limit-subjects.ts';
import { BYTES_PER_READ, type RateLimiter } from './rate-limits.ts';

/** A page of so many bytes is long: the next one takes turns with all long reads. */
const LONG_BYTES = 16 * 1024;

interface Payer {
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
}

/** What the steps of one stream cost its agent. */
interface StreamBill {
  /** Counts the bytes of a step, and charges for them without waiting. */
  add(bytes: number): void;
  /**
   * Waits until the agent has paid for earlier steps, and with `isCatchUp` for the page that comes
   * next. Errors: when the caller leaves.
   */
  settle(isCatchUp: boolean): Promise<void>;
  /** Whether the last step was long, so that the next one may be, too. */
  isLong(): boolean;
}

/**
 * Creates the bill of a stream. The call that opened it has paid for the first 64 KiB, and each
 * further 64 KiB of all steps together cost a read. One of these is taken before the next step, so
 * that a stream waits until its agent can pay again.
 */
export function createStreamBill(payer: Payer, who: RateSubject, signal: AbortSignal): StreamBill {
  let unpaidBytes = -BYTES_PER_READ;
  let isDue = false;
  let isLong = false;
  return {
    add(bytes) {
      isLong = bytes >= LONG_BYTES;
      unpaidBytes += bytes;
      const reads = Math.floor(unpaidBytes / BYTES_PER_READ);
      if (reads <= 0) return;
      unpaidBytes -= reads * BYTES_PER_READ;
      isDue = true;
      if (reads > 1) payer.rateLimiter.charge('reads', who, reads - 1);
    },
    async settle(isCatchUp) {
      if (isDue) await payForRead(payer, who, signal);
      isDue = false;
      if (!isCatchUp) return;
      await payForRead(payer, who, signal);
      // Each page of a catch-up costs a read of its own, however much the one before has left over.
      unpaidBytes = Math.max(unpaidBytes, 0) - BYTES_PER_READ;
    },
    isLong: () => isLong,
  };
}

/** Takes the token of a read as soon as the agent has one. Errors: when the caller leaves. */
async function payForRead(
  { rateLimiter, clock }: Payer,
  who: RateSubject,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await rateLimiter.take('reads', who, clock(), () => {});
      return;
    } catch (error) {
      if (!(error instanceof StoaError) || error.code !== 'rate_limited') throw error;
      await sleep(Number(error.members.retryAfterSeconds ?? 1) * 1000, undefined, { signal });
    }
  }
}
