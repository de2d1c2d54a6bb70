/** What a caller has of something that all callers have together. */
export interface Share {
  /** The names of the counts that it belongs to. */
  readonly names: readonly string[];
  /** Gives it back. */
  release(): void;
  /** Ends what it is held for. */
  end(): void;
}

/** Shares that may be taken back from callers who have much, for those who have little. */
export interface ReclaimableShares {
  add(caller: string, share: Share): void;
  delete(caller: string, share: Share): void;
  /**
   * Takes back the oldest share in a count, of the caller that has most, if that is more than
   * `most`. Returns whether there was one.
   */
  reclaim(name: string, most: number): boolean;
}

/** Creates the shares of one process. `getHeld` returns how much a caller has in all. */
export function createReclaimableShares(getHeld: (caller: string) => number): ReclaimableShares {
  /** The shares of each caller, the oldest first. */
  const shares = new Map<string, Set<Share>>();

  const findIn = (name: string, own: ReadonlySet<Share>): Share | undefined => {
    for (const share of own) if (share.names.includes(name)) return share;
    return undefined;
  };

  return {
    add(caller, share) {
      const own = shares.get(caller) ?? new Set();
      shares.set(caller, own.add(share));
    },
    delete(caller, share) {
      const own = shares.get(caller);
      own?.delete(share);
      if (own?.size === 0) shares.delete(caller);
    },
    reclaim(name, most) {
      let found: Share | undefined;
      let largest = most;
      for (const [caller, own] of shares) {
        const held = getHeld(caller);
        const share = held > largest ? findIn(name, own) : undefined;
        if (!share) continue;
        found = share;
        largest = held;
      }
      found?.release();
      found?.end();
      return found !== undefined;
    },
  };
}
