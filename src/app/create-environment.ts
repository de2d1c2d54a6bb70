import { join } from 'node:path';
import { createDiskSpace } from '../blobs/disk-space.ts';
import { createStaging } from '../blobs/staging.ts';
import type { Settings } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { measureLead } from '../db/database-clock.ts';
import { type Listener, openListener } from '../db/listener.ts';
import { createSemaphore } from '../db/turns/semaphore.ts';
import { FANOUTS } from '../features/events/rules.ts';
import { countOpen } from '../features/reports/open-reports.store.ts';
import { buildOpenApiDocument } from '../http/openapi.ts';
import { type ClockFollower, createClockFollower, rightClock } from '../jobs/follow-clock.ts';
import { createSessions } from '../kernel/callers/sessions.ts';
import { createUsage } from '../kernel/callers/usage.ts';
import { createCorrectedClock, monotonicClock, systemClock } from '../kernel/clock.ts';
import { sha256 } from '../kernel/crypto/credentials.ts';
import { createSigner } from '../kernel/crypto/signer.ts';
import { createDataVault, createVault } from '../kernel/crypto/vault.ts';
import { createEventLoopTurns } from '../kernel/event-loop-turns.ts';
import { createHub, isTopic } from '../kernel/hub.ts';
import { createIds, createRandomUuid, systemRandom } from '../kernel/ids.ts';
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
import { memoize } from '../kernel/memoize.ts';
import type { AnyOperation } from '../kernel/operation/any-operation.ts';
import type { ApiDocument } from '../kernel/operation/api-document.ts';
import type { MayKnow } from '../kernel/operation/operation.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { createGroupCommit } from '../kernel/pipeline/group-commit/group-commit.ts';
import { createAskTogether } from '../kernel/pipeline/reads/ask-together.ts';
import { createShareReads } from '../kernel/pipeline/reads/share-reads.ts';
import { createTwinCalls } from '../kernel/pipeline/twin-calls.ts';
import { createUsedTime } from '../kernel/used-time.ts';
import { createDial } from '../outgoing/dial.ts';
import type { AppOptions } from './app-options.ts';
import { describeInstallation } from './describe-installation.ts';
import { buildNetwork, openBlobs } from './open-resources.ts';

/** What the environment needs to know of the service that uses it. */
interface ServiceTies {
  readonly registry: readonly AnyOperation[];
  /** Returns the address of the service for others, which may become known only later. */
  readonly getBaseUrl: () => string;
  /** Told of the agents for whom this process wrote events. */
  readonly onArrivals: (agentIds: readonly string[]) => void;
  /** Returns a function that logs the error of a broken connection; `what` says what broke. */
  readonly logBreak: (what: string) => (error: Error) => void;
}

/** The environment, and what whoever starts and stops the service needs besides. */
interface OpenEnvironment {
  readonly env: Environment;
  readonly clockFollower: ClockFollower;
  readonly listener: Listener;
}

/**
 * Returns the number of connections of one process. A dozen keep two cores busy. Each process needs
 * two more for `load` and one for LISTEN, and the embedded server allows 340.
 */
const countConnections = (workers: number): number =>
  Math.max(2, Math.min(12, Math.floor(320 / workers) - 3));

/** Creates all that operations use: stores, time, chance, limits and the outside world. */
export function createEnvironment(
  settings: Settings,
  world: AppOptions,
  { registry, getBaseUrl, onArrivals, logBreak }: ServiceTies,
): OpenEnvironment {
  const { connection, log, random = systemRandom } = world;
  const correctedClock = createCorrectedClock(systemClock(settings.CLOCK_OFFSET_SECONDS));
  const clock = world.clock ?? correctedClock.now;
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
  const installation = describeInstallation(settings, getBaseUrl);
  const hub = createHub((ids) => {
    onArrivals(ids.filter((id) => !isTopic(id)));
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
    // Each has the same share of the time: slow claims do not put off all others.
    wokenMutations: createSemaphore(1, {
      now: monotonicClock,
      weighed: false,
      used: createUsedTime(monotonicClock),
    }),
    askMayKnow: memoize((mayKnow: MayKnow) => createAskTogether((news) => mayKnow(db, news))),
    eventLoopTurns: createEventLoopTurns(monotonicClock),
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
  return { env, clockFollower, listener };
}
