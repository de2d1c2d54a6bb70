import { createUsedTime } from './used-time.ts';

/** Returns when the event loop has a turn for one more costly piece of a caller. */
export type WaitForTurn = () => Promise<unknown>;

/**
 * The turns of the event loop in which costly pieces are made, such as the HTML of a long text. One
 * piece of all is made in a turn, so that others wait for one, however many calls have some.
 */
export interface EventLoopTurns {
  /**
   * Returns when it is the turn of one more piece of a caller, which ends where the caller waits
   * for anything else. Whoever waits must hold no lock that others want.
   */
  wait(caller: string): Promise<void>;
}

/**
 * Creates turns that come first to those whose pieces took the least time lately. So a few callers
 * with many costly pieces make nobody else wait for more than one of them. `now` returns
 * milliseconds of a clock that is never set.
 */
export function createEventLoopTurns(now: () => number): EventLoopTurns {
  /** What waits, by caller. The map keeps its order, which decides between equals. */
  const queues = new Map<string, (() => void)[]>();
  const used = createUsedTime(now);
  let isGiving = false;

  function findNext(): string | undefined {
    let next: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const caller of queues.keys()) {
      const time = used.get(caller);
      if (time >= least) continue;
      least = time;
      next = caller;
    }
    return next;
  }

  function takeFirst(caller: string): (() => void) | undefined {
    const queue = queues.get(caller);
    const begin = queue?.shift();
    queues.delete(caller);
    if (queue && queue.length > 0) queues.set(caller, queue);
    return begin;
  }

  function giveTurn(): void {
    const caller = findNext();
    if (caller === undefined) {
      isGiving = false;
      return;
    }
    const began = now();
    takeFirst(caller)?.();
    // Node.js runs this once no microtask is left, and the piece consists of microtasks.
    queueMicrotask(() =>
      process.nextTick(() => {
        used.add(caller, now() - began);
        setImmediate(giveTurn);
      }),
    );
  }

  return {
    wait: (caller) =>
      new Promise((resolve) => {
        const queue = queues.get(caller) ?? [];
        queue.push(resolve);
        queues.set(caller, queue);
        if (isGiving) return;
        isGiving = true;
        setImmediate(giveTurn);
      }),
  };
}
