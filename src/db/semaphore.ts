/** Lets a number of tasks run at once; the others wait in the order in which they came. */
export interface Turnstile {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Tasks that have not begun. */
  readonly waiting: number;
}

export function createTurnstile(places: number): Turnstile {
  let free = places;
  const queue: (() => void)[] = [];
  return {
    async run(task) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await task();
      } finally {
        const next = queue.shift();
        if (next) next();
        else free += 1;
      }
    },
    get waiting() {
      return queue.length;
    },
  };
}
