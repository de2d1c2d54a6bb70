import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Blobs } from './blobs/blobs.ts';
import { localBlobs } from './blobs/local.ts';
import { s3Blobs } from './blobs/s3.ts';
import { createStaging } from './blobs/staging.ts';
import { SettingError, type Settings } from './config.ts';
import type { Connection } from './db/connection.ts';
import { type Database, openDatabase } from './db/database.ts';
import { openListener } from './db/listener.ts';
import { latest, migrationOf } from './db/migrate.ts';
import { preferring } from './db/replica.ts';
import { closeRounds } from './features/adjudication/close-rounds.job.ts';
import { removeThreads } from './features/admin/remove-threads.job.ts';
import { tellSubscribers } from './features/events/fan-out.job.ts';
import * as events from './features/events/store.ts';
import { MAX_FILES } from './features/files/rules.ts';
import { removeExpired } from './features/guest-context/remove-expired.job.ts';
import { integrate } from './features/log/integrate.job.ts';
import { type Log, openLog } from './features/log/open-log.ts';
import { createSweep } from './features/log/sweep.job.ts';
import { MAX_MENTIONS } from './features/messages/mentions.ts';
import { MAX_BODY_BYTES } from './features/messages/rules.ts';
import { expireOffer } from './features/offers/expire-offers.job.ts';
import { fillIndex } from './features/search/fill-index.job.ts';
import { foldWords } from './features/search/store.ts';
import { expireTask } from './features/tasks/expire-tasks.job.ts';
import { settleDecided } from './features/tasks/settle-decided.job.ts';
import { createHintSender } from './features/webhooks/send-hints.job.ts';
import { faultOfKey } from './features/webhooks/stored-secrets.ts';
import { idleCloser, openPort } from './http/connections.ts';
import { createMetrics } from './http/metrics.ts';
import { openApiDocument } from './http/openapi.ts';
import { createHttp } from './http/server.ts';
import { type Jobs, startJobs } from './jobs/runner.ts';
import { serviceJobs } from './jobs/service-jobs.ts';
import type { AnyOperation } from './kernel/any-operation.ts';
import type { ApiDocument } from './kernel/api-document.ts';
import { type Clock, iso, systemClock } from './kernel/clock.ts';
import { sha256 } from './kernel/credentials.ts';
import { createDial } from './kernel/dial.ts';
import type { Environment, Execute } from './kernel/environment.ts';
import { createExecutor } from './kernel/execute.ts';
import { createHub, type Hub } from './kernel/hub.ts';
import { createIds, type Random, systemRandom } from './kernel/ids.ts';
import type { Installation } from './kernel/installation.ts';
import { createRateLimiter, unlimited } from './kernel/rate-limits.ts';
import { createSessions } from './kernel/sessions.ts';
import { createShare } from './kernel/share.ts';
import { createSigner, SigningKeyError } from './kernel/signer.ts';
import { testNetwork } from './kernel/test-network.ts';
import { createUsage } from './kernel/usage.ts';
import { createSafe, createVault } from './kernel/vault.ts';
import { createToolProtocol } from './mcp/protocol.ts';
import { operations } from './operations.ts';
import { version } from './version.ts';

/** The outside world as the service sees it; tests bring their own clock. */
export interface World {
  readonly connection: Connection;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Instead of the store that the settings name. */
  readonly blobs?: Blobs;
  /** Metrics of all processes of this service, where this is one of several. */
  readonly metricsOfAll?: () => Promise<string>;
  /** Holds every answer to its schema; for tests. */
  readonly checkOutputs?: boolean;
  /** Jobs run only when they are told to (`jobs.runDue`); for tests that look at everything that is stored. */
  readonly jobsByHand?: boolean;
}

/** A running service. Disposing it stops everything that it started. */
export interface App extends AsyncDisposable {
  readonly env: Environment;
  readonly http: FastifyInstance;
  readonly execute: Execute;
  readonly jobs: Jobs;
  /** Opens the port. Returns the address that it gives to others. */
  listen(): Promise<string>;
}

/** A dozen connections keep two cores busy. Two for `load` and one for news come on top; the embedded server has 340. */
const connectionsOf = (workers: number): number => Math.max(2, Math.min(12, Math.floor(320 / workers) - 3));

const WAIT_CHECK_MS = 1_000;
const STOP_MS = 7_000;

