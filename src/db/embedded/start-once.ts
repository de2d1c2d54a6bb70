import type { Client } from 'pg';
import { clearTheWay } from './clear-data-folder.ts';
import { EmbeddedServerError } from './embedded-errors.ts';
import { type Plan, type Postmaster, spawnPostmaster, untilReady } from './postmaster.ts';
import { ensureDatabase, openSession, tryServiceLock } from './lock-session.ts';
import { stopPostmaster } from './stop-process.ts';
import { pause } from './wait-until.ts';

export interface Started {
  readonly postmaster: Postmaster;
  readonly keeper: Keeper;
}

/** The session that holds the advisory lock. */
export interface Keeper {
  readonly client: Client;
  /** Fulfilled when the session is gone, and the lock with it. */
  readonly lost: Promise<void>;
}

/**
 * From whatever state the folder is in to a server that accepts connections, with its database and the service's lock taken.
 * @throws EmbeddedServerError with the server's last words; no process is left then
 */
export async function startOnce(plan: Plan, signal: AbortSignal): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    await clearTheWay(plan.data, plan.connection, plan.log);
    const postmaster = await spawnPostmaster(plan);
    try {
      await untilReady(postmaster, plan, signal);
      return { postmaster, keeper: await keep(plan) };
    } catch (error) {
      if (!postmaster.hasEnded()) await stopPostmaster(postmaster.pid);
      // Backends of a killed postmaster that the process list did not show, still ending.
      const held =
        error instanceof Error && error.message.includes('pre-existing shared memory block');
      if (!held || attempt === 20 || signal.aborted) throw error;
      await pause(500, signal);
    }
  }
}

/** Opens the session that holds the lock. @throws EmbeddedServerError when someone else has it */
export async function keep({ connection, data }: Plan): Promise<Keeper> {
  const client = await openSession(connection);
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await ensureDatabase(client, connection.database);
    if (!(await tryServiceLock(client)))
      throw new EmbeddedServerError(
        `Another Stoa already uses the database in ${data}: stop that one first, or set DATA_DIR to another folder.`,
      );
    // It waits for days: that must keep no process alive. The driver's types do not know the method.
    (client as Client & { unref(): void }).unref();
    return { client, lost };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
