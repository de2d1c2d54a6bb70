/**
 * Limits how many tasks run at once, and how many of one caller. While tasks wait, their callers
 * take turns: the oldest task of each, then the second of each. However many tasks a caller has,
 * another one whose tasks are as long waits for one of them at most before its own first. The tasks
 * of one caller stay in order.
 *
 * With a clock, unless turns are not weighed, next is the caller that has waited longest for its
 * turn in proportion to the square of what its tasks take: short tasks overtake long ones, and none
 * waits for ever. Without the square (highest response ratio next), many who wait long would keep a
 * short task waiting too.
 */
export interface Semaphore {
  /**
   * Runs a task of a caller. Those without a caller are the service's, and count as short. A task
   * that first waits for something else may say when it begins, because that wait is not its own.
   */
  run<Result>(task: (begin: () => void) => Promise<Result>, caller?: string): Promise<Result>;
  /** The number of tasks that have not begun. */
  readonly waiting: number;
  /** The same of one caller. */
  countWaiting(caller: string): number;
  /** Returns how many tasks that wait will probably begin before one more of a caller. */
  countAhead(caller: string): number;
  /** Whether one more task of a caller would wait for others of its own. */
  waitsForOwn(caller: string): boolean;
}

/** How a semaphore shares its permits. */
export interface SemaphoreOptions {
  /** The permits that one caller may use; by default all. */
  readonly perCaller?: number;
  /** The permits that callers with long tasks leave to others; by default none. */
  readonly reserved?: number;
  /** The milliseconds after a short task for which they leave them; by default for ever. */
  readonly reservedMs?: number;
  /** Returns milliseconds that never go back; by default no task counts as long. */
  readonly now?: () => number;
  /** Whether short tasks overtake long ones, with a clock; by default they do. */
  readonly weighed?: boolean;
  /**
   * Milliseconds that callers used lately. With it, where turns are not weighed, next is whoever
   * used least, so that each has the same share of the time, however long its tasks take.
   */
  readonly used?: {
    get(caller: string): number;
    add(caller: string, milliseconds: number): void;
  };
}
