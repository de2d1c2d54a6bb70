import type { Client } from 'pg';
import { clearDataFolder } from './clear-data-folder.ts';
import { EmbeddedServerError } from './embedded-errors.ts';
import { ensureDatabase, openSession, tryServiceLock } from './lock-session.ts';
import { type Postmaster, type ServerPlan, spawnPostmaster, waitUntilReady } from './postmaster.ts';
import { stopPostmaster } from './stop-process.ts';
import { pause } from './wait-until.ts';

/** A server that accepts connections, and the session with the service's lock. */
export interface RunningServer {
  readonly postmaster: Postmaster;
  readonly lockSession: LockSession;
}

/** The session that has the service's advisory lock. */
export interface LockSession {
  readonly client: Client;
  /** Resolves when the session has ended, and the lock with it. */
  readonly lost: Promise<void>;
}

/**
 * Starts a server that accepts connections, whatever state the data folder is in. It creates Stoa's
 * database if necessary and takes the service's lock.
 * Errors: EmbeddedServerError with the end of the server's log; no process is left behind.
 */
export async function startOnce(plan: ServerPlan, signal: AbortSignal): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    await clearDataFolder(plan.data, plan.connection, plan.log);
    const postmaster = await spawnPostmaster(plan);
    try {
      const meanwhile = plan.onSpawned?.();
      await waitUntilReady(postmaster, plan, signal);
      // What keeps the event loop busy must not let a connection time out.
      await meanwhile;
      return { postmaster, lockSession: await openLockSession(plan) };
    } catch (error) {
      if (!postmaster.hasEnded()) await stopPostmaster(postmaster.pid);
      // The backends of a killed postmaster may still be ending without being on the process list.
      const isMemoryInUse =
        error instanceof Error && error.message.includes('pre-existing shared memory block');
      if (!isMemoryInUse || attempt === 20 || signal.aborted) throw error;
      await pause(500, signal);
    }
  }
}

/**
 * Opens the session that has the service's lock.
 * Errors: EmbeddedServerError when another service has it.
 */
export async function openLockSession({ connection, data }: ServerPlan): Promise<LockSession> {
  const client = await openSession(connection);
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await ensureDatabase(client, connection.database);
    if (!(await tryServiceLock(client)))
      throw new EmbeddedServerError(
        `Another Stoa already uses the database in ${data}: stop that one first, or set ` +
          'DATA_DIR to another folder.',
      );
    // The session is open for days and must not keep the process alive. The driver's types lack the
    // method.
    (client as Client & { unref(): void }).unref();
    return { client, lost };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
