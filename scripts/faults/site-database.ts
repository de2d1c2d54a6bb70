import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { runProgram } from '../../bench/load/service.ts';
import { startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { buildDatabaseSettings } from './nodes.ts';

/** The database of an installation that faults strike. */
export interface SiteDatabase extends AsyncDisposable {
  /** The addresses of the service's role and of the owner, for a node or for commands. */
  getSettings(node?: number): Readonly<Record<string, string>>;
  /** Where to connect as the superuser. */
  readonly connection: pg.ClientConfig;
  /** The server that nodes reach through relays; null if they use the settings as they are. */
  readonly relayed: { readonly socket: string; readonly data: string } | null;
}

/** Makes an embedded database with the schema of a program, and starts it. */
export async function startOwnDatabase(dataDir: string, main?: string): Promise<SiteDatabase> {
  const migrated = await runProgram(['migrate'], { DATA_DIR: dataDir }, main);
  if (migrated.code !== 0) throw new Error(`No database could be made: ${migrated.output}`);
  const database = await startEmbedded({ dataDir, log: () => {}, attach: true });
  const { connection, location } = database;
  return {
    getSettings: () => buildDatabaseSettings(database),
    connection,
    relayed: {
      socket: join(connection.host, `.s.PGSQL.${connection.port}`),
      data: location.data,
    },
    async [Symbol.asyncDispose]() {
      await database.stop();
      if (location.relocated) await rm(dirname(location.data), { recursive: true, force: true });
    },
  };
}
