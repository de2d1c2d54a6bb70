import { iso } from '../kernel/clock.ts';
import { collectBlob } from '../kernel/collect-blob.ts';
import type { Environment } from '../kernel/environment.ts';
import { deleteClaimsBefore, deleteRecordsBefore } from '../kernel/idempotency.store.ts';
import { deleteIdleBuckets } from '../kernel/rate-limits.store.ts';
import type { Job } from './runner.ts';

const DAY_MS = 24 * 3600 * 1000;
const COLLECT_SECONDS = 600;
/** What nobody refers to is gone within a day, although the job comes round only now and then. */
const FILE_GRACE_MS = DAY_MS - 2 * COLLECT_SECONDS * 1000;

/** The background work of one process. Every node runs all of it; what must happen once is claimed in the database. */
export function serviceJobs(env: Environment, idempotencyDays: number, tellSubscribers: () => Promise<string[] | null>): Job[] {
  const { db, clock, hub, usage, staging } = env;
  const done = async (work: Promise<unknown>) => {
    await work;
    return false;
  };
  return [
    {
      name: 'tell-subscribers',
      everySeconds: 1,
      async run() {
        const told = await tellSubscribers();
        hub.publish(told ?? []);
        return told !== null;
      },
    },
    { name: 'note-usage', everySeconds: 5, run: () => done(usage.flush()) },
    { name: 'forget-idempotency', everySeconds: 600, run: () => deleteRecordsBefore(db, iso(clock() - idempotencyDays * DAY_MS)) },
    { name: 'forget-claims', everySeconds: 600, run: () => done(deleteClaimsBefore(db, iso(clock() - DAY_MS))) },
    { name: 'forget-buckets', everySeconds: 600, run: () => deleteIdleBuckets(db, iso(clock() - DAY_MS)) },
    { name: 'collect-files', everySeconds: COLLECT_SECONDS, run: () => collectBlob(env, iso(clock() - FILE_GRACE_MS)) },
    { name: 'forget-uploads', everySeconds: COLLECT_SECONDS, run: () => done(staging.removeBefore(clock() - FILE_GRACE_MS)) },
  ];
}
