/** Lets a number of tasks run at once; the others wait in the order in which they came. */
export interface Turnstile {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

export function createTurnstile(places: number): Turnstile {
  let free = places;
  const waiting: (() => void)[] = [];
  return {
    async run(task) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
