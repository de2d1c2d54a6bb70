/** Limits how many tasks run at once. The others wait in the order of their arrival. */
export interface Semaphore {
  /** Runs a task when a permit is free. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** The number of tasks that have not begun. */
  readonly waiting: number;
}

/** Creates a semaphore with a number of permits. */
export function createSemaphore(permits: number): Semaphore {
  let free = permits;
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
