import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError } from './embedded-errors.ts';
import { type PidFile, pidFilePath, readPidFile } from './pid-file.ts';
import { exists, postgresIn, signal } from './processes.ts';
import { isListening, openSession, port, tryServiceLock } from './lock-session.ts';
import { stopPostmaster } from './stop-process.ts';
import type { Connection, Log } from './embedded-types.ts';
import { until } from './wait-until.ts';

/**
 * Removes what a killed service or a killed database left: a postmaster that nobody owns, backends without a postmaster, lock files of
 * processes that are gone or whose pid belongs to someone else now. The caller holds the owner lock, so nobody else does this.
 * @throws EmbeddedServerError when a living service uses the database after all
 */
export async function clearTheWay(data: string, connection: Connection, log: Log): Promise<void> {
  const left = await readPidFile(data);
  const running = await postgresIn(data);
  if (left) {
    const orphan = running.includes(left.pid);
    if (
      (orphan || (await isListening(left.socket, left.port))) &&
      (await isInUse(left, connection))
    ) {
      throw new EmbeddedServerError(
        `Another Stoa already uses the database in ${data}: stop that one first, or set DATA_DIR to another folder.`,
      );
    }
    if (!orphan && (await isListening(left.socket, left.port))) {
      throw new EmbeddedServerError(
        `A PostgreSQL that is not on this machine's process list serves ${data}, perhaps in another container: stop that one first.`,
      );
    }
    if (orphan) {
      log('the database was left running by a Stoa that was killed: stopping it', {
        pid: left.pid,
      });
      await stopPostmaster(left.pid);
    }
  }
  await endOrphans(data, log);
  const stale = await readPidFile(data);
  if (stale) {
    // Of a pid that no process has, PostgreSQL takes care itself, and looks for leftovers in shared memory by what the file says.
    if (Number.isNaN(stale.pid) || exists(stale.pid)) await rm(pidFilePath(data), { force: true });
    log('the database was not shut down: it recovers at this start', { pid: stale.pid });
  }
  for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
    await rm(join(connection.host, name), { force: true });
}

/** Whether a living service holds the advisory lock. A database that is still starting has no sessions, and so no lock. */
async function isInUse(left: PidFile, connection: Connection): Promise<boolean> {
  try {
    const client = await openSession({ ...connection, host: left.socket, port: left.port });
    const free = await tryServiceLock(client).finally(() => client.end());
    return !free;
  } catch {
    return false;
  }
}

/** Processes of this cluster that go on without a postmaster hold its shared memory, and PostgreSQL will not start beside them. */
async function endOrphans(data: string, log: Log): Promise<void> {
  const rest = async (): Promise<boolean> => (await postgresIn(data)).length === 0;
  // Most notice within a moment that their postmaster is gone.
  if (await until(rest, 300)) return;
  const pids = await postgresIn(data);
  log('ending processes that a killed database left', { pids });
  for (const pid of pids) signal(pid, 'SIGQUIT');
  if (await until(rest, 3000)) return;
  for (const pid of await postgresIn(data)) signal(pid, 'SIGKILL');
  await until(rest, 3000);
}
