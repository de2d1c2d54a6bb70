import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect } from 'vitest';
import { isAlive, listPostgres, sendSignal } from '../../src/db/embedded/processes.ts';
import { parseBody } from '../../src/kernel/schema/json.ts';
import { ADMIN_KEY } from './app.ts';
import { afterEachFile } from './each-file.ts';
import { type Json, waitUntil } from './factories.ts';

export { findFreePort } from '../../scripts/find-free-port.ts';

/*
 * The built service as processes of their own, started as a person would. All of them are gone
 * after the file's last test.
 */

export const programPath = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const children: ChildProcess[] = [];
const folders: string[] = [];
/** What the processes of this file wrote to standard error, each for itself. */
const stderrPieces: string[][] = [];

type EnvironmentVariables = Readonly<Record<string, string>>;

const defaults: EnvironmentVariables = {
  PORT: '0',
  REALM: 'test',
  RATE_LIMITS: 'off',
  DISK_FLOOR_BYTES: '0',
  ADMIN_KEYS: ADMIN_KEY,
  LOG_LEVEL: 'debug',
};

function spawnProgram(
  command: readonly string[],
  env: EnvironmentVariables,
  launcher: readonly string[] = [],
  program = programPath,
): { child: ChildProcess; out: string[]; err: string[] } {
  const { PATH = '', TMPDIR } = process.env;
  const words = [...launcher, process.execPath, program, ...command];
  const child = spawn(words[0] ?? '', words.slice(1), {
    cwd: tmpdir(),
    env: { PATH, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const out: string[] = [];
  const err: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => err.push(text));
  stderrPieces.push(err);
  return { child, out, err };
}

/** A new folder that the database's user may enter. */
export function createFolder(): string {
  const folderPath = mkdtempSync(join(realpathSync(tmpdir()), 'stoa-service-'));
  chmodSync(folderPath, 0o755);
  folders.push(folderPath);
  return folderPath;
}

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface StartedCommand {
  /** What it wrote to standard error so far. */
  readErrors(): string;
  kill(name: NodeJS.Signals): void;
  /** How it ended. */
  readonly ended: Promise<CommandResult>;
}

/** Starts a command, which may be killed. */
export function startCommand(words: string, env: EnvironmentVariables = {}): StartedCommand {
  const { child, out, err } = spawnProgram(words.split(' '), { ...defaults, ...env });
  return {
    readErrors: () => err.join(''),
    kill: (name) => void child.kill(name),
    ended: once(child, 'close').then(() => ({
      code: child.exitCode,
      out: out.join(''),
      err: err.join(''),
    })),
  };
}

/** Runs a command to its end. */
export const runCommand = (words: string, env: EnvironmentVariables = {}): Promise<CommandResult> =>
  startCommand(words, env).ended;

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** What it said on standard output. */
  readOutput(): string;
  /** What it logged, line by line. */
  listLogs(): string[];
  /** Sends a signal; the exit code, or null when the signal itself ended it. */
  end(name: NodeJS.Signals): Promise<number | null>;
}

/** Rows of a statement, past the service. */
export async function query(connection: pg.ClientConfig, text: string): Promise<Json[]> {
  const client = new pg.Client(connection);
  // A server that ends meanwhile is not an uncaught error.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** DATABASE_URL of a database behind a unix socket. */
export const toDatabaseUrl = ({
  user,
  host,
  port,
  database,
}: {
  user: string;
  host: string;
  port: number;
  database: string;
}): string => `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;

/**
 * Starts `serve` and waits until it says that it serves. A launcher is a command that becomes the
 * program that is appended to it. The program is this build, if no other is given.
 */
export async function startService(
  env: EnvironmentVariables = {},
  launcher: readonly string[] = [],
  program = programPath,
): Promise<ServiceProcess> {
  const { child, out, err } = spawnProgram(['serve'], { ...defaults, ...env }, launcher, program);
  const findAddress = () => /serves on (\S+)/.exec(out.join(''))?.[1];
  await waitUntil('the service serves', () => {
    if (child.exitCode !== null)
      throw new Error(`The service ended with ${child.exitCode}: ${err.join('')}`);
    return findAddress() !== undefined;
  });
  return {
    url: findAddress() ?? '',
    pid: child.pid ?? 0,
    readOutput: () => out.join(''),
    listLogs: () => err.join('').split('\n').slice(0, -1),
    async end(name) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const closed = once(child, 'close');
      child.kill(name);
      await closed;
      return child.exitCode;
    },
  };
}

/** Databases that were made here: DATA_DIR is such a folder, or `data` in it. */
const listClusters = () =>
  folders
    .flatMap((made) => ['', 'data'].map((name) => join(made, name, 'postgres', 'data')))
    .filter((cluster) => existsSync(cluster));

/** Processes of databases under a folder of this file. */
export const listDatabaseProcesses = async (): Promise<number[]> =>
  (await Promise.all(listClusters().map(listPostgres))).flat();

export const isProcessAlive = isAlive;

/** What the databases of this file logged by themselves. */
const readDatabaseLogs = (): string[] =>
  listClusters().flatMap((cluster) => {
    const logs = join(cluster, '..', 'log');
    return readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  });

/**
 * Holds everything that was logged so far to the rule: JSON lines without a repeated member, and
 * none of these texts in any of them, nor in the database's own logs.
 */
export function expectCleanLogs(secrets: readonly string[]): void {
  // The last piece is not a line yet.
  const lines = stderrPieces.flatMap((pieces) => pieces.join('').split('\n').slice(0, -1));
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines)
    expect(parseBody(Buffer.from(line))).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      msg: expect.any(String),
    });
  const all = [...lines, ...readDatabaseLogs().join('').split('\n')];
  for (const secret of [...secrets, ADMIN_KEY]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(all.filter((line) => line.includes(secret))).toEqual([]);
  }
}

afterEachFile(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  for (const pid of await listDatabaseProcesses()) sendSignal(pid, 'SIGKILL');
  for (const folderPath of folders.splice(0))
    rmSync(folderPath, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  stderrPieces.length = 0;
});
