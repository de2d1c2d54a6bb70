import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = await mkdtemp(join(tmpdir(), 'stoa-build-'));
afterAll(() => rm(copy, { recursive: true, force: true }));

const copied = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'client/package.json',
  'client/tsconfig.json',
  'scripts/build.mjs',
];

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(copy, name)), { recursive: true });
  await writeFile(join(copy, name), text);
}

/** Runs the build as `npm start` does, and returns whether it built. */
async function build(): Promise<boolean> {
  const { stderr } = await promisify(execFile)(process.execPath, [join(copy, 'scripts/build.mjs')]);
  return stderr.startsWith('Building Stoa');
}

/** Gives a file a time that lies ahead of every build so far. */
const touch = (name: string, at = new Date()) => utimes(join(copy, name), at, at);

it('[ops.build-once] builds when a source changed, and not again', async () => {
  for (const name of copied) await cp(join(root, name), join(copy, name));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const name of ['examples/a.ts', 'bench/a.ts']) await write(name, 'export const a = 1;\n');
  await write('client/src/index.ts', 'export const name = "client";\n');
  await write('src/other.ts', 'export const other = 1;\n');
  await write('src/main.ts', "import { other } from './other.ts';\n\nprocess.exitCode = other;\n");
  expect([await build(), await build()]).toEqual([true, false]);
  await write('src/other.ts', 'export const other = 2;\n');
  expect([await build(), await build()]).toEqual([true, false]);
  await touch('src/main.ts');
  expect([await build(), await build()]).toEqual([true, false]);
  await rm(join(copy, 'client/dist/index.js'));
  expect([await build(), await build()]).toEqual([true, false]);
});
