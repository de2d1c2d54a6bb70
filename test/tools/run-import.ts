import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { inject } from 'vitest';
import { type ImportResult, runImport } from '../../src/import/run-import.ts';
import type { TestApp } from '../support/app.ts';

/*
 * Runs the command `import`: built, as a process of its own, or in this process. Its files are
 * removed after the file's last test.
 */

const programPath = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
export const importFolder = mkdtempSync(join(inject('scratch'), 'import-'));

let files = 0;
/** Writes a new file with this text and returns its path. */
export function writeImportFile(text: string | Buffer, pack = false): string {
  const path = join(importFolder, `${++files}.ndjson${pack ? '.gz' : ''}`);
  writeFileSync(path, pack ? gzipSync(text) : text);
  return path;
}

/** Runs `import` of the built command line. */
function spawnImport(words: readonly string[]): {
  child: ChildProcess;
  output: () => string;
  code: Promise<number | null>;
} {
  if (!existsSync(programPath)) throw new Error('Build first: npm run build');
  const child = spawn(process.execPath, [programPath, 'import', ...words], {
    env: { ...process.env, XDG_STATE_HOME: importFolder },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output += chunk));
  return { child, output: () => output, code: once(child, 'close').then(([code]) => code) };
}

/** Starts an import. */
export const startImport = (file: string, url: string, ...more: string[]) =>
  spawnImport([file, '--url', url, ...more]);

/** Runs `import` to its end. */
export async function runImportCommand(
  ...words: string[]
): Promise<{ code: number | null; output: string }> {
  const ran = spawnImport(words);
  return { code: await ran.code, output: ran.output() };
}

export const importFile = (file: string, url: string, ...more: string[]) =>
  runImportCommand(file, '--url', url, ...more);

/** Returns where the command line stores the state of a file's import. */
export const readState = (file: string): string => {
  const names = readdirSync(join(importFolder, 'stoa')).filter((name) =>
    name.startsWith(`import-${basename(file)}-`),
  );
  return join(importFolder, 'stoa', names[0] ?? 'none');
};

/** Runs `import` in this process, with the service's clock in place of sleep. */
export async function importInProcess(
  file: string,
  app: TestApp,
  adminKey?: string,
  url = app.url,
): Promise<ImportResult & { output: string; waits: number[]; state: string }> {
  let output = '';
  let state = '';
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    app.clock.advance(milliseconds);
  };
  const getStatePath = (hash: string) => {
    state = join(importFolder, `${hash}-${new URL(url).port}`);
    return state;
  };
  const options = { file, url, adminKey, posters: 8, toStatePath: getStatePath };
  const result = await runImport(options, {
    out: { write: (text) => (output += text) },
    clock: app.clock,
    sleep,
  });
  return { ...result, output, waits, state };
}
