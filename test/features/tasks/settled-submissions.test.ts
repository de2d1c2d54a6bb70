import { expect, it, vi } from 'vitest';
import { invariants } from '../../../src/cli/doctor/invariants.store.ts';
import type { Transaction } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import * as assignments from '../../../src/features/tasks/assignments/assignments.store.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';
import { adjudicationHelpers } from '../adjudication/setup.ts';
import { HOUR, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const j = adjudicationHelpers(f);
const voters = await j.createVoters(3);

async function submitWork() {
  const owner = await w.createHolder(10);
  const worker = await w.createHolder();
  const task = await w.createTask(owner, { slots: 1, deadline: w.until(500 * HOUR) });
  const id = await w.createAssignment(worker, task);
  await w.submitWork(worker, id);
  return { id, worker, caseId: (await w.getAssignment(null, id)).caseId };
}

/** Counts the sessions of the database that wait for a lock. */
const countWaiting = async (): Promise<number> =>
  (
    await app.app.env.db.first<{ count: number }>(sql`
      SELECT count(*)::int AS count
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `)
  )?.count ?? 0;

it('[attack.20-6] (API4) the job that settles visits what a round has just decided', async () => {
  const unresolved = await submitWork();
  const paid = await submitWork();
  for (const voter of voters) await j.castVote(voter, paid.caseId, 'upheld');
  app.clock.advance(72 * HOUR);
  await app.app.jobs.runDue();
  await app.app.jobs.runDue();
  expect(await w.getAssignment(null, unresolved.id)).toMatchObject({ state: 'unresolved' });
  expect(await w.getAssignment(null, paid.id)).toMatchObject({ state: 'paid' });
  const waiting = await submitWork();
  expect(await w.getAssignment(null, waiting.id)).toMatchObject({ state: 'submitted' });
  const visited = await app.app.env.db.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL enable_seqscan = off`);
    return countVisitedBy(tx, 'assignments', async (counting) =>
      expect(await assignments.takeDecidedSubmission(counting as Transaction)).toBeUndefined(),
    );
  });
  expect(visited).toBe(0);
});

it('[attack.20-6] a round that closes while the job looks is settled after that', async () => {
  const { db } = app.app.env;
  const { id, caseId, worker } = await submitWork();
  app.clock.advance(72 * HOUR);
  await app.app.jobs.runDue();
  await app.app.jobs.runDue();
  const added = await w.addEvidence(worker, id, 3);
  await j.openRound({ ...worker, key: worker.forumKey }, caseId, [added.body.id]);
  for (const voter of voters) await j.castVote(voter, caseId, 'upheld');
  app.clock.advance(72 * HOUR);
  await db.run(sql`UPDATE assignments SET to_settle = true WHERE id = ${id}`);
  const { closing } = await db.transaction(async (tx) => {
    expect(await assignments.takeDecidedSubmission(tx)).toMatchObject({ id });
    await tx.run(sql`SELECT 1`);
    const closing = j.closeDueCases();
    await vi.waitUntil(async () => (await countWaiting()) > 0, { timeout: 15_000 });
    // An object, so that the transaction does not wait for it.
    return { closing };
  });
  await closing;
  await app.app.jobs.runDue();
  await app.app.jobs.runDue();
  expect(await w.getAssignment(null, id)).toMatchObject({ state: 'paid' });
});

it('[cli.doctor] a submission that a round decided and nothing settles is a fault', async () => {
  const { db } = app.app.env;
  const { id, caseId } = await submitWork();
  for (const voter of voters) await j.castVote(voter, caseId, 'upheld');
  app.clock.advance(72 * HOUR);
  await j.closeDueCases();
  const invariant = invariants.find(({ breaks }) => breaks.includes('would not be settled'));
  const listFaults = () => db.rows(invariant?.query ?? sql`SELECT 1 AS id`);
  expect(await listFaults()).toEqual([]);
  await db.run(sql`UPDATE assignments SET to_settle = false WHERE id = ${id}`);
  expect(await listFaults()).toEqual([{ id }]);
});
