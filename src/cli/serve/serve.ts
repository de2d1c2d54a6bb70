import cluster from 'node:cluster';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from '../../app/app.ts';
import type { Settings } from '../../config.ts';
import type { Connection } from '../../db/connection.ts';
import { version } from '../../kernel/package-file.ts';
import { CommandError, describeError } from '../describe-error.ts';
import { migrateStore, type OpenStore, openStore } from '../open-store.ts';
import { buildCommand } from './build-command.ts';
import { checkPorts } from './check-ports.ts';
import { chooseServingAccount } from './drop-root.ts';
import { openConfiguredTracing } from './open-configured-tracing.ts';
import { createLog } from './service-log.ts';
import { collectMetrics, serveSharedMetrics } from './worker-metrics.ts';

const CONNECTION = 'STOA_WORKER_CONNECTION';
const STOP_MS = 9_000;
const REPLACE_MS = 200;

const writeLine = (line = '') => process.stdout.write(`${line}\n`);

function printGreeting(settings: Settings, store: OpenStore, address: string): void {
  writeLine(`Stoa ${version} serves on ${address}`);
  if (store.embedded) {
    const { data, relocated, source, version: server } = store.embedded.location;
    writeLine(`  data folder:      ${resolve(settings.DATA_DIR)}`);
    if (relocated)
      writeLine(`  database:         ${data} (the database's user cannot reach the data folder)`);
    writeLine(`  own PostgreSQL:   ${server} (${source})`);
  } else {
    writeLine('  database:         DATABASE_URL');
  }
  writeLine(`  administrator:    ${buildCommand(settings)} admin-key create --name <who>`);
  writeLine(`  first steps:      ${address}/start, for agents ${address}/llms.txt`);
  writeLine('  stop:             Ctrl-C');
}

/**
 * Resolves on the first signal to stop, or when the terminal is closed. Further signals are
 * ignored, because stopping takes less than ten seconds.
 */
async function waitForStop(): Promise<void> {
  await new Promise<void>((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => done());
  });
}

async function runWorker(
  settings: Settings,
  connection: Connection,
  log: Logger,
  stop: Promise<void>,
  listening: (address: string) => void,
): Promise<void> {
  const app = createApp(settings, {
    connection,
    log,
    ...(cluster.isWorker && { collectAllMetrics: collectMetrics }),
    tracing: await openConfiguredTracing(settings, log),
  });
  try {
    listening(await app.listen());
    await stop;
    log.info('stopping');
  } finally {
    await app[Symbol.asyncDispose]();
  }
}

/**
 * The report of a worker to the primary process: its address, or the reason why it cannot serve.
 */
interface WorkerReport {
  readonly address?: string;
  readonly failure?: string;
}

/**
 * Runs WORKERS processes that share the port, and replaces one that dies. Resolves when all have
 * stopped.
 * Errors: CommandError when a worker ends before any has served, because another attempt would not
 * help.
 */
async function runWorkers(
  settings: Settings,
  connection: Connection,
  log: Logger,
  stop: Promise<void>,
  listening: (address: string) => void,
): Promise<void> {
  let stopping = false;
  let serving = false;
  const forkWorker = () => cluster.fork({ [CONNECTION]: JSON.stringify(connection) });
  const failed = new Promise<never>((_, reject) => {
    cluster.on('message', (_worker, { address, failure }: WorkerReport) => {
      if (serving) return;
      if (failure !== undefined) reject(new CommandError(failure));
      if (address === undefined) return;
      serving = true;
      listening(address);
    });
    cluster.on('exit', (worker, code) => {
      if (stopping) return;
      if (serving) log.error({ worker: worker.id, code }, 'a worker ended and is replaced');
      setTimeout(() => {
        if (stopping) return;
        if (serving) forkWorker();
        else reject(new CommandError('A worker ended before it served: see its last words above.'));
      }, REPLACE_MS);
    });
  });
  const shared = await serveSharedMetrics(settings.METRICS_PORT, settings.HOST);
  for (let index = 0; index < settings.WORKERS; index++) forkWorker();
  try {
    await Promise.race([stop, failed]);
  } finally {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill('SIGTERM');
    shared?.close();
    await Promise.all(ended);
  }
}

/**
 * Serves requests in a worker process. An error that a person can correct is reported to the
 * primary process, which prints it once.
 */
async function serveAsWorker(
  settings: Settings,
  connection: Connection,
  log: Logger,
  stop: Promise<void>,
): Promise<void> {
  const sendReport = (message: WorkerReport) => process.send?.(message);
  try {
    await runWorker(settings, connection, log, stop, (address) => sendReport({ address }));
  } catch (error) {
    const failure = describeError(error);
    if (failure === undefined) throw error;
    sendReport({ failure });
    process.exitCode = 1;
  }
  cluster.worker?.disconnect();
}

/**
 * The command `serve`: starts the database, migrates it, starts the workers and opens the port.
 * After a signal it stops all of them. The exit code is 0 after a clean stop.
 */
export async function serve(settings: Settings): Promise<void> {
  const log = createLog(settings);
  const stop = waitForStop();
  const inherited = process.env[CONNECTION];
  if (cluster.isWorker && inherited)
    return await serveAsWorker(settings, JSON.parse(inherited) as Connection, log, stop);
  void stop.then(() => setTimeout(() => process.exit(1), STOP_MS).unref());
  await checkPorts(settings);
  const store = await openStore(
    settings,
    (message, facts) => log.info(facts ?? {}, message),
    false,
  );
  try {
    const ran = await migrateStore(store, settings, { report: (text) => log.info({}, text) });
    if (ran.length) log.info({ migrations: ran }, 'migrated');
    const serving = await chooseServingAccount(settings, store.embedded?.location.user ?? null);
    const account = serving && 'account' in serving ? serving.account : null;
    if (account) cluster.setupPrimary({ uid: account.uid, gid: account.gid });
    const run = settings.WORKERS > 1 || account ? runWorkers : runWorker;
    await run(settings, store.connection, log, stop, (address) => {
      printGreeting(settings, store, address);
      if (account) log.info({ user: account.name }, 'an unprivileged user answers requests');
      if (serving && 'reason' in serving)
        log.warn({ todo: serving.reason }, 'the service stays root');
    });
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
