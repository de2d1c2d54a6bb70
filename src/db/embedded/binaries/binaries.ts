import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, toProcessOptions } from '../account/server-account.ts';
import type { Home } from '../database-home.ts';
import { describeReason, EmbeddedServerError } from '../embedded-errors.ts';
import type { LogMessage } from '../embedded-types.ts';
import { processEnvironment } from '../server-settings.ts';
import { findShippedFolder, prepareShippedBinaries } from './shipped-binaries.ts';
import { listSystemFolders } from './system-binaries.ts';

/** PostgreSQL's programs, ready to run. */
export interface Binaries {
  /** The folder with `postgres` and `initdb`. */
  readonly folder: string;
  readonly source: 'shipped' | 'system';
  /** As PostgreSQL prints it, such as `18.4`. */
  readonly version: string;
  readonly major: number;
}

/** The first version with everything that Stoa's SQL uses, such as `MERGE`. */
const OLDEST_MAJOR = 15;

/**
 * Finds the PostgreSQL to run. It is the shipped one, or the system's when the shipped one cannot
 * run here or the cluster was created by the system's. `shipped` is a folder with `bin` and `lib`
 * that replaces the npm package's.
 * Errors: EmbeddedServerError when no PostgreSQL is found, or none of the cluster's major version.
 */
export async function findBinaries(
  home: Home,
  log: LogMessage,
  shipped?: string,
): Promise<Binaries> {
  const wanted = await findClusterMajor(join(home.folder, 'data'));
  const isUsable = (found: Binaries): boolean =>
    found.major >= OLDEST_MAJOR && (wanted === undefined || wanted === found.major);
  const seen: string[] = [];
  // A start waits for the programs to run, so they run once.
  const reads = new Map<string, ReturnType<typeof readVersion>>();
  const read = (folder: string) => {
    const reading = reads.get(folder) ?? readVersion(folder, home.account);
    reads.set(folder, reading);
    return reading;
  };
  let reason: string;
  try {
    const source = shipped ?? (await findShippedFolder());
    const canRun = (bin: string) =>
      read(bin).then(
        () => true,
        () => false,
      );
    const folder = await prepareShippedBinaries(source, home, canRun, log);
    const found: Binaries = { folder, source: 'shipped', ...(await read(folder)) };
    if (isUsable(found)) return found;
    reason = `it is version ${found.version}`;
    seen.push(found.version);
  } catch (error) {
    reason = describeReason(error);
  }
  for (const folder of await listSystemFolders()) {
    const found = await readVersion(folder, home.account).catch(() => undefined);
    if (!found) continue;
    if (isUsable({ folder, source: 'system', ...found })) {
      log(
        `the shipped PostgreSQL cannot be used (${reason}): using the system's PostgreSQL ` +
          `${found.version} in ${folder}`,
        { reason, binaries: folder },
      );
      return { folder, source: 'system', ...found };
    }
    seen.push(found.version);
  }
  if (wanted !== undefined && seen.length > 0) {
    throw new EmbeddedServerError(
      `The database in ${home.folder} was made by PostgreSQL ${wanted}, and this machine has ` +
        `${seen.join(', ')}: install PostgreSQL ${wanted}, or run a Stoa that ships PostgreSQL ` +
        `${wanted}, make a backup with it and restore the backup here.`,
    );
  }
  throw new EmbeddedServerError(
    `The PostgreSQL that comes with Stoa cannot run here (${reason}), and no PostgreSQL ` +
      `${wanted ?? `${OLDEST_MAJOR} or newer`} is installed: install one, or set DATABASE_URL ` +
      'to a PostgreSQL server.',
  );
}

/** Finds the cluster's major version; undefined before there is a cluster. */
async function findClusterMajor(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

/**
 * Runs both programs as the account. Nothing else proves that the account can reach them, that they
 * are built for this machine and that they find their libraries.
 */
async function readVersion(
  folder: string,
  account: Account,
): Promise<{ version: string; major: number }> {
  const server = runForOutput(join(folder, 'postgres'), account);
  // Both run at once; where neither can, the reason is always that of initdb.
  server.catch(() => {});
  await runForOutput(join(folder, 'initdb'), account);
  const text = await server;
  const found = /\(PostgreSQL\) (\d+)(\S*)/.exec(text);
  if (!found?.[1])
    throw new Error(`${folder}/postgres printed "${text.trim()}" instead of its version`);
  return { version: `${found[1]}${found[2] ?? ''}`, major: Number(found[1]) };
}

function runForOutput(program: string, account: Account): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['--version'], {
      ...toProcessOptions(account),
      cwd: '/',
      env: processEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
    });
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString();
    });
    child.stderr.on('data', (part: Buffer) => {
      text += part.toString();
    });
    child.once('error', (error) => reject(new Error(`${program}: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(text);
      else
        reject(
          new Error(`${program} ended with ${signal ?? code}: ${text.trim().split('\n')[0] ?? ''}`),
        );
    });
  });
}
