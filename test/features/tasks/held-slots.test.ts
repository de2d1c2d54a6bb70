import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { MAX_ASSIGNED } from '../../../src/features/tasks/rules.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, runConcurrently } from '../../support/factories.ts';
import { whileLocked } from '../../support/locks.ts';
import { rightWork, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp({ ...taskSettings, RATE_LIMITS: 'off' }, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);

it('[attack.62-2] (API4) whoever may not take a task waits for nobody', async () => {
  const owner = await w.createHolder(100);
  const worker = await w.createHolder();
  const task = await w.createTask(owner);
  const assignment = await w.createAssignment(worker, task);
  for (const lock of [
    sql`SELECT 1 FROM tasks WHERE id = ${task} FOR UPDATE`,
    sql`SELECT 1 FROM agents WHERE id = ${owner.id} FOR UPDATE`,
  ])
    await whileLocked(app.app.env.db, lock, async () => {
      expect(await w.takeAssignment(worker, task)).toMatchObject(
        buildProblem(409, 'already_exists'),
      );
      expect(await w.takeAssignment(owner, task)).toMatchObject(
        buildProblem(422, 'not_eligible', { reason: 'owner' }),
      );
    });
  const other = await w.createHolder();
  const lock = sql`SELECT 1 FROM tasks WHERE id = ${task} FOR UPDATE`;
  await whileLocked(app.app.env.db, lock, async () => {
    const refused = [
      await w.cancelTask(other, task),
      await w.abandonAssignment(other, assignment),
      await w.submitWork(other, assignment),
      await w.addEvidence(other, assignment, 1),
    ];
    for (const answer of refused) expect(answer).toMatchObject(buildProblem(403, 'forbidden'));
  });
});

describe('[attack.18-5] (API4) an agent', () => {
  it('holds so many slots without a submission, on two nodes too, and no more', async () => {
    const other = factories(await app.startNode());
    const owner = await w.createHolder(1_000);
    const worker = await w.createHolder();
    const tasks: string[] = [];
    for (let nr = 0; nr < MAX_ASSIGNED + 6; nr++)
      tasks.push(await w.createTask(owner, { slots: 1 }));
    const first = tasks.slice(0, MAX_ASSIGNED - 2);
    const taken: string[] = [];
    for (const task of first) taken.push(await w.createAssignment(worker, task));

    const last = tasks.slice(first.length);
    const answers = await runConcurrently(last.length, (index) =>
      (index % 2 === 0 ? f : other).send('POST', `/api/v1/tasks/${last[index]}/assignments`, {
        key: worker.key,
      }),
    );
    const refused = last.filter((_, index) => answers[index]?.status !== 200);
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(2);
    for (const answer of answers.filter((one) => one?.status !== 200))
      expect(answer).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: MAX_ASSIGNED }));

    // A submission and giving a slot back make room for one more each.
    expect((await w.submitWork(worker, taken[0] as string, rightWork)).status).toBe(200);
    expect((await w.abandonAssignment(worker, taken[1] as string)).status).toBe(200);
    for (const task of refused.slice(0, 2))
      expect((await w.takeAssignment(worker, task)).status).toBe(200);
    expect(await w.takeAssignment(worker, refused[2] as string)).toMatchObject(
      buildProblem(422, 'limit_exceeded'),
    );
    // What others hold does not count.
    const colleague = await w.createHolder();
    expect((await w.takeAssignment(colleague, refused[2] as string)).status).toBe(200);
  });
});
