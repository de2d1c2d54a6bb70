import cluster from 'node:cluster';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from '../app/app.ts';
import type { Settings } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { migrate } from '../db/migrate.ts';
import { version } from '../version.ts';
import { openStore, type Store } from './open-store.ts';
import { createLog } from './service-log.ts';
import { CommandError, sentenceOf } from './describe-error.ts';
import { metricsOfAll, shareMetrics } from './worker-metrics.ts';

const CONNECTION = 'STOA_WORKER_CONNECTION';
const STOP_MS = 9_000;
const REPLACE_MS = 200;

const say = (line = '') => process.stdout.write(`${line}\n`);

function greet(settings: Settings, store: Store, address: string): void {
  say(`Stoa ${version} serves on ${address}`);
  if (store.embedded) {
    const { data, relocated, source, version: server } = store.embedded.location;
    say(`  data folder:      ${resolve(settings.DATA_DIR)}`);
    if (relocated)
      say(`  database:         ${data} (the database's user cannot reach the data folder)`);
    say(`  own PostgreSQL:   ${server} (${source})`);
  } else {
    say('  database:         DATABASE_URL');
  }
  say('  administrator:    npm run stoa -- admin-key create --name <who>');
  say(`  first steps:      ${address}/start, for agents ${address}/llms.txt`);
  say('  stop:             Ctrl-C');
}

/** Resolves with the first signal that asks to stop. Further ones change nothing: the stop takes less than ten seconds. */
async function stopRequested(): Promise<void> {
  await new Promise<void>((done) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => done());
  });
}

async function runWorker(
  settings: Settings,
  connection: Connection,
  log: Logger,
  stop: Promise<void>,
  listening: (address: string) => void,
): Promise<void> {
  const app = createApp(settings, { connection, log, ...(cluster.isWorker && { metricsOfAll }) });
  try {
    listening(await app.listen());
    await stop;
    log.info('stopping');
  } finally {
    await app[Symbol.asyncDispose]();
  }
}

/** What a worker tells the primary process: that it serves, or why it cannot. */
interface Report {
  readonly address?: string;
  readonly failure?: string;
}

/**
 * Runs WORKERS processes that share the port; one that dies is replaced. Resolves when all have stopped.
 * Errors: CommandError when a worker ends before any has served; trying again would not help.
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
  const fork = () => cluster.fork({ [CONNECTION]: JSON.stringify(connection) });
  const failed = new Promise<never>((_, reject) => {
    cluster.on('message', (_worker, { address, failure }: Report) => {
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
        if (serving) fork();
        else reject(new CommandError('A worker ended before it served: see its last words above.'));
      }, REPLACE_MS);
    });
  });
  const shared = await shareMetrics(settings.METRICS_PORT, settings.HOST);
  for (let index = 0; index < settings.WORKERS; index++) fork();
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

/** A worker process: its share of the requests. What a person can mend is told once, by the primary. */
async function serveAsWorker(
  settings: Settings,
  connection: Connection,
  log: Logger,
  stop: Promise<void>,
): Promise<void> {
  const report = (message: Report) => process.send?.(message);
  try {
    await runWorker(settings, connection, log, stop, (address) => report({ address }));
  } catch (error) {
    const failure = sentenceOf(error);
    if (failure === undefined) throw error;
    report({ failure });
    process.exitCode = 1;
  }
  cluster.worker?.disconnect();
}

/** The command `serve`: database, migrations, workers, port; then until a signal; then all of it back. Exit code 0 after a clean stop. */
export async function serve(settings: Settings): Promise<void> {
  const log = createLog(settings);
  const stop = stopRequested();
  const inherited = process.env[CONNECTION];
  if (cluster.isWorker && inherited)
    return await serveAsWorker(settings, JSON.parse(inherited) as Connection, log, stop);
  void stop.then(() => setTimeout(() => process.exit(1), STOP_MS).unref());
  const store = await openStore(
    settings,
    (message, facts) => log.info(facts ?? {}, message),
    false,
  );
  try {
    const ran = await migrate(store.connection);
    if (ran.length) log.info({ migrations: ran }, 'migrated');
    const run = settings.WORKERS > 1 ? runWorkers : runWorker;
    await run(settings, store.connection, log, stop, (address) => greet(settings, store, address));
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
