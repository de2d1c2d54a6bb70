import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../config.ts';
import { watchServer } from '../db/watch-server.ts';
import { registerAgent } from '../features/agents/register-agent.ts';
import { FANOUTS } from '../features/events/rules.ts';
import { watchWaiters } from '../features/events/watch-waiters.ts';
import { type LogSigner, openLog } from '../features/log/open-log.ts';
import { createSignIn } from '../features/sign-in/create-sign-in.ts';
import { createHintSender } from '../features/webhooks/send-hints.job.ts';
import { describeKeyFault } from '../features/webhooks/stored-secrets.ts';
import { boundConnections } from '../http/admission/connections.ts';
import { isLoopback } from '../http/admission/host-check.ts';
import { boundUnfinishedHeads } from '../http/admission/unfinished-heads.ts';
import { createHttp } from '../http/http-server.ts';
import { openMetricsPort } from '../http/metrics/metrics-port.ts';
import { createMetrics } from '../http/metrics/prometheus-metrics.ts';
import { followFirst } from '../jobs/follow-clock.ts';
import { type Jobs, startJobs } from '../jobs/job-runner.ts';
import { buildServiceJobs } from '../jobs/service-jobs.ts';
import { SigningKeyError } from '../kernel/crypto/signer.ts';
import type { Operation } from '../kernel/operation/operation.ts';
import { createRestWording } from '../kernel/operation/operation-references.ts';
import { eraseOperations } from '../kernel/pipeline/call-handler.ts';
import type { Environment, Execute } from '../kernel/pipeline/environment.ts';
import { createExecutor } from '../kernel/pipeline/execute.ts';
import { createToolProtocol } from '../mcp/mcp-protocol.ts';
import { operations } from '../operations.ts';
import { SettingError } from '../setting-parsers.ts';
import type { AppOptions } from './app-options.ts';
import { checkReady } from './check-ready.ts';
import { createEnvironment } from './create-environment.ts';

/** A running service. Disposing it stops everything that it started. */
export interface App extends AsyncDisposable {
  readonly env: Environment;
  readonly http: FastifyInstance;
  readonly execute: Execute;
  readonly jobs: Jobs;
  /** Opens the port and returns the address of the service for others. */
  listen(): Promise<string>;
}

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
  const { connection, log } = world;
  let stopping = false;
  // A service that stops often stops its database as well, whose last words are no news then.
  const logBreak = (what: string) => (error: Error) =>
    log[stopping ? 'debug' : 'warn']({ err: error }, what);
  let address: string | null = null;
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  const registry = eraseOperations(operations);
  const { env, clockFollower, listener } = createEnvironment(settings, world, {
    registry,
    getBaseUrl: () => settings.BASE_URL ?? address ?? `http://${host}:${settings.PORT}`,
    onArrivals: (agentIds) => hints?.noteArrivals(agentIds),
    logBreak,
  });
  const { db, hub } = env;
  const execute = createExecutor(env);
  const hints = settings.features.webhooks
    ? createHintSender(env, {
        hurry: () => jobs.runSoon('send-hints'),
        onError: (error) =>
          log.warn({ err: error }, 'a hint could not be settled and will be sent again'),
      })
    : null;
  const metrics = createMetrics(env, world.collectAllMetrics, hints);
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
    probes: { ready: () => checkReady(db) },
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
  boundUnfinishedHeads(http.server);
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
    await Promise.allSettled([env.usage.flush(), env.sessions.flush()]);
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
      if (settings.METRICS_PORT > 0 && !world.collectAllMetrics)
        metricsServer = await openMetricsPort(metrics, settings.METRICS_PORT, settings.HOST);
      return env.installation.baseUrl;
    },
    [Symbol.asyncDispose]: () => (stopped ??= stop()),
  };
}
