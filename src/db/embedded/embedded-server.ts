import { findBinaries } from './binaries/binaries.ts';
import { claimOrAttach } from './claim-or-attach.ts';
import { EmbeddedServerError, reasonOf } from './embedded-errors.ts';
import { findHome, type Home } from './database-home.ts';
import { initialise } from './initialise.ts';
import type { OwnerLock } from './owner-lock.ts';
import { port } from './lock-session.ts';
import { socketFolder } from './socket-folder.ts';
import { supervise } from './supervise.ts';
import type { Connection, Location, Log } from './embedded-types.ts';

export { EmbeddedServerError } from './embedded-errors.ts';

export interface EmbeddedServer {
  /** What pg needs; it stays the same when the database is restarted, so a pool just reconnects. */
  readonly connection: Connection;
  readonly location: Location;
  /** Stops the database and leaves no process, within 8 s, or 14 s if it hangs. Idempotent; does nothing when attached. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The database lives in `postgres` below it, or elsewhere if its user cannot enter that: `location` says where. */
  readonly dataDir: string;
  readonly log: Log;
  /** For command-line tools: use the running service's database; without one, start it and stop it at the end. */
  readonly attach?: boolean;
  /** A folder with `bin`, `lib` and `share` in place of the npm package's. */
  readonly binaries?: string;
  /** Where databases go that cannot stay in DATA_DIR; `/var/lib/stoa` unless told. */
  readonly elsewhere?: string;
}

/**
 * Stoa's own PostgreSQL: made at the first start, brought back after any kind of death, reachable by a unix socket only,
 * one owner at a time. Supervised until `stop`.
 * @throws EmbeddedServerError a sentence that says what to do
 */
export async function startEmbedded(options: StartOptions): Promise<EmbeddedServer> {
  if (process.platform === 'win32')
    throw new EmbeddedServerError(
      "Stoa's own database does not run on Windows: set DATABASE_URL to a PostgreSQL server, or run Stoa in WSL.",
    );
  try {
    const home = await findHome(options.dataDir, options.elsewhere ?? '/var/lib/stoa', options.log);
    const socket = await socketFolder(home.folder, home.account);
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
      `Stoa's own database cannot start in ${options.dataDir}: ${reasonOf(error)}. Free the way, or set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    );
  }
}

async function startOwned(
  { log, binaries: shipped }: StartOptions,
  home: Home,
  socket: string,
  lock: OwnerLock,
): Promise<EmbeddedServer> {
  try {
    const binaries = await findBinaries(home, log, shipped);
    const data = await initialise(home, binaries, log);
    const connection: Connection = { host: socket, port, user: 'stoa', database: 'stoa' };
    const { account, relocated } = home;
    const location: Location = {
      data,
      binaries: binaries.folder,
      socket,
      user: account.name,
      relocated,
      source: binaries.source,
      version: binaries.version,
    };
    const running = await supervise({ home, binaries, data, connection, log });
    lock.publish({ connection, location });
    return { connection, location, stop: () => running.stop().finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
