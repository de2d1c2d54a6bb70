import { isAlive, sendSignal } from './processes.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Ends a postmaster and all of its processes. It first asks for a fast shutdown (sessions are
 * rolled back, a checkpoint is written) and waits `fastMs` milliseconds, then for an immediate one
 * (recovery at the next start), and finally kills the process. No acknowledged write is lost in any
 * case.
 */
export async function stopPostmaster(pid: number, fastMs = 8000): Promise<void> {
  const hasEnded = async (): Promise<boolean> => !(await isAlive(pid));
  // A process that is stopped (SIGSTOP) reacts to SIGKILL only.
  for (const [signal, limitMs] of [
    ['SIGINT', fastMs],
    ['SIGQUIT', 3000],
    ['SIGKILL', 2000],
  ] as const) {
    sendSignal(pid, signal);
    if (await waitUntil(hasEnded, limitMs)) return;
  }
}
