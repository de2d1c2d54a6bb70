import { ensureRoles } from '../roles.ts';
import { writeAuthentication } from './authentication.ts';
import { findBinaries } from './binaries/binaries.ts';
import { claimOrAttach } from './claim-or-attach.ts';
import { type Home, prepareHome } from './database-home.ts';
import { describeReason, EmbeddedServerError } from './embedded-errors.ts';
import type { ServerLocation, SocketConnection, StartOptions } from './embedded-types.ts';
import { initialise } from './initialise.ts';
import { openSession, POSTGRES_PORT } from './lock-session.ts';
import type { OwnerLock } from './owner-lock.ts';
import { chooseSocketFolder } from './socket-folder.ts';
import { supervise } from './supervise.ts';

export { EmbeddedServerError } from './embedded-errors.ts';

/** A running database of Stoa's own. */
export interface EmbeddedServer {
  /**
   * Where to connect, as the superuser of the cluster. It stays the same after a restart, so a pool
   * simply reconnects.
   */
  readonly connection: SocketConnection;
  readonly location: ServerLocation;
  /**
   * Stops the database and leaves no process behind, within 8 s, or 14 s if it hangs. It is
   * idempotent, and does nothing when attached to a service's database.
   */
  stop(): Promise<void>;
}

/**
 * Starts Stoa's own PostgreSQL and supervises it until `stop`. The first start creates the
 * database. It recovers after any kind of crash, is reachable over a unix socket only, and has one
 * owner at a time.
 * Errors: EmbeddedServerError, whose message says what to do.
 */
export async function startEmbedded(options: StartOptions): Promise<EmbeddedServer> {
  if (process.platform === 'win32')
    throw new EmbeddedServerError(
      "Stoa's own database does not run on Windows: set DATABASE_URL to a PostgreSQL " +
        'server, or run Stoa in WSL.',
    );
  try {
    const home = await prepareHome(
      options.dataDir,
      options.elsewhere ?? '/var/lib/stoa',
      options.log,
    );
    const socket = await chooseSocketFolder(home.folder, home.account);
    const claimed = await claimOrAttach(
      socket,
      options.attach ? 'tool' : 'service',
      home.folder,
      options.log,
    );
    if ('serving' in claimed) return { ...claimed.serving, stop: async () => undefined };
    return await startOwned(options, home, socket, claimed.lock);
  } catch (error) {
    if (error instanceof EmbeddedServerError) throw error;
    throw new EmbeddedServerError(
      `Stoa's own database cannot start in ${options.dataDir}: ${describeReason(error)}. ` +
        'Remove the cause, or set DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    );
  }
}

/** Makes the roles of the service. Its database exists once the server is supervised. */
async function prepareRoles(connection: SocketConnection): Promise<void> {
  const client = await openSession(connection, connection.database);
  await ensureRoles(client, connection.database).finally(() => client.end());
}

async function startOwned(
  { log, binaries: shipped, onSpawned }: StartOptions,
  home: Home,
  socket: string,
  lock: OwnerLock,
): Promise<EmbeddedServer> {
  try {
    const binaries = await findBinaries(home, log, shipped);
    const data = await initialise(home, binaries, log);
    const connection: SocketConnection = {
      host: socket,
      port: POSTGRES_PORT,
      user: 'stoa',
      database: 'stoa',
    };
    const { account, relocated } = home;
    await writeAuthentication(data, account, connection.user, binaries.major);
    const location: ServerLocation = {
      data,
      binaries: binaries.folder,
      socket,
      user: account.name,
      relocated,
      source: binaries.source,
      version: binaries.version,
    };
    const running = await supervise({ home, binaries, data, connection, log, onSpawned });
    await prepareRoles(connection).catch(async (error: unknown) => {
      await running.stop();
      throw error;
    });
    lock.publish({ connection, location });
    return { connection, location, stop: () => running.stop().finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
