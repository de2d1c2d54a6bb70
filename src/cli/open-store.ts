import type { Settings } from '../config.ts';
import { type Connection, toConnection } from '../db/connection.ts';
import { type EmbeddedServer, startEmbedded } from '../db/embedded/embedded-server.ts';
import { type MigrateOptions, migrate } from '../db/migrate.ts';
import { OWNER_ROLE, SERVICE_ROLE } from '../db/roles.ts';
import { CommandError } from './describe-error.ts';
import { examineDataFolder } from './doctor/examine-machine.ts';

/** A database: the external one of DATABASE_URL, or Stoa's own server. */
export interface OpenStore extends AsyncDisposable {
  /** As the service's own role, where there are two. */
  readonly connection: Connection;
  /** As the owner of the tables, who migrates them. */
  readonly owner: Connection;
  /** Null with DATABASE_URL. */
  readonly embedded: EmbeddedServer | null;
}

/**
 * Opens the database that the settings name: DATABASE_URL, or the embedded server under DATA_DIR.
 * With `attach`, the server of a running service is used; without, a running service is an error.
 * `onSpawned` is called while a server starts.
 * Disposing the store stops only what this call started.
 * Errors: EmbeddedServerError.
 */
export async function openStore(
  settings: Settings,
  log: (message: string, facts?: object) => void,
  attach: boolean,
  onSpawned?: () => Promise<void>,
): Promise<OpenStore> {
  if (settings.DATABASE_URL !== null) {
    const { DATABASE_URL, DATABASE_OWNER_URL } = settings;
    return {
      connection: toConnection(DATABASE_URL),
      owner: toConnection(DATABASE_OWNER_URL ?? DATABASE_URL),
      embedded: null,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const embedded = await startEmbedded({ dataDir: settings.DATA_DIR, log, attach, onSpawned });
  return {
    connection: { ...embedded.connection, user: SERVICE_ROLE },
    owner: { ...embedded.connection, user: OWNER_ROLE },
    embedded,
    [Symbol.asyncDispose]: () => embedded.stop(),
  };
}

/**
 * Opens the database of an installation that exists, beside its service if that is running. A
 * command that was given the wrong DATA_DIR must not make a second installation there.
 * Errors: CommandError, EmbeddedServerError.
 */
export async function openInstallation(settings: Settings): Promise<OpenStore> {
  if (settings.DATABASE_URL === null) {
    const { isOk, text } = await examineDataFolder(settings);
    if (!isOk) throw new CommandError(text);
  }
  return await openStore(settings, () => {}, true);
}

/**
 * Migrates the database of a store as its owner, and gives the service's role its rights. Returns
 * the names of the migrations that ran. Errors: SchemaTooNew; RestoreUnfinished, except for a
 * restore.
 */
export const migrateStore = (
  { connection, owner }: OpenStore,
  { DATABASE_URL, DATABASE_OWNER_URL }: Settings,
  options?: MigrateOptions,
): Promise<string[]> => {
  const hasTwoRoles = DATABASE_URL === null || DATABASE_OWNER_URL !== null;
  return migrate(owner, hasTwoRoles ? connection : undefined, options);
};
