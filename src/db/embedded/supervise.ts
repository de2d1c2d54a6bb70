import { reasonOf } from './embedded-errors.ts';
import type { Plan } from './postmaster.ts';
import { postgresIn, signal as send } from './processes.ts';
import { type Keeper, keep, type Started, startOnce } from './start-once.ts';
import { stopPostmaster } from './stop-process.ts';
import { pause, until } from './wait-until.ts';

/** Milliseconds between two attempts: doubled from `soonest` to `latest`, from `soonest` again after a minute of `peace`. */
const soonest = 200;
const latest = 10_000;
const peace = 60_000;

/**
 * Starts the server and starts it again whenever it ends, for ever, until `stop`. After the first start it throws nothing:
 * a full disk or a broken machine is logged, and the service's own requests fail until the database is back.
 * @throws EmbeddedServerError when the first start fails
 */
export async function supervise(plan: Plan): Promise<{ stop(): Promise<void> }> {
  const over = new AbortController();
  const called = new Promise<void>((resolve) =>
    over.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let current: Started | undefined = await startOnce(plan, over.signal);

  const watch = async (): Promise<void> => {
    let wait = soonest;
    while (!over.signal.aborted) {
      const since = performance.now();
      try {
        current ??= await startOnce(plan, over.signal);
        await untilEnded(current, plan, over.signal, called);
        if (over.signal.aborted) return;
        plan.log('the database ended unexpectedly: starting it again', {
          how: await current.postmaster.ended,
        });
      } catch (error) {
        if (over.signal.aborted) return;
        plan.log(`the database could not be started again: ${reasonOf(error)}`, {
          nextAttemptMs: wait,
        });
      }
      current = undefined;
      if (performance.now() - since > peace) wait = soonest;
      await pause(wait, over.signal);
      wait = Math.min(latest, wait * 2);
    }
  };
  const watching = watch();

  const stop = async (): Promise<void> => {
    over.abort();
    await watching;
    if (current && !current.postmaster.hasEnded()) await stopPostmaster(current.postmaster.pid);
    // The log collector goes when the last writer has gone.
    if (await until(async () => (await postgresIn(plan.data)).length === 0, 1000)) return;
    for (const pid of await postgresIn(plan.data)) send(pid, 'SIGKILL');
  };
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Waits for the postmaster's end. Takes the lock anew whenever only its session ended, as when a backend crashed and all were restarted. */
async function untilEnded(
  { postmaster, keeper }: Started,
  plan: Plan,
  signal: AbortSignal,
  called: Promise<void>,
): Promise<void> {
  let held: Keeper | undefined = keeper;
  while (!signal.aborted && !postmaster.hasEnded()) {
    if (held) await Promise.race([called, postmaster.ended, held.lost]);
    else await Promise.race([postmaster.ended, pause(soonest, signal)]);
    if (signal.aborted || postmaster.hasEnded()) break;
    held = await keep(plan).catch(() => undefined);
  }
  // Not awaited: an unreferenced socket would let the process end in the midst of it.
  void held?.client.end().catch(() => undefined);
}
