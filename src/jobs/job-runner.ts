import type { Logger } from 'pino';

/**
 * The first turn of a job, in milliseconds after the start, and what each further job waits longer.
 * A process that restarts often would otherwise never get to its slow jobs.
 */
const FIRST_TURN_MS = 2_000;
const BETWEEN_FIRST_TURNS_MS = 250;

/** Background work. `run` does one piece and returns whether more of it may be due immediately. */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  run(): Promise<boolean>;
}

/** The running jobs of a process. Disposing them waits until their current pieces have ended. */
export interface Jobs extends AsyncDisposable {
  /** Runs a job as soon as possible, without waiting for its interval. */
  runSoon(name: string): void;
  /** Runs every job until it has nothing left to do. Tests call it after they moved the clock. */
  runDue(): Promise<void>;
}

/**
 * Runs each job soon after the start and then at its own interval, or with `manual` only by
 * `runDue`. A job never runs twice at once. A failure is logged, and the job runs again at its next
 * interval.
 */
export function startJobs(jobs: readonly Job[], log: Logger, manual = false): Jobs {
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  /** Jobs that run once more when they have ended. */
  const again = new Set<string>();

  async function runUntilDone(job: Job): Promise<void> {
    while (!stopped && (await job.run()));
  }

  function start(job: Job): Promise<void> {
    const current = running.get(job.name);
    if (current) return current;
    const work = runUntilDone(job)
      .catch((error: unknown) =>
        log.warn({ err: error, job: job.name }, 'a job failed and will be tried again'),
      )
      .finally(() => running.delete(job.name));
    running.set(job.name, work);
    return work;
  }

  for (const [index, job] of manual ? [] : jobs.entries()) {
    const firstTurn = FIRST_TURN_MS + index * BETWEEN_FIRST_TURNS_MS;
    for (const timer of [
      setInterval(() => void start(job), job.everySeconds * 1000),
      setTimeout(() => stopped || void start(job), firstTurn),
    ]) {
      timer.unref();
      timers.add(timer);
    }
  }

  return {
    runSoon(name) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job || stopped || manual) return;
      // Work that arrived while the job was finishing must not wait for the next interval.
      const current = running.get(name);
      if (!current) return void start(job);
      if (again.has(name)) return;
      again.add(name);
      void current.then(() => {
        again.delete(name);
        return start(job);
      });
    },
    async runDue() {
      for (const job of jobs) {
        while (running.has(job.name)) await running.get(job.name);
        // The interval must not start the job now: rows that it locked would be skipped here.
        const work = runUntilDone(job);
        running.set(
          job.name,
          work.catch(() => {}).finally(() => running.delete(job.name)),
        );
        await work;
      }
    },
    async [Symbol.asyncDispose]() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.allSettled(running.values());
    },
  };
}
