import { foldWords } from '../features/messages/store.ts';
import { iso } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import { deleteRecordsBefore } from '../kernel/idempotency.store.ts';
import { deleteIdleBuckets } from '../kernel/rate-limits.store.ts';
import type { Job } from './runner.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The background work of one process. Every node runs all of it; what must happen once is claimed in the database. */
export function serviceJobs(env: Environment, idempotencyDays: number, tellSubscribers: () => Promise<string[] | null>): Job[] {
  const { db, clock, hub, usage } = env;
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
    { name: 'forget-idempotency', everySeconds: 600, run: () => done(deleteRecordsBefore(db, iso(clock() - idempotencyDays * DAY_MS))) },
    { name: 'forget-buckets', everySeconds: 600, run: () => done(deleteIdleBuckets(db, iso(clock() - DAY_MS))) },
    // Folds the words of new messages into the index in small lots, so that no post has to do it for all of them.
    { name: 'fold-search', everySeconds: 2, run: () => done(foldWords(db)) },
  ];
}
