import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEachFile } from '../../support/each-file.ts';

/* Programs in Python that use the client, each a process of its own. */

const clientFolder = fileURLToPath(new URL('../../../client/python', import.meta.url));
const children: ChildProcess[] = [];

/** The interpreter of the operating system, where there is one. */
export const interpreter =
  process.env.PYTHON ?? (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');

let cacheFolder: string | undefined;

/** Compiling the client takes a second: it is kept, but not among the sources. */
function getCacheFolder(): string {
  cacheFolder ??= mkdtempSync(join(tmpdir(), 'stoa-python-'));
  return cacheFolder;
}

/** Returns the path of a program of this folder. */
export const findProgram = (name: string): string =>
  fileURLToPath(new URL(`./programs/${name}`, import.meta.url));

export interface PythonResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface PythonProcess {
  /** The whole lines that it printed so far. */
  readLines(): string[];
  /** What it wrote to standard error so far. */
  readErrors(): string;
  write(line: string): void;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<PythonResult>;
}

/** Starts Python. Warnings are errors, such as that of a connection that was left open. */
export function startPython(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = tmpdir(),
): PythonProcess {
  const child = spawn(interpreter, ['-W', 'error', ...words], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      PYTHONPATH: clientFolder,
      PYTHONPYCACHEPREFIX: getCacheFolder(),
      PYTHONUNBUFFERED: '1',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  // Writing to a process that was killed fails, which its end tells already.
  child.stdin.on('error', () => {});
  return {
    readLines: () => out.join('').split('\n').slice(0, -1),
    readErrors: () => err.join(''),
    write: (line) => void child.stdin.write(`${line}\n`),
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(() => ({
      code: child.exitCode,
      out: out.join(''),
      err: err.join(''),
    })),
  };
}

/** Runs Python to its end. */
export const runPython = (
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<PythonResult> => startPython(words, env).ended;

afterEachFile(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  if (cacheFolder !== undefined) rmSync(cacheFolder, { recursive: true, force: true });
  cacheFolder = undefined;
});
