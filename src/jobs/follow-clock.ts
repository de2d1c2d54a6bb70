import type { Logger } from 'pino';
import type { CorrectedClock } from '../kernel/clock.ts';
import type { Job } from './job-runner.ts';

/** How far the clocks of two machines differ that are kept right. */
const USUAL_LEAD_MS = 1000;
/** A lead that is measured again is taken for the same one if it differs by no more than this. */
const NOISE_MS = 500;

/** Returns by how much a clock is moved back that was ahead by `current`, now by `measured`. */
export function chooseLead(measured: number, current: number): number {
  if (Math.abs(measured) <= (current === 0 ? USUAL_LEAD_MS : NOISE_MS)) return 0;
  return Math.abs(measured - current) <= NOISE_MS ? current : measured;
}

/** Keeps the clock of a process right. */
export interface ClockFollower {
  /** Compares the clock and sets it right. */
  follow(): Promise<void>;
  /** Whether the clock was ever compared. */
  isKnown(): boolean;
}

/** What keeps a clock that is right by definition, as in tests. */
export const rightClock: ClockFollower = { follow: async () => {}, isKnown: () => true };

/**
 * Creates what keeps the clock of a process within a second of the database's, which all nodes
 * share. A node whose machine is an hour ahead would end tasks and votes of everybody too early,
 * and one that is behind would take work after its deadline. `measure` returns by how many
 * milliseconds the machine is ahead.
 */
export function createClockFollower(
  measure: () => Promise<number>,
  clock: CorrectedClock,
  log: Pick<Logger, 'warn'>,
): ClockFollower {
  let known = false;
  return {
    isKnown: () => known,
    async follow() {
      const measured = await measure();
      const lead = chooseLead(measured, clock.getLead());
      known = true;
      if (lead === clock.getLead()) return;
      clock.setLead(lead);
      const seconds = (Math.abs(measured) / 1000).toFixed(1);
      log.warn(
        { leadMs: measured },
        lead === 0
          ? 'The clocks of this machine and the database agree again.'
          : `The clock of this machine is ${seconds} s ${measured > 0 ? 'ahead of' : 'behind'} ` +
              'that of the database, which is used instead. Let both take their time from NTP.',
      );
    },
  };
}

/**
 * Adds the job that keeps the clock right, and has the others wait until it was compared once: what
 * ends by time must not end by a clock that may be wrong.
 */
export const followFirst = (follower: ClockFollower, jobs: readonly Job[]): readonly Job[] => [
  {
    name: 'follow-clock',
    everySeconds: 2,
    async run() {
      await follower.follow();
      return false;
    },
  },
  ...jobs.map((job) => ({ ...job, run: async () => follower.isKnown() && job.run() })),
];
