/** How much each caller has in hand. */
export interface CallerShares {
  /** Adds to what a caller has; a negative amount takes away. */
  add(caller: string, amount: number): void;
  get(caller: string): number;
  /** The number of callers that have something. */
  readonly callers: number;
  /** What all callers have together. */
  readonly total: number;
  /** The same, where a caller with more than the bound counts as if it had that much. */
  readonly bounded: number;
  /** Sets the bound. */
  bound(most: number): void;
}

/** Creates empty shares. */
export function createCallerShares(): CallerShares {
  const shares = new Map<string, number>();
  let most = Number.POSITIVE_INFINITY;
  let total = 0;
  let bounded = 0;
  const get = (caller: string) => shares.get(caller) ?? 0;
  return {
    add(caller, amount) {
      const before = get(caller);
      const after = before + amount;
      if (after > 0) shares.set(caller, after);
      else shares.delete(caller);
      total += amount;
      bounded += Math.min(after, most) - Math.min(before, most);
    },
    get,
    get callers() {
      return shares.size;
    },
    get total() {
      return total;
    },
    get bounded() {
      return bounded;
    },
    bound(next) {
      most = next;
      bounded = 0;
      for (const share of shares.values()) bounded += Math.min(share, most);
    },
  };
}
