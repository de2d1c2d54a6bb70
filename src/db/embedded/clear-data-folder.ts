import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError } from './embedded-errors.ts';
import type { LogMessage, SocketConnection } from './embedded-types.ts';
import { isListening, openSession, POSTGRES_PORT, tryServiceLock } from './lock-session.ts';
import { type PidFile, readPidFile, toPidFilePath } from './pid-file.ts';
import { listPostgres, processExists, sendSignal } from './processes.ts';
import { stopPostmaster } from './stop-process.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Removes the leftovers of a killed service or database: a postmaster without an owner, backends
 * without a postmaster, and lock files whose process is gone or whose pid now belongs to another
 * process. The caller has the owner lock, so no other process does this at the same time.
 * Errors: EmbeddedServerError when a running service uses the database after all.
 */
export async function clearDataFolder(
  data: string,
  connection: SocketConnection,
  log: LogMessage,
): Promise<void> {
  const left = await readPidFile(data);
  const running = await listPostgres(data);
  if (left) {
    const orphan = running.includes(left.pid);
    if (
      (orphan || (await isListening(left.socket, left.port))) &&
      (await isInUse(left, connection))
    ) {
      throw new EmbeddedServerError(
        `Another Stoa already uses the database in ${data}: stop that one first, or set ` +
          'DATA_DIR to another folder.',
      );
    }
    if (!orphan && (await isListening(left.socket, left.port))) {
      throw new EmbeddedServerError(
        `A PostgreSQL that is not on this machine's process list serves ${data}, perhaps in ` +
          'another container: stop that one first.',
      );
    }
    if (orphan) {
      log('the database was left running by a Stoa that was killed: stopping it', {
        databasePid: left.pid,
      });
      await stopPostmaster(left.pid);
    }
  }
  await stopOrphans(data, log);
  const stale = await readPidFile(data);
  if (stale) {
    // PostgreSQL itself handles a pid that no process has. It needs the file for that, to find
    // leftovers in shared memory.
    if (Number.isNaN(stale.pid) || processExists(stale.pid))
      await rm(toPidFilePath(data), { force: true });
    log('the database was not shut down: it recovers at this start', { databasePid: stale.pid });
  }
  for (const name of [`.s.PGSQL.${POSTGRES_PORT}`, `.s.PGSQL.${POSTGRES_PORT}.lock`])
    await rm(join(connection.host, name), { force: true });
}

/**
 * Whether a running service has the advisory lock. A database that is still starting has no
 * sessions and therefore no lock.
 */
async function isInUse(left: PidFile, connection: SocketConnection): Promise<boolean> {
  try {
    const client = await openSession({ ...connection, host: left.socket, port: left.port });
    const free = await tryServiceLock(client).finally(() => client.end());
    return !free;
  } catch {
    return false;
  }
}

/**
 * Ends the processes of this cluster that outlived their postmaster. They keep its shared memory,
 * and PostgreSQL does not start beside them.
 */
async function stopOrphans(data: string, log: LogMessage): Promise<void> {
  const haveEnded = async (): Promise<boolean> => (await listPostgres(data)).length === 0;
  // Most of them notice within moments that their postmaster is gone.
  if (await waitUntil(haveEnded, 300)) return;
  const pids = await listPostgres(data);
  log('ending processes that a killed database left', { pids });
  for (const pid of pids) sendSignal(pid, 'SIGQUIT');
  if (await waitUntil(haveEnded, 3000)) return;
  for (const pid of await listPostgres(data)) sendSignal(pid, 'SIGKILL');
  await waitUntil(haveEnded, 3000);
}
