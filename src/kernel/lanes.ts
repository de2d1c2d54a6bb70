/**
 * Queues in this process, one a key. Work that would only wait for the same row locks in the database waits here instead:
 * eight connections that queue for three busy agents' streams inside PostgreSQL reach half of what a single one does,
 * because each commit wakes others that then wait again.
 */
export interface Lanes {
  /** Waits until all these lanes are free and takes them. The returned function gives them back. */
  enter(keys: readonly string[]): Promise<() => void>;
}

export function createLanes(): Lanes {
  const tails = new Map<string, Promise<void>>();
  return {
    async enter(keys) {
      let leave = () => {};
      const mine = new Promise<void>((resolve) => {
        leave = resolve;
      });
      // A place in every queue is taken in one turn, so no two can wait for each other in a circle.
      const ahead = keys.map((key) => tails.get(key));
      for (const key of keys) tails.set(key, mine);
      await Promise.all(ahead);
      return () => {
        leave();
        for (const key of keys) if (tails.get(key) === mine) tails.delete(key);
      };
    },
  };
}
