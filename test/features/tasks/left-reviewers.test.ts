import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { adjudicationHelpers } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { HOUR, taskHelpers, taskSettings } from './setup.ts';

/* Enough invitees of a private task are left to decide, whatever one of them does. */

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const j = adjudicationHelpers(f);
const withForumKey = (agent: CreditHolder) => ({ ...agent, key: agent.forumKey });
const tooFew = buildProblem(409, 'state_conflict', { state: 'open', reason: 'too_few_reviewers' });

/** A private task that the community decides, for so many invited agents. */
async function createPrivateTask(count: number, more: object = {}) {
  const owner = await w.createHolder(10);
  const invited: CreditHolder[] = [];
  for (let nr = 0; nr < count; nr++) invited.push(await w.createHolder());
  await j.ageAgents(invited);
  const task = await w.createTask(owner, {
    slots: 1,
    visibility: 'private',
    invitees: invited.map(({ id }) => id),
    deadline: w.until(500 * HOUR),
    ...more,
  });
  const [first, second, third] = invited as [CreditHolder, CreditHolder, CreditHolder];
  return { owner, task, invited, first, second, third };
}

const closeCase = async () => {
  app.clock.advance(72 * HOUR);
  await app.app.jobs.runDue();
  await app.app.jobs.runDue();
};

describe('a slot of a private task', () => {
  it('[attack.33-1] (API6) is not given again if too few voters would be left', async () => {
    const { owner, task, first, second } = await createPrivateTask(4);
    const taken = await w.createAssignment(first, task);
    expect((await w.abandonAssignment(first, taken)).status).toBe(200);
    expect(await w.takeAssignment(second, task)).toMatchObject(tooFew);
    // The units are not lost: they go back at the deadline.
    app.clock.advance(500 * HOUR);
    await app.app.jobs.runDue();
    expect(await w.getEarned(owner)).toEqual({ available: 10, reserved: 0 });
  });

  it('[attack.33-1] counts who let its time pass', async () => {
    const { task, first, second } = await createPrivateTask(4, { assignmentHours: 1 });
    await w.createAssignment(first, task);
    app.clock.advance(HOUR);
    await app.app.jobs.runDue();
    expect(await w.getTask(second, task)).toMatchObject({ state: 'open' });
    expect(await w.takeAssignment(second, task)).toMatchObject(tooFew);
  });

  it('[attack.33-1] [tasks.decidable] is given once each with 3 more invitees', async () => {
    const { task, first, second, third, invited } = await createPrivateTask(6, {
      slots: 3,
      reward: 1,
    });
    for (const worker of [first, second, third]) {
      const id = await w.createAssignment(worker, task);
      expect((await w.submitWork(worker, id)).status).toBe(200);
    }
    const cases = await w.must(first, 'GET', 'adjudication/cases');
    for (const { id } of cases)
      for (const voter of invited.slice(3))
        expect((await j.castVote(withForumKey(voter), id)).status).toBe(200);
    await closeCase();
    for (const { state } of await w.must(first, 'GET', 'me/assignments'))
      expect(state).toBe('paid');
  });

  it('[attack.33-1] is given again where one invitee more was invited', async () => {
    const { task, first, second, third } = await createPrivateTask(5);
    await w.abandonAssignment(first, await w.createAssignment(first, task));
    await w.abandonAssignment(second, await w.createAssignment(second, task));
    expect(await w.takeAssignment(third, task)).toMatchObject(tooFew);
  });
});

describe('a further round about private work', () => {
  it('[attack.33-1] (API6) is opened by the parties, so that readers still vote', async () => {
    const { owner, task, first, second, invited } = await createPrivateTask(4);
    const id = await w.createAssignment(first, task);
    await w.submitWork(first, id);
    const { caseId } = await w.getAssignment(first, id);
    await closeCase();
    expect(await w.getAssignment(owner, id)).toMatchObject({ state: 'unresolved' });
    const { version } = await w.getAssignment(owner, id);
    const piece = (await w.addEvidence(owner, id, version)).body.id;
    const refused = buildProblem(403, 'forbidden');
    expect(await j.openRound(withForumKey(second), caseId, [piece])).toMatchObject(refused);
    const stranger = await f.createAgent();
    expect((await j.openRound(stranger, caseId, [piece])).status).toBe(404);
    expect((await j.openRound(withForumKey(owner), caseId, [piece])).status).toBe(200);
    for (const voter of invited.slice(1))
      expect((await j.castVote(withForumKey(voter), caseId, 'rejected')).status).toBe(200);
    await closeCase();
    expect(await w.getAssignment(owner, id)).toMatchObject({ state: 'refused' });
    expect(await w.getEarned(owner)).toEqual({ available: 10, reserved: 0 });
  });
});
