import { describeReason } from './embedded-errors.ts';
import type { ServerPlan } from './postmaster.ts';
import { listPostgres, sendSignal } from './processes.ts';
import { type LockSession, openLockSession, type RunningServer, startOnce } from './start-once.ts';
import { stopPostmaster } from './stop-process.ts';
import { pause, waitUntil } from './wait-until.ts';

/**
 * The delay between two attempts doubles up to the maximum, and starts over after a stable minute.
 */
const MIN_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
const STABLE_MS = 60_000;

/**
 * Starts the server and restarts it whenever it ends, until `stop`. After the first start it throws
 * nothing: a full disk or a broken machine is logged, and the service's requests fail until the
 * database is back.
 * Errors: EmbeddedServerError when the first start fails.
 */
export async function supervise(plan: ServerPlan): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const stopRequested = new Promise<void>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let current: RunningServer | undefined = await startOnce(plan, stopping.signal);

  const watch = async (): Promise<void> => {
    let wait = MIN_DELAY_MS;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      try {
        current ??= await startOnce(plan, stopping.signal);
        await waitUntilEnded(current, plan, stopping.signal, stopRequested);
        if (stopping.signal.aborted) return;
        plan.log('the database ended unexpectedly: starting it again', {
          how: await current.postmaster.ended,
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        plan.log(`the database could not be started again: ${describeReason(error)}`, {
          nextAttemptMs: wait,
        });
      }
      current = undefined;
      if (performance.now() - since > STABLE_MS) wait = MIN_DELAY_MS;
      await pause(wait, stopping.signal);
      wait = Math.min(MAX_DELAY_MS, wait * 2);
    }
  };
  const watching = watch();

  const stop = async (): Promise<void> => {
    stopping.abort();
    await watching;
    if (current && !current.postmaster.hasEnded()) await stopPostmaster(current.postmaster.pid);
    // The log collector ends after the last process that writes to it.
    if (await waitUntil(async () => (await listPostgres(plan.data)).length === 0, 1000)) return;
    for (const pid of await listPostgres(plan.data)) sendSignal(pid, 'SIGKILL');
  };
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Waits until the postmaster ends. When only the lock's session ends, because a backend crashed and
 * PostgreSQL restarted all of them, it takes the lock again.
 */
async function waitUntilEnded(
  { postmaster, lockSession: firstSession }: RunningServer,
  plan: ServerPlan,
  signal: AbortSignal,
  stopRequested: Promise<void>,
): Promise<void> {
  let lockSession: LockSession | undefined = firstSession;
  while (!signal.aborted && !postmaster.hasEnded()) {
    if (lockSession) await Promise.race([stopRequested, postmaster.ended, lockSession.lost]);
    else await Promise.race([postmaster.ended, pause(MIN_DELAY_MS, signal)]);
    if (signal.aborted || postmaster.hasEnded()) break;
    lockSession = await openLockSession(plan).catch(() => undefined);
  }
  // The socket is unreferenced, so the process could end while this waited.
  void lockSession?.client.end().catch(() => undefined);
}
