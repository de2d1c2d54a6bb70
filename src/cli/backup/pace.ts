import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../import/progress.ts';

/** After each turn, work rests this many times as long as the turn took. */
const REST = 3;
const TURN_MS = 15;
const MAX_REST_MS = 2_000;

/** Work that rests, so that the service gets most of processors, disk and database. */
export interface Pace {
  /** Rests after a turn of work; returns at once within one. */
  rest(): Promise<void>;
}

/**
 * Creates the pace of a backup: a quarter of the time it works. Priorities alone do not help the
 * service, because they are those of this process and not of the server of the database and the
 * disk.
 */
export function createPace(signal: AbortSignal): Pace {
  let began = performance.now();
  return {
    async rest() {
      const worked = performance.now() - began;
      if (worked < TURN_MS) return;
      await sleep(Math.min(worked * REST, MAX_REST_MS), undefined, { signal });
      began = performance.now();
    },
  };
}

/** Does not rest, for work that no service waits for. */
export const fullPace: Pace = { rest: async () => {} };

/** What all steps of a backup have: where they report, their pace, and when they must stop. */
export interface Work {
  readonly progress: Progress;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** Passes bytes on at a pace. */
export async function* passAt<Bytes extends Uint8Array>(
  pace: Pace,
  bytes: AsyncIterable<Bytes>,
): AsyncGenerator<Bytes> {
  for await (const piece of bytes) {
    yield piece;
    await pace.rest();
  }
}
