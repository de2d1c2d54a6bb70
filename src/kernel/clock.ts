/** Milliseconds since 1970. Injected everywhere, so that 72 hours pass in a test without waiting. */
export type Clock = () => number;

/** The machine's clock, moved by `offsetSeconds` (only a test realm may move it). */
export const systemClock =
  (offsetSeconds = 0): Clock =>
  () =>
    Date.now() + offsetSeconds * 1000;

/** ISO 8601, UTC, milliseconds, "Z": the only form of time on the wire. */
export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
