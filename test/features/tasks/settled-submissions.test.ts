import { expect, it } from 'vitest';
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
  return { id, caseId: (await w.getAssignment(null, id)).caseId };
}

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
