/** How long the next task of a caller will probably take, by how long its last ones took. */
export interface ExpectedCosts {
  /** Learns how many milliseconds a task of a caller took. */
  learn(caller: string, milliseconds: number): void;
  /** Returns the milliseconds that are expected. */
  get(caller: string): number;
}

/** The milliseconds that are expected of somebody whom nothing is known of. */
const UNKNOWN_MS = 50;
/** The weight of the last task in the moving averages. */
const WEIGHT = 0.3;
/** So many callers are remembered; whoever had a task longest ago is forgotten first. */
const MAX_CALLERS = 10_000;

interface Averages {
  readonly length: number;
  readonly square: number;
}

const move = (from: number, to: number): number => from + (to - from) * WEIGHT;

/**
 * Creates a memory that knows nobody. It expects the mean length of the last tasks, each weighted
 * by its length, so that some short ones between two long ones hide nothing.
 */
export function createExpectedCosts(): ExpectedCosts {
  const known = new Map<string, Averages>();
  return {
    get(caller) {
      const averages = known.get(caller);
      if (!averages) return UNKNOWN_MS;
      return averages.length > 0 ? averages.square / averages.length : 0;
    },
    learn(caller, milliseconds) {
      const square = milliseconds ** 2;
      const before = known.get(caller) ?? { length: milliseconds, square };
      known.delete(caller);
      known.set(caller, {
        length: move(before.length, milliseconds),
        square: move(before.square, square),
      });
      if (known.size <= MAX_CALLERS) return;
      const [oldest] = known.keys();
      known.delete(oldest as string);
    },
  };
}
