import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Blobs } from '../blobs/blobs.ts';
import { createDiskSpace } from '../blobs/disk-space.ts';
import { createStaging } from '../blobs/staging.ts';
import type { Settings } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { openDatabase } from '../db/database.ts';
import { measureLead } from '../db/database-clock.ts';
import { openListener } from '../db/listener.ts';
import { findMigration, latestMigration } from '../db/migrate.ts';
import { createSemaphore } from '../db/turns/semaphore.ts';
import { watchServer } from '../db/watch-server.ts';
import { registerAgent } from '../features/agents/register-agent.ts';
import { FANOUTS } from '../features/events/rules.ts';
import { watchWaiters } from '../features/events/watch-waiters.ts';
import { type LogSigner, openLog } from '../features/log/open-log.ts';
import { countOpen } from '../features/reports/open-reports.store.ts';
import { createSignIn } from '../features/sign-in/create-sign-in.ts';
import { createHintSender } from '../features/webhooks/send-hints.job.ts';
import { describeKeyFault } from '../features/webhooks/stored-secrets.ts';
import { boundConnections, openPort } from '../http/admission/connections.ts';
import { isLoopback } from '../http/admission/host-check.ts';
import { createHttp } from '../http/http-server.ts';
import { buildOpenApiDocument } from '../http/openapi.ts';
import { createMetrics } from '../http/prometheus-metrics.ts';
import { createClockFollower, followFirst, rightClock } from '../jobs/follow-clock.ts';
import { type Jobs, startJobs } from '../jobs/job-runner.ts';
import { buildServiceJobs } from '../jobs/service-jobs.ts';
import { createSessions } from '../kernel/callers/sessions.ts';
import { createUsage } from '../kernel/callers/usage.ts';
import { type Clock, createCorrectedClock, monotonicClock, systemClock } from '../kernel/clock.ts';
import { sha256 } from '../kernel/crypto/credentials.ts';
import { createSigner, SigningKeyError } from '../kernel/crypto/signer.ts';
import { createDataVault, createVault } from '../kernel/crypto/vault.ts';
import { createHub, isTopic } from '../kernel/hub.ts';
import { createIds, createRandomUuid, type Random, systemRandom } from '../kernel/ids.ts';
import { createBuckets } from '../kernel/limits/buckets.ts';
import { createLoadLimits, unlimitedLoad } from '../kernel/limits/load-limits.ts';
import { createLongReads } from '../kernel/limits/long-reads.ts';
import { createRateLimiter, unlimitedRateLimiter } from '../kernel/limits/rate-limits.ts';
import { createRefusedAnswers } from '../kernel/limits/refused-answers.ts';
import { createSlowSearches } from '../kernel/limits/slow-searches.ts';
import { createStorageQuotas } from '../kernel/limits/storage-quotas.ts';
import {
  createUnlimitedWork,
  createWorkMeter,
  requestWork,
  searchWork,
  type WorkKind,
} from '../kernel/limits/work-meter.ts';
import type { ApiDocument } from '../kernel/operation/api-document.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { createRestWording } from '../kernel/operation/operation-references.ts';
import { eraseOperations } from '../kernel/pipeline/call-handler.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { createExecutor } from '../kernel/pipeline/execute.ts';
import { createGroupCommit } from '../kernel/pipeline/group-commit/group-commit.ts';
import { createShareReads } from '../kernel/pipeline/reads/share-reads.ts';
import { createTwinCalls } from '../kernel/pipeline/twin-calls.ts';
import type { Tracing } from '../kernel/tracing.ts';
import { createToolProtocol } from '../mcp/mcp-protocol.ts';
import { operations } from '../operations.ts';
import { createDial } from '../outgoing/dial.ts';
import { SettingError } from '../setting-parsers.ts';
import { describeInstallation } from './describe-installation.ts';
import { buildNetwork, openBlobs } from './open-resources.ts';

/** The environment in which the service runs. Tests replace parts of it, such as the clock. */
export interface AppOptions {
  readonly connection: Connection;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The store of files, instead of the one that the settings name. */
  readonly blobs?: Blobs;
  /** Collects the metrics of all processes of the service, if there are several. */
  readonly collectAllMetrics?: () => Promise<string>;
  /** Whether to check every answer against its schema. Tests do. */
  readonly checkOutputs?: boolean;
  /**
   * Whether jobs run only when `jobs.runDue` is called. It is for tests that look at everything
   * that is stored.
   */
  readonly manualJobs?: boolean;
  /** Records traces, if they are switched on. The service ends it when it stops. */
  readonly tracing?: Tracing | undefined;
}

/** A running service. Disposing it stops everything that it started. */
export interface App extends AsyncDisposable {
  readonly env: Environment;
  readonly http: FastifyInstance;
  readonly execute: Execute;
  readonly jobs: Jobs;
  /** Opens the port and returns the address of the service for others. */
  listen(): Promise<string>;
}

