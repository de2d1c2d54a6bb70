import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from '../../db/turns/semaphore.ts';
import { monotonicClock } from '../clock.ts';
import type { Hub } from '../hub.ts';
import type { WorkMeter } from './work-meter.ts';

/** The turns of reads that are made piece by piece. */
export interface LongReads {
  /** Reads one piece when it is its caller's turn. */
  readPiece<Piece>(caller: string, read: () => Promise<Piece>): Promise<Piece>;
}

/** Milliseconds without a new request after which nobody is taken to want the process. */
const QUIET_MS = 1_000;

/**
 * Creates turns for long reads: one piece of all is made at a time, and callers take turns. While
 * requests arrive, from anybody, or readers of this process are woken, it rests after each piece as
 * long as that took: all long reads together then never have more than half of the process.
 */
export function createLongReads(
  work: Pick<WorkMeter, 'lastBegunAt'>,
  hub: Pick<Hub, 'deliveries'>,
  rest: (ms: number) => Promise<unknown> = sleep,
): LongReads {
  const turns = createSemaphore(1);
  return {
    readPiece: (caller, read) =>
      turns.run(async () => {
        const began = monotonicClock();
        const { deliveries } = hub;
        const piece = await read();
        const ended = monotonicClock();
        if (ended - work.lastBegunAt < QUIET_MS || hub.deliveries !== deliveries)
          await rest(ended - began);
        return piece;
      }, caller),
  };
}
