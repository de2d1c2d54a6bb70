import type { Logger } from 'pino';

/** Work that nobody waits for. `run` does one piece and says whether there may be more of it at once. */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  run(): Promise<boolean>;
}

export interface Jobs extends AsyncDisposable {
  /** Runs a job soon, without waiting for its turn. */
  hurry(name: string): void;
  /** Runs every job until none has anything left to do: tests call it after they moved the clock. */
  runDue(): Promise<void>;
}

/** Runs jobs one after the other, each at its own pace, or `byHand` when told to. A job that fails is logged and tried again at its next turn. */
export function startJobs(jobs: readonly Job[], log: Logger, byHand = false): Jobs {
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();

  async function exhaust(job: Job): Promise<void> {
    while (!stopped && (await job.run()));
  }

  function start(job: Job): Promise<void> {
    const current = running.get(job.name);
    if (current) return current;
    const work = exhaust(job)
      .catch((error: unknown) =>
        log.warn({ err: error, job: job.name }, 'a job failed and will be tried again'),
      )
      .finally(() => running.delete(job.name));
    running.set(job.name, work);
    return work;
  }

  for (const job of byHand ? [] : jobs) {
    const timer = setInterval(() => void start(job), job.everySeconds * 1000);
    timer.unref();
    timers.add(timer);
  }

  return {
    hurry(name) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job || stopped || byHand) return;
      // What arrived while the job was finishing must not wait for its next turn.
      const current = running.get(name);
      if (current) void current.then(() => start(job));
      else void start(job);
    },
    async runDue() {
      for (const job of jobs) {
        while (running.has(job.name)) await running.get(job.name);
        // Its own turn does not begin meanwhile: what that one holds, this one would pass over.
        const work = exhaust(job);
        running.set(
          job.name,
          work.catch(() => {}).finally(() => running.delete(job.name)),
        );
        await work;
      }
    },
    async [Symbol.asyncDispose]() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.allSettled(running.values());
    },
  };
}
