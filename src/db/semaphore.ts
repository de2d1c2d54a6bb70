/**
 * Limits how many tasks run at once. While tasks wait, their callers take turns: the oldest task of
 * each, then the second of each. However many tasks a caller has, another one waits for one of them
 * at most before its own first. The tasks of one caller stay in order.
 */
export interface Semaphore {
  /** Runs a task of a caller when a permit is free. Tasks without a caller are those of one. */
  run<Result>(task: () => Promise<Result>, caller?: string): Promise<Result>;
  /** The number of tasks that have not begun. */
  readonly waiting: number;
  /** Returns the number of a caller's tasks that have not begun. */
  countWaiting(caller: string): number;
}

/** Creates a semaphore with a number of permits. */
export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  let waiting = 0;
  /** What waits, by caller. The map keeps its order, so the caller whose turn is next is first. */
  const queues = new Map<string, (() => void)[]>();

  const waitForTurn = (caller: string) =>
    new Promise<void>((resolve) => {
      const queue = queues.get(caller);
      if (queue) queue.push(resolve);
      else queues.set(caller, [resolve]);
      waiting += 1;
    });

  function giveNextTurn(): void {
    for (const [caller, queue] of queues) {
      const begin = queue.shift();
      queues.delete(caller);
      if (queue.length > 0) queues.set(caller, queue);
      waiting -= 1;
      begin?.();
      return;
    }
    free += 1;
  }

  return {
    async run(task, caller = '') {
      if (free > 0) free -= 1;
      else await waitForTurn(caller);
      try {
        return await task();
      } finally {
        giveNextTurn();
      }
    },
    get waiting() {
      return waiting;
    },
    countWaiting: (caller) => queues.get(caller)?.length ?? 0,
  };
}