function describeInstallation(settings: Settings, baseUrl: () => string): Installation {
  return {
    service: settings.SERVICE_NAME,
    version,
    realm: settings.REALM,
    get baseUrl() {
      return baseUrl();
    },
    selfServiceActivation: settings.SELF_SERVICE_ACTIVATION,
    issuance: settings.ISSUANCE_ENABLED,
    dispatch: settings.DISPATCH_ENABLED,
    features: settings.features,
    mcpRegistryAuth: settings.MCP_REGISTRY_AUTH,
    securityContacts: settings.SECURITY_CONTACT,
    limits: {
      jsonBodyBytes: 512 * 1024,
      messageBytes: MAX_BODY_BYTES,
      fileBytes: settings.FILE_BYTES,
      filesPerMessage: MAX_FILES,
      keysPerAgent: 20,
      pageSize: 100,
      idempotencyDays: settings.IDEMPOTENCY_DAYS,
      mentionsPerMessage: MAX_MENTIONS,
      guestContextKeys: settings.GUEST_CONTEXT_KEYS,
      guestContextBytes: settings.GUEST_CONTEXT_BYTES,
    },
    rates: settings.RATE_LIMITS === 'off' ? {} : settings.RATE_LIMITS,
  };
}

/** The store of files that the settings name. Nothing is made or asked before it is used. */
export function openBlobs({ DATA_DIR, FILE_STORE, S3_ENDPOINT, ...aws }: Settings): Blobs {
  if (FILE_STORE === null) return localBlobs(join(DATA_DIR, 'files', 'stored'));
  return s3Blobs({
    ...FILE_STORE,
    region: aws.AWS_REGION,
    endpoint: S3_ENDPOINT,
    accessKeyId: aws.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: aws.AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: aws.AWS_SESSION_TOKEN,
  });
}

/** The network that hints go out to; a test realm may have its own names and authority. Errors: SettingError. */
function networkOf({ TEST_DIAL, TEST_CA }: Settings) {
  if (TEST_DIAL === null && TEST_CA === null) return undefined;
  try {
    return testNetwork(TEST_DIAL ?? [], TEST_CA === null ? [] : [readFileSync(TEST_CA, 'utf8')]);
  } catch {
    throw new SettingError('TEST_CA', `must be a file with certificates in PEM form that can be read, not "${TEST_CA}".`);
  }
}

/** Errors: SettingError when secrets of webhooks are stored that the key of the settings does not open. */
async function assertSecretsReadable(env: Environment): Promise<void> {
  const fault = await faultOfKey(env);
  if (fault !== null) throw new SettingError('WEBHOOKS_ENCRYPTION_KEY', fault);
}

