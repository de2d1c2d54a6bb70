/**
 * Milliseconds since 1970. Injected everywhere, so that 72 hours pass in a test without waiting.
 */
export type Clock = () => number;

/** The machine's clock, moved by `offsetSeconds` (only a test realm may move it). */
export const systemClock =
  (offsetSeconds = 0): Clock =>
  () =>
    Date.now() + offsetSeconds * 1000;

/** A clock that is moved back by as much as it is known to be ahead of the right one. */
export interface CorrectedClock {
  readonly now: Clock;
  /** Milliseconds by which it is moved back; negative when it is moved forward. */
  getLead(): number;
  setLead(milliseconds: number): void;
}

/** Creates a clock that goes as another one does until it is found to be wrong. */
export function createCorrectedClock(clock: Clock): CorrectedClock {
  let lead = 0;
  return {
    now: () => clock() - lead,
    getLead: () => lead,
    setLead(milliseconds) {
      lead = milliseconds;
    },
  };
}

/** Milliseconds since some moment, for durations: it never goes back. */
export const monotonicClock: Clock = () => performance.now();

/** ISO 8601, UTC, milliseconds, "Z": the only form of time on the wire. */
export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/**
 * The time so many milliseconds after another one, or before it. Of two times as the wire writes
 * them the later one is greater as text.
 */
export const addMs = (time: string, milliseconds: number): string =>
  toIso(Date.parse(time) + milliseconds);

const MINUTE_MS = 60_000;

/** The beginning of the minute of a time, in milliseconds since 1970. */
export const startOfMinute = (at: number): number => at - (at % MINUTE_MS);
