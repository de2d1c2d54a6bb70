import type { Settings } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { type EmbeddedServer, startEmbedded } from '../db/embedded/embedded-server.ts';

/** A database that somebody else runs, or our own one. */
export interface OpenStore extends AsyncDisposable {
  readonly connection: Connection;
  /** Null with DATABASE_URL. */
  readonly embedded: EmbeddedServer | null;
}

/**
 * The store that the settings name: DATABASE_URL, or the embedded server under DATA_DIR. With
 * `attach` a server that a running service holds is used as it is; otherwise that is refused.
 * Disposing stops only what was started here.
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
