import { isAlive, signal } from './processes.ts';
import { until } from './wait-until.ts';

/**
 * Ends a postmaster and all that it started: fast (sessions are rolled back, a checkpoint is written), then at once (recovery at the next
 * start), then by force. No acknowledged write is lost either way.
 * @param fast milliseconds for the first way
 */
export async function stopPostmaster(pid: number, fast = 8000): Promise<void> {
  const gone = async (): Promise<boolean> => !(await isAlive(pid));
  // A stopped process hears nothing but SIGKILL until it goes on.
  for (const [name, limit] of [
    ['SIGINT', fast],
    ['SIGQUIT', 3000],
    ['SIGKILL', 2000],
  ] as const) {
    signal(pid, name);
    if (await until(gone, limit)) return;
  }
}
