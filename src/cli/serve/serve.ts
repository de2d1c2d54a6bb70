import cluster from 'node:cluster';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Settings } from '../../config.ts';
import { version } from '../../kernel/package-file.ts';
import { CommandError, describeError } from '../describe-error.ts';
import { migrateStore, type OpenStore, openStore } from '../open-store.ts';
import { buildCommand } from './build-command.ts';
import { checkPorts } from './check-ports.ts';
import { chooseServingAccount } from './drop-root.ts';
import { createLog } from './service-log.ts';
import type { Serving } from './worker.ts';
import { serveSharedMetrics } from './worker-metrics.ts';

const CONNECTION = 'STOA_WORKER_CONNECTION';
const STOP_MS = 9_000;
const REPLACE_MS = 200;

/** The program that answers requests takes a processor a second to load. */
const loadWorker = () => import('./worker.ts');

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
async function runWorkers({ settings, connection, log, stop, listening }: Serving): Promise<void> {
  let stopping = false;
  let serving = false;
  const forkWorker = () => {
    // Who answers requests has no use for the role that migrates.
    const environment = { [CONNECTION]: JSON.stringify(connection), DATABASE_OWNER_URL: undefined };
    const worker = cluster.fork(environment);
    // A message to a worker that just died fails with EPIPE. Without a listener, that error would
    // end the primary and all other workers. `exit` replaces the one that died.
    worker.on('error', (err) => log.warn({ worker: worker.id, err }, 'a worker was not reached'));
  };
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
async function serveAsWorker(serving: Omit<Serving, 'listening'>): Promise<void> {
  const sendReport = (message: WorkerReport) => process.send?.(message);
  try {
    const { runWorker } = await loadWorker();
    await runWorker({ ...serving, listening: (address) => sendReport({ address }) });
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
    return await serveAsWorker({ settings, connection: JSON.parse(inherited), log, stop });
  void stop.then(() => setTimeout(() => process.exit(1), STOP_MS).unref());
  await checkPorts(settings);
  const isAlone = settings.WORKERS === 1;
  // What fails here fails again below.
  const loadMeanwhile = async () => {
    if (isAlone) await loadWorker().catch(() => {});
  };
  const report = (message: string, facts?: object) => log.info(facts ?? {}, message);
  const store = await openStore(settings, report, false, loadMeanwhile);
  try {
    const ran = await migrateStore(store, settings, { report });
    if (ran.length) log.info({ migrations: ran }, 'migrated');
    const choice = await chooseServingAccount(settings, store.embedded?.location.user ?? null);
    const account = choice && 'account' in choice ? choice.account : null;
    if (account) cluster.setupPrimary({ uid: account.uid, gid: account.gid });
    const run = isAlone && !account ? (await loadWorker()).runWorker : runWorkers;
    const listening = (address: string) => {
      printGreeting(settings, store, address);
      if (account) log.info({ user: account.name }, 'an unprivileged user answers requests');
      if (choice && 'reason' in choice) log.warn({ todo: choice.reason }, 'the service stays root');
    };
    await run({ settings, connection: store.connection, log, stop, listening });
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
