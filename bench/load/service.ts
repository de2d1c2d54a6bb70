import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type EmbeddedServer, startEmbedded } from '../../src/db/embedded/embedded-server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const programPath = join(root, 'dist/src/main.js');

/** Where services and what is kept between runs are: on a real disk, and not in memory. */
export const dataFolder = join(root, 'data');

/** The built service, started like in production, with a database of its own. */
export interface BenchService extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly adminKey: string;
  /** The folder of its files, which is deleted at the end. */
  readonly folder: string;
  readonly database: EmbeddedServer;
}

/** The flags that `npm start` passes to Node.js. */
const flags =
  (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  ).scripts.start.match(/--\S+/g) ?? [];

/** The environment without DATABASE_URL and any other setting of this shell. */
export const environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

/** Waits for the address that the service prints. */
async function readAddress(child: ChildProcess, log: string): Promise<string> {
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, address] = /serves on (\S+)/.exec(line) ?? [];
      if (address) return address;
    }
  }
  throw new Error(`The service did not start, see ${log}: ${readFileSync(log, 'utf8')}`);
}

/** Starts a built service and waits until it is ready. */
async function launchService(
  main: string,
  log: string,
  settings: Record<string, string>,
  moreFlags: readonly string[] = [],
) {
  const stderr = openSync(log, 'w');
  const child = spawn(process.execPath, [...flags, ...moreFlags, main, 'serve'], {
    env: { ...environment, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', stderr],
  });
  closeSync(stderr);
  const exit = once(child, 'exit');
  // The service must end with the bench, however that ends.
  process.once('exit', () => child.kill());
  const url = await readAddress(child, log);
  child.stdout?.resume();
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  return { pid: child.pid ?? 0, url, stop };
}

/** Which program is started, if it is not this build as `npm start` does. */
export interface ServiceVariant {
  readonly main?: string | undefined;
  /** Flags of Node.js besides those of `npm start`. */
  readonly flags?: readonly string[] | undefined;
}

/**
 * Starts the service in a new folder under the project's `data`, which is on a real disk and not in
 * memory. `settings` are additional settings.
 */
export async function startService(
  settings: Record<string, string> = {},
  { main = programPath, flags: moreFlags = [] }: ServiceVariant = {},
): Promise<BenchService> {
  await mkdir(dataFolder, { recursive: true });
  const folder = await mkdtemp(join(dataFolder, 'bench-'));
  const adminKey = `bench_${randomBytes(32).toString('base64url')}`;
  const dataDir = join(folder, 'data');
  const given = { ...settings, DATA_DIR: dataDir, ADMIN_KEYS: adminKey };
  const log = join(folder, 'service.log');
  const { pid, url, stop } = await launchService(main, log, given, moreFlags);
  const database = await startEmbedded({ dataDir, log: () => {}, attach: true });
  return {
    pid,
    url,
    adminKey,
    folder,
    database,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
      if (database.location.relocated)
        await rm(dirname(database.location.data), { recursive: true, force: true });
    },
  };
}

/**
 * Starts the service in a folder that is kept between runs, because what is in it takes long to
 * make. `readyMs` is how long the service took to be ready.
 */
export async function startKept(
  name: string,
  settings: Record<string, string> = {},
): Promise<BenchService & { readonly readyMs: number }> {
  const folder = join(dataFolder, `kept-${name}`);
  await mkdir(folder, { recursive: true });
  const dataDir = join(folder, 'data');
  const adminKey = `bench_${createHash('sha256').update(name).digest('base64url')}`;
  const given = { ...settings, DATA_DIR: dataDir, ADMIN_KEYS: adminKey };
  const began = performance.now();
  const { pid, url, stop } = await launchService(programPath, join(folder, 'service.log'), given);
  const readyMs = performance.now() - began;
  const database = await startEmbedded({ dataDir, log: () => {}, attach: true });
  return { pid, url, adminKey, folder, database, readyMs, [Symbol.asyncDispose]: stop };
}

/** Starts the service on an installation that exists. */
export async function resumeService(settings: Record<string, string> & { DATA_DIR: string }) {
  const log = join(dirname(settings.DATA_DIR), 'resumed.log');
  const started = await launchService(programPath, log, settings);
  const { DATA_DIR: dataDir } = settings;
  const database = await startEmbedded({ dataDir, log: () => {}, attach: true });
  return { ...started, database };
}

/** Starts a second service on the database of the first one, with other settings and flags. */
export async function startSecond(
  { folder, adminKey, database }: BenchService,
  name: string,
  settings: Record<string, string>,
  flags: readonly string[] = [],
): Promise<AsyncDisposable & { readonly pid: number; readonly url: string }> {
  const { host, port, user, database: base } = database.connection;
  const address = `postgres://${user}@localhost:${port}/${base}?host=${encodeURIComponent(host)}`;
  const DATA_DIR = join(folder, name);
  await mkdir(DATA_DIR, { recursive: true });
  const { stop, ...started } = await launchService(
    programPath,
    join(DATA_DIR, 'service.log'),
    { DATABASE_URL: address, ADMIN_KEYS: adminKey, DATA_DIR, ...settings },
    flags,
  );
  return { ...started, [Symbol.asyncDispose]: stop };
}

/** Runs a command of the built program to its end. */
export async function runProgram(
  words: readonly string[],
  settings: Record<string, string>,
  main = programPath,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [main, ...words], {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

/** A replacement in the text of the built program. */
export interface ProgramEdit {
  /** The path of the file under `dist/src`. */
  readonly file: string;
  readonly from: RegExp;
  readonly to: string;
}

/**
 * Starts a second service on the database of the first one, from the same program with these edits.
 * The difference between them is the cost of the edited part.
 * Errors: Error when an edit does not match the program.
 */
export async function startVariant(
  { folder, adminKey, database }: BenchService,
  name: string,
  edits: readonly ProgramEdit[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const copy = join(folder, name);
  await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  for (const { file, from, to } of edits) {
    const path = join(copy, 'dist/src', file);
    const text = await readFile(path, 'utf8');
    if (!from.test(text))
      throw new Error(`Nothing in ${file} matches ${from}: update this edit of the bench.`);
    await writeFile(path, text.replace(from, to));
  }
  const {
    host,
    port,
    user,
    database: base,
  } = database.connection as { host: string; port: number; user: string; database: string };
  const address = `postgres://${user}@localhost:${port}/${base}?host=${encodeURIComponent(host)}`;
  const settings = { DATA_DIR: join(copy, 'data'), DATABASE_URL: address, ADMIN_KEYS: adminKey };
  const { url, stop } = await launchService(
    join(copy, 'dist/src/main.js'),
    join(copy, 'service.log'),
    settings,
  );
  return { url, [Symbol.asyncDispose]: stop };
}

/**
 * Imports a file with the command `import`, and returns its table.
 * Errors: Error with the output of an import that fails.
 */
export async function importFile(
  { url, adminKey, folder }: BenchService,
  file: string,
): Promise<string> {
  const flags = ['--url', url, '--state', join(folder, 'import-state')];
  const child = spawn(process.execPath, [programPath, 'import', file, ...flags], {
    env: { ...environment, STOA_ADMIN_KEY: adminKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The import failed: ${output}`);
  return output.trimEnd();
}
