/**
 * Limits how many tasks run at once, and how many of one caller. While tasks wait, their callers
 * take turns: the oldest task of each, then the second of each. However many tasks a caller has,
 * another one waits for one of them at most before its own first. The tasks of one caller stay in
 * order.
 */
export interface Semaphore {
  /** Runs a task of a caller when a permit is free. Tasks without a caller are those of one. */
  run<Result>(task: () => Promise<Result>, caller?: string): Promise<Result>;
  /** The number of tasks that have not begun. */
  readonly waiting: number;
  /** Returns the number of a caller's tasks that have not begun. */
  countWaiting(caller: string): number;
  /** Whether one more task of a caller would wait for others of its own. */
  waitsForOwn(caller: string): boolean;
}

/** Creates a semaphore with a number of permits, of which one caller may use `perCaller`. */
export function createSemaphore(permits: number, perCaller = permits): Semaphore {
  let free = permits;
  let waiting = 0;
  /** How many tasks of each caller run, where that is limited. */
  const running = new Map<string, number>();
  /** What waits, by caller. The map keeps its order, so the caller whose turn is next is first. */
  const queues = new Map<string, (() => void)[]>();

  const mayRun = (caller: string): boolean => (running.get(caller) ?? 0) < perCaller;

  function count(caller: string, change: 1 | -1): void {
    if (perCaller >= permits) return;
    const tasks = (running.get(caller) ?? 0) + change;
    if (tasks > 0) running.set(caller, tasks);
    else running.delete(caller);
  }

  const waitForTurn = (caller: string) =>
    new Promise<void>((resolve) => {
      const queue = queues.get(caller);
      if (queue) queue.push(resolve);
      else queues.set(caller, [resolve]);
      waiting += 1;
    });

  function giveNextTurn(): void {
    for (const [caller, queue] of queues) {
      if (!mayRun(caller)) continue;
      const begin = queue.shift();
      queues.delete(caller);
      if (queue.length > 0) queues.set(caller, queue);
      waiting -= 1;
      count(caller, 1);
      begin?.();
      return;
    }
    free += 1;
  }

  return {
    async run(task, caller = '') {
      if (free > 0 && mayRun(caller)) {
        free -= 1;
        count(caller, 1);
      } else await waitForTurn(caller);
      try {
        return await task();
      } finally {
        count(caller, -1);
        giveNextTurn();
      }
    },
    get waiting() {
      return waiting;
    },
    countWaiting: (caller) => queues.get(caller)?.length ?? 0,
    waitsForOwn: (caller) => queues.has(caller) || !mayRun(caller),
  };
}
