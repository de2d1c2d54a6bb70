import type { BlobRefused } from '../blobs/blobs.ts';
import { collectBlob } from '../blobs/collect-blob.ts';
import { callReviewers } from '../features/adjudication/call-reviewers.job.ts';
import { closeRounds } from '../features/adjudication/close-rounds.job.ts';
import { removeNextThreadSlice } from '../features/admin/remove-threads.job.ts';
import { createForgetReadEvents } from '../features/events/forget-read-events.job.ts';
import { createNotifySubscribers } from '../features/events/notify-subscribers.job.ts';
import { removeExpiredEntries } from '../features/guest-context/remove-expired-entries.job.ts';
import { integrateReceipts } from '../features/log/integrate-receipts.job.ts';
import { createReceiptSweep } from '../features/log/sweep-missing-receipts.job.ts';
import { expireOffer } from '../features/offers/expire-offers.job.ts';
import { expireClaims } from '../features/requests/expire-claims.job.ts';
import { fillIndex } from '../features/search/fill-index.job.ts';
import { flushPendingWords } from '../features/search/store.ts';
import { forgetClients } from '../features/sign-in/forget-clients.job.ts';
import { expireDueAssignment, expireTask } from '../features/tasks/expire-tasks.job.ts';
import { remindOfDeadlines } from '../features/tasks/remind-of-deadlines.job.ts';
import { settleDecidedSubmission } from '../features/tasks/settle-decided.job.ts';
import { deleteExpired as deleteExpiredSessions } from '../kernel/callers/sessions.store.ts';
import { toIso } from '../kernel/clock.ts';
import { deleteIdleBuckets } from '../kernel/limits/buckets.store.ts';
import type { Environment } from '../kernel/pipeline/environment.ts';
import { deleteClaimsBefore, deleteRecordsBefore } from '../kernel/pipeline/idempotency.store.ts';
import type { Job } from './job-runner.ts';

const DAY_MS = 24 * 3600 * 1000;
const COLLECT_SECONDS = 600;
/** Unreferenced files are deleted within a day, although the job runs only every ten minutes. */
const FILE_GRACE_MS = DAY_MS - 2 * COLLECT_SECONDS * 1000;

interface ServiceJobsOptions {
  readonly idempotencyDays: number;
  /** Days after which events that were read are deleted; 0 keeps them for ever. */
  readonly eventDays: number;
  /** Whether the service knows its address. Receipts name it, so jobs that create receipts wait. */
  readonly isServing: () => boolean;
  /** The transparency log. */
  readonly log: () => Promise<Parameters<typeof integrateReceipts>[1]>;
  /** Tells that the store of files refuses to delete one. */
  readonly onRefused: (refusal: BlobRefused) => void;
}

/**
 * Builds the background jobs of one process. Every node runs all of them. Jobs claim work in the
 * database if it must happen only once.
 */
export function buildServiceJobs(
  env: Environment,
  { idempotencyDays, eventDays, isServing, log, onRefused }: ServiceJobsOptions,
): Job[] {
  const { db, clock, hub, signer, usage, sessions, staging } = env;
  const sweep = createReceiptSweep(env);
  const forgetEvents = createForgetReadEvents();
  const notifySubscribers = createNotifySubscribers();
  const noteUses = () => Promise.all([usage.flush(), sessions.flush()]);
  const done = (work: Promise<unknown>) => work.then(() => false);
  return [
    {
      name: 'tell-subscribers',
      everySeconds: 1,
      async run() {
        const notified = await notifySubscribers(db);
        // The next slice is sent to the database before hundreds of readers are answered.
        if (notified) setImmediate(() => hub.publish(notified));
        return notified !== null;
      },
    },
    { name: 'note-usage', everySeconds: 5, run: () => done(noteUses()) },
    {
      name: 'forget-idempotency',
      everySeconds: 600,
      run: () => deleteRecordsBefore(db, toIso(clock() - idempotencyDays * DAY_MS)),
    },
    {
      name: 'forget-read-events',
      everySeconds: 3600,
      run: async () => eventDays > 0 && forgetEvents(db, toIso(clock() - eventDays * DAY_MS)),
    },
    {
      name: 'forget-claims',
      everySeconds: 600,
      run: () => done(deleteClaimsBefore(db, toIso(clock() - DAY_MS))),
    },
    {
      name: 'forget-buckets',
      everySeconds: 600,
      run: () => deleteIdleBuckets(db, toIso(clock() - DAY_MS)),
    },
    {
      name: 'forget-sessions',
      everySeconds: 600,
      run: () => done(deleteExpiredSessions(db, toIso(clock()))),
    },
    { name: 'forget-clients', everySeconds: 600, run: () => done(forgetClients(env)) },
    {
      name: 'collect-files',
      everySeconds: COLLECT_SECONDS,
      run: () => collectBlob(env, toIso(clock()), FILE_GRACE_MS, onRefused),
    },
    {
      name: 'remove-guest-entries',
      everySeconds: 60,
      run: () => removeExpiredEntries(db, toIso(clock())),
    },
    { name: 'close-rounds', everySeconds: 1, run: async () => isServing() && closeRounds(env) },
    { name: 'call-reviewers', everySeconds: 1, run: () => callReviewers(env) },
    { name: 'remind-deadlines', everySeconds: 30, run: () => remindOfDeadlines(env) },
    { name: 'expire-offers', everySeconds: 1, run: () => expireOffer(env) },
    { name: 'expire-claims', everySeconds: 1, run: () => expireClaims(env) },
    { name: 'expire-tasks', everySeconds: 1, run: () => expireTask(env) },
    { name: 'expire-assignments', everySeconds: 1, run: () => expireDueAssignment(env) },
    { name: 'settle-decided', everySeconds: 1, run: () => settleDecidedSubmission(env) },
    { name: 'remove-threads', everySeconds: 1, run: () => removeNextThreadSlice(db) },
    { name: 'fill-search', everySeconds: 10, run: () => fillIndex(db) },
    { name: 'fold-search', everySeconds: 1, run: () => flushPendingWords(db) },
    {
      name: 'integrate-log',
      everySeconds: 0.25,
      run: async () => isServing() && integrateReceipts(env, await log()),
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
