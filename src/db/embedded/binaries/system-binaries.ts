import { execFile } from 'node:child_process';
import { access, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where distributions, the PostgreSQL project's packages and Homebrew install the programs. */
const installPlaces: readonly (readonly [folder: string, pattern: RegExp, below: string])[] = [
  ['/usr/lib/postgresql', /^\d+$/, 'bin'],
  ['/usr', /^pgsql-\d+$/, 'bin'],
  ['/usr/libexec', /^postgresql\d+$/, ''],
  ['/opt/homebrew/opt', /^postgresql(@\d+)?$/, 'bin'],
  ['/usr/local/opt', /^postgresql(@\d+)?$/, 'bin'],
  ['/usr/local', /^pgsql$/, 'bin'],
];

/** Lists the folders of installed PostgreSQL programs: first the PATH's, then the newest. */
export async function listSystemFolders(): Promise<string[]> {
  const found: string[] = [];
  // This module may not read the environment, so the shell looks at the PATH.
  const { stdout } = await run('/bin/sh', ['-c', 'command -v postgres']).catch(() => ({
    stdout: '',
  }));
  if (stdout.startsWith('/'))
    found.push(dirname(await realpath(stdout.trim()).catch(() => stdout.trim())));
  for (const [folder, pattern, below] of installPlaces) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name));
    found.push(
      ...names
        .sort((a, b) => parseNumber(b) - parseNumber(a))
        .map((name) => join(folder, name, below)),
    );
  }
  const complete = await Promise.all(found.map(hasPrograms));
  return [...new Set(found.filter((_, index) => complete[index]))];
}

const parseNumber = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

async function hasPrograms(folder: string): Promise<boolean> {
  const all = ['postgres', 'initdb'].map((name) => access(join(folder, name)));
  return await Promise.all(all).then(
    () => true,
    () => false,
  );
}
