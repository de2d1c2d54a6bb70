import { expect, it } from 'vitest';
import { verifyCase } from '../../../client/src/cases/verify-case.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { taskHelpers, taskSettings } from '../tasks/setup.ts';
import { adjudicationHelpers } from './setup.ts';

const app = await startApp(taskSettings);
const f = factories(app);
const w = taskHelpers(app, f);
const j = adjudicationHelpers(f);

it('[attack.33-7] getCase shows every rubric that a task can have', async () => {
  const rubric = [
    { id: 'Reproduced.Ok', text: 'x'.repeat(2_000) },
    { id: `A${'b'.repeat(63)}`, text: 'Once more?' },
  ];
  const owner = await w.createHolder(10);
  const worker = await w.createHolder();
  const title = 't'.repeat(200);
  const task = await w.createTask(owner, { slots: 1, title, rubric });
  const assignment = await w.createAssignment(worker, task);
  const answers = rubric.map(({ id }) => ({ criterionId: id, answer: 'yes' }));
  const submitted = await w.submitWork(worker, assignment, { verdict: 'supported', answers });
  expect(submitted.status).toBe(200);
  const { caseId } = await w.getAssignment(null, assignment);
  // In tests, an answer that breaks its own schema is an error.
  const shown = await j.getCase(caseId);
  expect(shown).toMatchObject({ rubric, rounds: [{ frozen: { rubric } }] });
  expect((await verifyCase(shown)).filter(({ holds }) => holds === false)).toEqual([]);
});