/** Looks by itself, once a second, whether those who wait have news: a notice between nodes may be lost. */
function watchWaiters(db: Database, hub: Hub): () => void {
  const seen = new Map<string, number>();
  const timer = setInterval(async () => {
    const waiting = hub.waiting();
    const present = new Set(waiting);
    for (const id of seen.keys()) if (!present.has(id)) seen.delete(id);
    if (waiting.length === 0) return;
    const rows = await events.heads(db, waiting).catch(() => []);
    const news = rows.filter(({ agentId, head }) => (seen.get(agentId) ?? head) < head || !seen.has(agentId));
    for (const { agentId, head } of rows) seen.set(agentId, head);
    hub.deliver(news.map(({ agentId }) => agentId));
  }, WAIT_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Puts the service together: settings and a world in, a service out. Nothing else in the code makes these connections. */
export function createApp(settings: Settings, world: World): App {
  const { connection, log, random = systemRandom } = world;
  const clock = world.clock ?? systemClock(settings.CLOCK_OFFSET_SECONDS);
  const db = openDatabase(connection, {
    connections: connectionsOf(settings.WORKERS),
    onError: (error) => log.warn({ err: error }, 'a connection to the database broke'),
  });
  const replica = settings.DATABASE_REPLICA_URL === null ? null : openDatabase({ connectionString: settings.DATABASE_REPLICA_URL }, { connections: 4 });
  const newId = createIds(clock);
  const node = newId();

  let address: string | null = null;
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  const installation = describeInstallation(settings, () => settings.BASE_URL ?? address ?? `http://${host}:${settings.PORT}`);

  const hub = createHub((ids) => {
    hints?.arrived(ids);
    listener.broadcast(ids);
  });
  const listener = openListener(connection, db, node, hub.deliver, (error) => log.warn({ err: error }, 'news from other nodes are interrupted'));
  const usage = createUsage(db);
  const registry = operations as unknown as readonly AnyOperation[];
  let openApi: ApiDocument | undefined;
  const env: Environment = {
    db,
    replica: replica ? preferring(replica, db) : db,
    share: createShare(db),
    blobs: world.blobs ?? openBlobs(settings),
    staging: createStaging(join(settings.DATA_DIR, 'files', 'arriving')),
    clock,
    newId,
    random,
    hub,
    installation,
    // By way of its text: what is left is plain.
    openApi: () => (openApi ??= JSON.parse(JSON.stringify(openApiDocument(installation, registry)))),
    signer: createSigner({ db, clock, random, dataKey: settings.DATA_KEY }),
    vault: createVault(settings.WEBHOOKS_ENCRYPTION_KEY, random),
    safe: createSafe(settings.DATA_KEY, random),
    sessions: createSessions({ db, clock, random, dataKey: settings.DATA_KEY }),
    dial: createDial(networkOf(settings)),
    administrators: settings.ADMIN_KEYS.map(sha256),
    rateLimiter: settings.RATE_LIMITS === 'off' ? unlimited : createRateLimiter(db, settings.RATE_LIMITS),
    usage,
    checkOutputs: world.checkOutputs ?? false,
  };
  const execute = createExecutor(env);
  const hints = settings.features.webhooks
    ? createHintSender(env, {
        hurry: () => jobs.hurry('send-hints'),
        onError: (error) => log.warn({ err: error }, 'a hint could not be settled and will be sent again'),
      })
    : null;
  const metrics = createMetrics(env, world.metricsOfAll, hints);
  let stopping = false;
  const ready = async () => {
    try {
      const current = await migrationOf(db);
      return current >= latest ? { ready: true as const } : { ready: false as const, reason: 'Migrations are missing. Run: stoa migrate.' };
    } catch {
      return { ready: false as const, reason: 'The store cannot be reached.' };
    }
  };
  const http = createHttp({
    env,
    execute,
    operations: registry,
    tools: createToolProtocol(env, execute, registry),
    log,
    metrics,
    probes: { ready },
    trustProxy: settings.TRUST_PROXY,
    isStopping: () => stopping,
  });
  // Made once it is known where the service is: the log is named after that.
  let opened: Log | undefined;
  const theLog = async () => (opened ??= await openLog(env, settings.DATA_KEY));
  const closeIdle = idleCloser(http.server);
  const jobs = startJobs(
    [
      ...serviceJobs(env, settings.IDEMPOTENCY_DAYS, () => tellSubscribers(db)),
      { name: 'remove-guest-entries', everySeconds: 60, run: () => removeExpired(db, iso(clock())) },
      { name: 'close-rounds', everySeconds: 1, run: async () => address !== null && closeRounds(env) },
      { name: 'expire-offers', everySeconds: 1, run: () => expireOffer(env) },
      { name: 'expire-tasks', everySeconds: 1, run: () => expireTask(env) },
      { name: 'settle-decided', everySeconds: 1, run: () => settleDecided(env) },
      { name: 'remove-threads', everySeconds: 1, run: () => removeThreads(db) },
      { name: 'fill-search', everySeconds: 10, run: () => fillIndex(db) },
      { name: 'fold-search', everySeconds: 1, run: () => foldWords(db) },
      { name: 'integrate-log', everySeconds: 0.25, run: async () => address !== null && integrate(env, await theLog()) },
      { name: 'sweep-log', everySeconds: 30, run: async () => address !== null && sweep() },
      ...(hints
        ? [
            { name: 'send-hints', everySeconds: 1, run: hints.round },
            { name: 'sweep-hints', everySeconds: 60, run: hints.sweep },
          ]
        : []),
      { name: 'refresh-signing-key', everySeconds: 3, run: () => env.signer.refresh().then(() => false) },
    ],
    log,
    world.jobsByHand,
  );
  const sweep = createSweep(env);
  const unwatch = watchWaiters(db, hub);
  let metricsServer: Server | undefined;

  async function stop(): Promise<void> {
    stopping = true;
    unwatch();
    hub.close();
    void hints?.close();
    const idle = setInterval(closeIdle, 50);
    // What has not ended by now ends without an answer; its caller repeats it with its idempotency key.
    const force = setTimeout(() => {
      http.server.closeAllConnections();
      db.abandon();
      replica?.abandon();
    }, STOP_MS);
    await http.close();
    clearInterval(idle);
    metricsServer?.close();
    await jobs[Symbol.asyncDispose]();
    await hints?.close();
    await usage.flush().catch(() => {});
    await listener[Symbol.asyncDispose]();
    await replica?.[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
    clearTimeout(force);
  }

  let stopped: Promise<void> | undefined;
  return {
    env,
    http,
    execute,
    jobs,
    async listen() {
      // Without its store the service starts all the same, and says so; with a key that it cannot open it must not.
      const unlessSealed = (what: string) => (error: unknown) => {
        if (error instanceof SigningKeyError || error instanceof SettingError) throw error;
        log.warn({ err: error }, `${what} could not be read yet`);
      };
      await env.signer.refresh().catch(unlessSealed('the signing key'));
      if (hints) await assertSecretsReadable(env).catch(unlessSealed('the secrets of webhooks'));
      // Whatever process ended here may have had something to tell.
      jobs.hurry('sweep-hints');
      await http.listen({ host: settings.HOST, port: settings.PORT });
      address = `http://${host}:${(http.server.address() as AddressInfo).port}`;
      await theLog().catch(unlessSealed('the log'));
      if (settings.METRICS_PORT > 0 && !world.metricsOfAll) {
        metricsServer = createServer((_request, response) => {
          void metrics.text().then((text) => response.setHeader('content-type', metrics.contentType).end(text));
        });
        await openPort(metricsServer, settings.METRICS_PORT, settings.HOST);
      }
      return installation.baseUrl;
    },
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}
