import type { Logger } from 'pino';
import type { CorrectedClock } from '../kernel/clock.ts';

/** How far the clocks of two machines differ that are kept right. */
const USUAL_LEAD_MS = 1000;
/** A lead that is measured again is taken for the same one if it differs by no more than this. */
const NOISE_MS = 500;

/** Returns by how much a clock is moved back that was ahead by `current`, now by `measured`. */
export function chooseLead(measured: number, current: number): number {
  if (Math.abs(measured) <= USUAL_LEAD_MS) return 0;
  return Math.abs(measured - current) <= NOISE_MS ? current : measured;
}

/**
 * Creates what keeps the clock of a process within a second of the database's, which all nodes
 * share. A node whose machine is an hour ahead would end tasks and votes of everybody too early,
 * and one that is behind would take work after its deadline. `measure` returns by how much the
 * machine is ahead, or null where that is not known.
 */
export function createFollowClock(
  measure: () => Promise<number | null>,
  clock: CorrectedClock,
  log: Pick<Logger, 'warn'>,
): () => Promise<void> {
  return async () => {
    const measured = await measure();
    if (measured === null) return;
    const lead = chooseLead(measured, clock.getLead());
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
  };
}
