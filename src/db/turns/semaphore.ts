import { createExpectedCosts } from './expected-costs.ts';
import type { Semaphore, SemaphoreOptions } from './semaphore-types.ts';

const SERVICE = '';
/** Milliseconds of tasks that are equally short, and of tasks that are long. */
const SHORT_MS = 10;
const LONG_MS = 100;
/** Longer tasks count as so long, in milliseconds, so that no turn is put off for many seconds. */
const LONGEST_MS = 150;
/** Somebody whose tasks are so many times as long does not come first. */
const MUCH_LONGER = 2;

interface Queue {
  readonly caller: string;
  readonly tasks: ((isLong: boolean) => void)[];
  /** Since when its caller waits for its turn. */
  readonly since: number;
}

/** Creates a semaphore with a number of permits. */
export function createSemaphore(
  permits: number,
  {
    perCaller = permits,
    reserved = 0,
    reservedMs = Number.POSITIVE_INFINITY,
    now = () => 0,
    weighed = true,
    used,
  }: SemaphoreOptions = {},
): Semaphore {
  let free = permits;
  let waiting = 0;
  let longRunning = 0;
  let lastShortAt = Number.NEGATIVE_INFINITY;
  const running = new Map<string, number>();
  /** What waits, by caller. The map keeps its order, which decides between equals. */
  const queues = new Map<string, Queue>();
  const costs = createExpectedCosts();

  const getCost = (caller: string): number =>
    Math.min(LONGEST_MS, Math.max(SHORT_MS, caller === SERVICE ? 0 : costs.get(caller)));
  const takesLong = (caller: string): boolean => getCost(caller) >= LONG_MS;
  const mayRun = (caller: string): boolean =>
    (running.get(caller) ?? 0) < perCaller &&
    (!takesLong(caller) || longRunning < permits - reserved || now() - lastShortAt > reservedMs);

  function count(caller: string, isLong: boolean, change: 1 | -1): void {
    free -= change;
    if (!isLong) lastShortAt = now();
    if (isLong) longRunning += change;
    const tasks = (running.get(caller) ?? 0) + change;
    if (tasks > 0) running.set(caller, tasks);
    else running.delete(caller);
  }

  /** Takes a permit, and returns whether the task counts as long until its end. */
  function take(caller: string): boolean {
    const isLong = takesLong(caller);
    count(caller, isLong, 1);
    return isLong;
  }

  const waitForTurn = (caller: string) =>
    new Promise<boolean>((resolve) => {
      const queue = queues.get(caller) ?? { caller, tasks: [], since: now() };
      queue.tasks.push(resolve);
      queues.set(caller, queue);
      waiting += 1;
    });

  function findNext(at: number): Queue | undefined {
    let next: Queue | undefined;
    const computeRatio = ({ since, caller }: Queue) =>
      weighed ? (at - since) / getCost(caller) ** 2 : -(used?.get(caller) ?? 0);
    for (const queue of queues.values())
      if (mayRun(queue.caller) && (!next || computeRatio(queue) > computeRatio(next))) next = queue;
    return next;
  }

  function giveTurns(): void {
    const at = now();
    for (let next = findNext(at); free > 0 && next; next = findNext(at)) {
      const begin = next.tasks.shift();
      queues.delete(next.caller);
      if (next.tasks.length > 0) queues.set(next.caller, { ...next, since: at });
      waiting -= 1;
      begin?.(take(next.caller));
    }
  }

  /** A task that failed soon, as when its caller left, says nothing of those that do not. */
  const learn = (caller: string, milliseconds: number, hasFailed: boolean) => {
    if (!hasFailed || milliseconds > costs.get(caller)) costs.learn(caller, milliseconds);
  };

  return {
    async run(task, caller = SERVICE) {
      const isLong = free > 0 && mayRun(caller) ? take(caller) : await waitForTurn(caller);
      let began = now();
      let hasFailed = true;
      try {
        const result = await task(() => (began = now()));
        hasFailed = false;
        return result;
      } finally {
        learn(caller, now() - began, hasFailed);
        used?.add(caller, now() - began);
        count(caller, isLong, -1);
        giveTurns();
      }
    },
    get waiting() {
      return waiting;
    },
    countWaiting: (caller) => queues.get(caller)?.tasks.length ?? 0,
    countAhead(caller) {
      const own = queues.get(caller)?.tasks.length ?? 0;
      const cost = getCost(caller);
      let ahead = own;
      for (const { caller: other, tasks } of queues.values()) {
        if (other === caller || getCost(other) > cost * MUCH_LONGER) continue;
        const isShorter = getCost(other) * MUCH_LONGER < cost;
        ahead += isShorter ? tasks.length : Math.min(tasks.length, own + 1);
      }
      return ahead;
    },
    waitsForOwn: (caller) => queues.has(caller) || (running.get(caller) ?? 0) >= perCaller,
  };
}
