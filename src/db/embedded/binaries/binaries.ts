import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, as } from '../server-account.ts';
import { EmbeddedServerError, reasonOf } from '../embedded-errors.ts';
import type { Home } from '../database-home.ts';
import { environment } from '../server-settings.ts';
import { prepareShipped, shippedFolder } from './shipped-binaries.ts';
import { systemFolders } from './system-binaries.ts';
import type { Log } from '../embedded-types.ts';

export interface Binaries {
  /** The folder with `postgres` and `initdb`. */
  readonly folder: string;
  readonly source: 'shipped' | 'system';
  readonly version: string;
  readonly major: number;
}

/** `tsvector`, generated columns, `MERGE`: what Stoa's SQL counts on is there since. */
const oldest = 15;

/**
 * The PostgreSQL to run: the shipped one, or the system's where that cannot run here, or where the cluster was made by the system's.
 * @param shipped the folder with `bin` and `lib` in place of the npm package's
 * @throws EmbeddedServerError when there is none, or none of the cluster's major version
 */
export async function findBinaries(home: Home, log: Log, shipped?: string): Promise<Binaries> {
  const wanted = await clusterMajor(join(home.folder, 'data'));
  const fits = (found: Binaries): boolean =>
    found.major >= oldest && (wanted === undefined || wanted === found.major);
  const seen: string[] = [];
  let reason: string;
  try {
    const source = shipped ?? (await shippedFolder());
    const folder = await prepareShipped(source, home, (bin) => runs(bin, home.account), log);
    const found: Binaries = { folder, source: 'shipped', ...(await version(folder, home.account)) };
    if (fits(found)) return found;
    reason = `it is version ${found.version}`;
    seen.push(found.version);
  } catch (error) {
    reason = reasonOf(error);
  }
  for (const folder of await systemFolders()) {
    const found = await version(folder, home.account).catch(() => undefined);
    if (!found) continue;
    if (fits({ folder, source: 'system', ...found })) {
      log(
        `the shipped PostgreSQL cannot be used (${reason}): using the system's PostgreSQL ${found.version} in ${folder}`,
        { reason, binaries: folder },
      );
      return { folder, source: 'system', ...found };
    }
    seen.push(found.version);
  }
  if (wanted !== undefined && seen.length > 0) {
    throw new EmbeddedServerError(
      `The database in ${home.folder} was made by PostgreSQL ${wanted}, and here is ${seen.join(', ')}: run a Stoa that ships PostgreSQL ${wanted}, make a backup with it and restore that here, or install PostgreSQL ${wanted}.`,
    );
  }
  throw new EmbeddedServerError(
    `The PostgreSQL that comes with Stoa cannot run here (${reason}), and no PostgreSQL ${wanted ?? `${oldest} or newer`} is installed: install one, or set DATABASE_URL to a PostgreSQL server.`,
  );
}

/** The cluster's major version, or undefined before there is one. */
async function clusterMajor(data: string): Promise<number | undefined> {
  const text = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

const runs = (folder: string, account: Account): Promise<boolean> =>
  version(folder, account).then(
    () => true,
    () => false,
  );

/** Runs both programs as the account: the one proof that it can reach them, that they are for this machine and find their libraries. */
async function version(
  folder: string,
  account: Account,
): Promise<{ version: string; major: number }> {
  await output(join(folder, 'initdb'), account);
  const text = await output(join(folder, 'postgres'), account);
  const found = /\(PostgreSQL\) (\d+)(\S*)/.exec(text);
  if (!found?.[1])
    throw new Error(`${folder}/postgres says "${text.trim()}" when asked for its version`);
  return { version: `${found[1]}${found[2] ?? ''}`, major: Number(found[1]) };
}

function output(program: string, account: Account): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['--version'], {
      ...as(account),
      cwd: '/',
      env: environment,
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
