import type { Settings } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { type EmbeddedServer, startEmbedded } from '../db/embedded/embedded-server.ts';

/** A database: the external one of DATABASE_URL, or Stoa's own server. */
export interface OpenStore extends AsyncDisposable {
  readonly connection: Connection;
  /** Null with DATABASE_URL. */
  readonly embedded: EmbeddedServer | null;
}

/**
 * Opens the database that the settings name: DATABASE_URL, or the embedded server under DATA_DIR.
 * With `attach`, the server of a running service is used; without, a running service is an error.
 * Disposing the store stops only what this call started.
 * Errors: EmbeddedServerError.
 */
export async function openStore(
  settings: Settings,
  log: (message: string, facts?: object) => void,
  attach: boolean,
): Promise<OpenStore> {
  if (settings.DATABASE_URL !== null) {
    return {
      connection: { connectionString: settings.DATABASE_URL },
      embedded: null,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const embedded = await startEmbedded({ dataDir: settings.DATA_DIR, log, attach });
  return {
    connection: embedded.connection,
    embedded,
    [Symbol.asyncDispose]: () => embedded.stop(),
  };
}
