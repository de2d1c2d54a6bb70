import { closeRounds } from '../features/adjudication/close-rounds.job.ts';
import { removeThreads } from '../features/admin/remove-threads.job.ts';
import { tellSubscribers } from '../features/events/fan-out.job.ts';
import { removeExpired } from '../features/guest-context/remove-expired.job.ts';
import { integrate } from '../features/log/integrate-receipts.job.ts';
import { createSweep } from '../features/log/sweep.job.ts';
import { expireOffer } from '../features/offers/expire-offers.job.ts';
import { fillIndex } from '../features/search/fill-index.job.ts';
import { foldWords } from '../features/search/store.ts';
import { expireTask } from '../features/tasks/expire-tasks.job.ts';
import { settleDecided } from '../features/tasks/settle-decided.job.ts';
import { iso } from '../kernel/clock.ts';
import { collectBlob } from '../blobs/collect-blob.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { deleteClaimsBefore, deleteRecordsBefore } from '../kernel/pipeline/idempotency.store.ts';
import { deleteIdleBuckets } from '../kernel/callers/rate-limits.store.ts';
import type { Job } from './job-runner.ts';

const DAY_MS = 24 * 3600 * 1000;
const COLLECT_SECONDS = 600;
/** What nobody refers to is gone within a day, although the job comes round only now and then. */
const FILE_GRACE_MS = DAY_MS - 2 * COLLECT_SECONDS * 1000;

interface Options {
  readonly idempotencyDays: number;
  /** Whether the service has an address: receipts name it, so what makes any waits for that. */
  readonly isServing: () => boolean;
  readonly log: () => Promise<Parameters<typeof integrate>[1]>;
}

/** The background work of one process. Every node runs all of it; what must happen once is claimed in the database. */
export function serviceJobs(env: Environment, { idempotencyDays, isServing, log }: Options): Job[] {
  const { db, clock, hub, signer, usage, staging } = env;
  const sweep = createSweep(env);
  const done = async (work: Promise<unknown>) => {
    await work;
    return false;
  };
  return [
    {
      name: 'tell-subscribers',
      everySeconds: 1,
      async run() {
        const told = await tellSubscribers(db);
        hub.publish(told ?? []);
        return told !== null;
      },
    },
    { name: 'note-usage', everySeconds: 5, run: () => done(usage.flush()) },
    {
      name: 'forget-idempotency',
      everySeconds: 600,
      run: () => deleteRecordsBefore(db, iso(clock() - idempotencyDays * DAY_MS)),
    },
    {
      name: 'forget-claims',
      everySeconds: 600,
      run: () => done(deleteClaimsBefore(db, iso(clock() - DAY_MS))),
    },
    {
      name: 'forget-buckets',
      everySeconds: 600,
      run: () => deleteIdleBuckets(db, iso(clock() - DAY_MS)),
    },
    {
      name: 'collect-files',
      everySeconds: COLLECT_SECONDS,
      run: () => collectBlob(env, iso(clock() - FILE_GRACE_MS)),
    },
    { name: 'remove-guest-entries', everySeconds: 60, run: () => removeExpired(db, iso(clock())) },
    { name: 'close-rounds', everySeconds: 1, run: async () => isServing() && closeRounds(env) },
    { name: 'expire-offers', everySeconds: 1, run: () => expireOffer(env) },
    { name: 'expire-tasks', everySeconds: 1, run: () => expireTask(env) },
    { name: 'settle-decided', everySeconds: 1, run: () => settleDecided(env) },
    { name: 'remove-threads', everySeconds: 1, run: () => removeThreads(db) },
    { name: 'fill-search', everySeconds: 10, run: () => fillIndex(db) },
    { name: 'fold-search', everySeconds: 1, run: () => foldWords(db) },
    {
      name: 'integrate-log',
      everySeconds: 0.25,
      run: async () => isServing() && integrate(env, await log()),
    },
    { name: 'sweep-log', everySeconds: 30, run: async () => isServing() && sweep() },
    { name: 'refresh-signing-key', everySeconds: 3, run: () => done(signer.refresh()) },
    {
      name: 'forget-uploads',
      everySeconds: COLLECT_SECONDS,
      run: () => done(staging.removeBefore(clock() - FILE_GRACE_MS)),
    },
  ];
}
