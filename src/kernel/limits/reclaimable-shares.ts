/** What a caller has of something that all callers have together. */
export interface Share {
  readonly caller: string;
  readonly amount: number;
  /** The names of the counts that it belongs to. */
  readonly names: readonly string[];
  /** Gives it back. */
  release(): void;
  /** Ends what it is held for. */
  end(): void;
}

/** Shares that may be taken back from callers who have much, for those who have little. */
export interface ReclaimableShares {
  add(share: Share): void;
  delete(share: Share): void;
  /**
   * Chooses shares of a count until they have `missing` together: each time the oldest of the
   * caller that has most, without those that are `chosen`, as long as it has more than `most`.
   * Returns whether there were enough.
   */
  choose(name: string, missing: number, most: number, chosen: Set<Share>): boolean;
}

const sumAmounts = (shares: Iterable<Share>, counts: (share: Share) => boolean): number => {
  let sum = 0;
  for (const share of shares) if (counts(share)) sum += share.amount;
  return sum;
};

/** Creates the shares of one process. `getHeld` returns how much a caller has in all. */
export function createReclaimableShares(getHeld: (caller: string) => number): ReclaimableShares {
  /** The shares of each caller, the oldest first. */
  const shares = new Map<string, Set<Share>>();

  function findOldest(name: string, own: ReadonlySet<Share>, chosen: ReadonlySet<Share>) {
    for (const share of own) if (share.names.includes(name) && !chosen.has(share)) return share;
    return undefined;
  }

  function findNext(name: string, most: number, chosen: ReadonlySet<Share>): Share | undefined {
    let next: Share | undefined;
    let largest = most;
    for (const [caller, own] of shares) {
      const held = getHeld(caller) - sumAmounts(chosen, (share) => share.caller === caller);
      const share = held > largest ? findOldest(name, own, chosen) : undefined;
      if (!share) continue;
      next = share;
      largest = held;
    }
    return next;
  }

  return {
    add(share) {
      const own = shares.get(share.caller) ?? new Set();
      shares.set(share.caller, own.add(share));
    },
    delete(share) {
      const own = shares.get(share.caller);
      own?.delete(share);
      if (own?.size === 0) shares.delete(share.caller);
    },
    choose(name, missing, most, chosen) {
      let left = missing - sumAmounts(chosen, ({ names }) => names.includes(name));
      while (left > 0) {
        const next = findNext(name, most, chosen);
        if (!next) return false;
        chosen.add(next);
        left -= next.amount;
      }
      return true;
    },
  };
}
