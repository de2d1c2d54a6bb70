import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { inject } from 'vitest';
import { type Imported, runImport } from '../../src/import/run-import.ts';
import type { TestApp } from '../support/app.ts';

/* The command `import`: built, as a process of its own, or in this process. What it leaves is gone after the file's last test. */

const cli = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
export const folder = mkdtempSync(join(inject('scratch'), 'import-'));

let files = 0;
/** Path of a new file with this text. */
export function writeFile(text: string | Buffer, pack = false): string {
  const path = join(folder, `${++files}.ndjson${pack ? '.gz' : ''}`);
  writeFileSync(path, pack ? gzipSync(text) : text);
  return path;
}

/** Runs `import` of the built command line. */
function run(words: readonly string[]): {
  child: ChildProcess;
  output: () => string;
  code: Promise<number | null>;
} {
  if (!existsSync(cli)) throw new Error('Build first: npm run build');
  const child = spawn(process.execPath, [cli, 'import', ...words], {
    env: { ...process.env, XDG_STATE_HOME: folder },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output += chunk));
  return { child, output: () => output, code: once(child, 'close').then(([code]) => code) };
}

/** Starts an import. */
export const start = (file: string, url: string, ...more: string[]) =>
  run([file, '--url', url, ...more]);

/** Runs `import` to its end. */
export async function importWords(
  ...words: string[]
): Promise<{ code: number | null; output: string }> {
  const ran = run(words);
  return { code: await ran.code, output: ran.output() };
}

export const importFile = (file: string, url: string, ...more: string[]) =>
  importWords(file, '--url', url, ...more);

/** Where the command line keeps the state of a file's import. */
export const stateOf = (file: string): string => {
  const names = readdirSync(join(folder, 'stoa')).filter((name) =>
    name.startsWith(`import-${basename(file)}-`),
  );
  return join(folder, 'stoa', names[0] ?? 'none');
};

/** The same in this process, with the service's clock in place of sleep. */
export async function importHere(
  file: string,
  app: TestApp,
  adminKey?: string,
  url = app.url,
): Promise<Imported & { output: string; waits: number[]; state: string }> {
  let output = '';
  let state = '';
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    app.clock.advance(milliseconds);
  };
  const stateFile = (hash: string) => {
    state = join(folder, `${hash}-${new URL(url).port}`);
    return state;
  };
  const options = { file, url, adminKey, posters: 8, stateOf: stateFile };
  const result = await runImport(options, {
    out: { write: (text) => (output += text) },
    clock: app.clock,
    sleep,
  });
  return { ...result, output, waits, state };
}