/**
 * Returns the number of connections of one process. A dozen keep two cores busy. Each process needs
 * two more for `load` and one for LISTEN, and the embedded server allows 340.
 */
const countConnections = (workers: number): number =>
  Math.max(2, Math.min(12, Math.floor(320 / workers) - 3));

/** Milliseconds for what is in hand. `serve` gives the whole stop three seconds more. */
const STOP_MS = 6_000;

/**
 * Connections that the system keeps until the service accepts them. Beyond that it drops them, and
 * clients try again after one, three and seven seconds. Node's default of 511 was full whenever
 * many callers connected at once.
 */
const LISTEN_BACKLOG = 4_096;

/**
 * Asserts that the key of the settings opens the stored secrets of webhooks. Errors: SettingError.
 */
async function assertSecretsReadable(env: Environment): Promise<void> {
  const fault = await describeKeyFault(env);
  if (fault !== null) throw new SettingError('WEBHOOKS_ENCRYPTION_KEY', fault);
}

/**
 * Creates the service from the settings and its environment. This is the only place where its parts
 * are connected.
 */
export function createApp(settings: Settings, world: AppOptions): App {
  const { connection, log, random = systemRandom } = world;
  const correctedClock = createCorrectedClock(systemClock(settings.CLOCK_OFFSET_SECONDS));
  const clock = world.clock ?? correctedClock.now;
  let stopping = false;
  // A service that stops often stops its database as well, whose last words are no news then.
  const logBreak = (what: string) => (error: Error) =>
    log[stopping ? 'debug' : 'warn']({ err: error }, what);
  const db = openDatabase(connection, {
    connections: countConnections(settings.WORKERS),
    now: monotonicClock,
    onError: logBreak('a connection to the database broke'),
    watcher: world.tracing?.watchStatement,
  });
  const clockFollower = world.clock
    ? rightClock
    : createClockFollower(() => measureLead(db, systemClock()), correctedClock, log);
  const newId = createIds(clock);
  // Nothing may have a time in its id before the clock was compared with that of the database.
  const node = createRandomUuid();

  let address: string | null = null;
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  const installation = describeInstallation(
    settings,
    () => settings.BASE_URL ?? address ?? `http://${host}:${settings.PORT}`,
  );

  const hub = createHub((ids) => {
    hints?.noteArrivals(ids.filter((id) => !isTopic(id)));
    // This node runs the job at once. Others look for fan-outs once a second.
    listener.broadcast(ids.filter((id) => id !== FANOUTS));
  });
  const listener = openListener(
    connection,
    db,
    node,
    hub.deliver,
    logBreak('news from other nodes are interrupted'),
  );
  const usage = createUsage(db);
  const buckets = createBuckets(db);
  const meterWork = (kind: WorkKind) =>
    settings.LOAD_LIMITS === 'off'
      ? createUnlimitedWork(monotonicClock)
      : createWorkMeter(monotonicClock, kind);
  const work = meterWork(requestWork);
  const rateLimiter =
    settings.RATE_LIMITS === 'off'
      ? unlimitedRateLimiter
      : createRateLimiter(buckets, settings.RATE_LIMITS);
  const registry = eraseOperations(operations);
  let openApi: ApiDocument | undefined;
  const env: Environment = {
    db,
    groupCommit: createGroupCommit(db, monotonicClock, world.tracing),
    twinCalls: createTwinCalls(),
    blobs: world.blobs ?? openBlobs(settings),
    blobDeletions: createSemaphore(4, { perCaller: 1 }),
    staging: createStaging(join(settings.DATA_DIR, 'files', 'arriving')),
    clock,
    newId,
    random,
    hub,
    shareReads: createShareReads(),
    wokenMutations: createSemaphore(1),
    longReads: createLongReads(work, hub),
    datasetReads: createLongReads(work, hub),
    installation,
    // Serializing and parsing the document leaves plain JSON.
    openApi: () =>
      (openApi ??= JSON.parse(JSON.stringify(buildOpenApiDocument(installation, registry)))),
    signer: createSigner({ db, clock, random, dataKey: settings.DATA_KEY }),
    webhookSecrets: createVault(settings.WEBHOOKS_ENCRYPTION_KEY, random),
    dataSecrets: createDataVault(settings.DATA_KEY, random),
    sessions: createSessions({ db, clock, newId, random, dataKey: settings.DATA_KEY }),
    countOpenReports: () => countOpen(db),
    dial: createDial(buildNetwork(settings)),
    administrators: settings.ADMIN_KEYS.map(sha256),
    rateLimiter,
    storageQuotas: createStorageQuotas(buckets, installation.limits),
    disk: createDiskSpace(settings.DATA_DIR, settings.DISK_FLOOR_BYTES),
    load: settings.LOAD_LIMITS === 'off' ? unlimitedLoad : createLoadLimits(settings.LOAD_LIMITS),
    work,
    searches: meterWork(searchWork),
    slowSearches: createSlowSearches(rateLimiter, monotonicClock),
    refusedAnswers: createRefusedAnswers(),
    usage,
    checkOutputs: world.checkOutputs ?? false,
  };
  const execute = createExecutor(env);
  const hints = settings.features.webhooks
    ? createHintSender(env, {
        hurry: () => jobs.runSoon('send-hints'),
        onError: (error) =>
          log.warn({ err: error }, 'a hint could not be settled and will be sent again'),
      })
    : null;
  const metrics = createMetrics(env, world.collectAllMetrics, hints);
  const checkReady = async () => {
    try {
      const current = await findMigration(db);
      return current >= latestMigration
        ? { ready: true as const }
        : { ready: false as const, reason: 'Migrations are missing. Run: stoa migrate.' };
    } catch {
      return { ready: false as const, reason: 'The store cannot be reached.' };
    }
  };
  const http = createHttp({
    env,
    execute,
    operations: registry,
    tools: createToolProtocol(env, execute, registry),
    signIn: settings.signIn
      ? createSignIn({
          env,
          execute,
          registerAgent: (call) => execute(registerAgent as unknown as Operation, call),
          wording: createRestWording(registry),
        })
      : null,
    log,
    metrics,
    probes: { ready: checkReady },
    checkHost: settings.BASE_URL === null || isLoopback(settings.HOST),
    trustProxy: settings.TRUST_PROXY,
    maxUnanswered:
      settings.LOAD_LIMITS === 'off'
        ? Number.POSITIVE_INFINITY
        : settings.LOAD_LIMITS['requests.connection'],
    isStopping: () => stopping,
    tracing: world.tracing,
  });
  // The log is opened once the address of the service is known, because it is named after that.
  let opened: LogSigner | undefined;
  const getLog = async () => (opened ??= await openLog(env, settings.DATA_KEY));
  const connections = boundConnections(http.server, settings.LOAD_LIMITS, settings.TRUST_PROXY > 0);
  const jobs = startJobs(
    [
      ...followFirst(
        clockFollower,
        buildServiceJobs(env, {
          idempotencyDays: settings.IDEMPOTENCY_DAYS,
          eventDays: settings.EVENT_DAYS,
          isServing: () => address !== null,
          log: getLog,
          onRefused: (refusal) =>
            log.warn(
              { err: refusal },
              'the file store refuses to delete a file; it is tried again',
            ),
        }),
      ),
      ...(hints
        ? [
            { name: 'send-hints', everySeconds: 1, run: hints.runRound },
            { name: 'sweep-hints', everySeconds: 60, run: hints.sweep },
          ]
        : []),
    ],
    log,
    world.manualJobs,
  );
  const unwatch = watchWaiters(db, hub);
  const leaveFanouts = hub.subscribe(FANOUTS, () => jobs.runSoon('tell-subscribers'));
  const watching = watchServer(connection);
  let metricsServer: Server | undefined;

  async function stop(): Promise<void> {
    stopping = true;
    unwatch();
    leaveFanouts();
    watching[Symbol.dispose]();
    hub.close();
    void hints?.close();
    const idle = setInterval(connections.closeIdle, 50);
    // Calls that are still running now end without an answer. Their callers repeat them with their
    // idempotency keys.
    const force = setTimeout(() => {
      http.server.closeAllConnections();
      db.abandon();
    }, STOP_MS);
    await http.close();
    clearInterval(idle);
    metricsServer?.close();
    await jobs[Symbol.asyncDispose]();
    await hints?.close();
    await usage.flush().catch(() => {});
    await listener[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
    await world.tracing?.[Symbol.asyncDispose]();
    clearTimeout(force);
  }

  let stopped: Promise<void> | undefined;
  return {
    env,
    http,
    execute,
    jobs,
    async listen() {
      // The service starts without its store and logs that. It must not start with a key that it
      // cannot open.
      const warnUnlessSealed = (what: string) => (error: unknown) => {
        if (error instanceof SigningKeyError || error instanceof SettingError) throw error;
        log.warn({ err: error }, `${what} could not be read yet`);
      };
      await clockFollower.follow().catch(warnUnlessSealed('the clock of the database'));
      await env.signer.refresh().catch(warnUnlessSealed('the signing key'));
      if (hints)
        await assertSecretsReadable(env).catch(warnUnlessSealed('the secrets of webhooks'));
      // A process that ended earlier may have left hints unsent.
      jobs.runSoon('sweep-hints');
      await http.listen({ host: settings.HOST, port: settings.PORT, backlog: LISTEN_BACKLOG });
      address = `http://${host}:${(http.server.address() as AddressInfo).port}`;
      await getLog().catch(warnUnlessSealed('the log'));
      if (settings.METRICS_PORT > 0 && !world.collectAllMetrics) {
        metricsServer = createServer((_request, response) => {
          void metrics
            .text()
            .then((text) => response.setHeader('content-type', metrics.contentType).end(text));
        });
        await openPort(metricsServer, settings.METRICS_PORT, settings.HOST);
      }
      return installation.baseUrl;
    },
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}
