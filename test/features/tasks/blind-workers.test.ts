import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type TestAgent } from '../../support/factories.ts';
import { adjudicationHelpers } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { HOUR, rightWork, taskHelpers, taskSettings } from './setup.ts';

/* Who may still submit work to a private task does not read the work of others. */

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const j = adjudicationHelpers(f);

/** A private task with two slots for five invited agents, and its first submission. */
async function createSubmittedTask() {
  const owner = await w.createHolder(10);
  const invited: CreditHolder[] = [];
  for (let nr = 0; nr < 5; nr++) invited.push(await w.createHolder());
  await j.ageAgents(invited);
  const [first, second, idle] = invited as [CreditHolder, CreditHolder, CreditHolder];
  const task = await w.createTask(owner, {
    visibility: 'private',
    invitees: invited.map(({ id }) => id),
  });
  const assignment = await w.createAssignment(first, task);
  expect((await w.submitWork(first, assignment)).status).toBe(200);
  const { caseId } = await w.getAssignment(first, assignment);
  return { owner, first, second, idle, task, caseId: caseId as string };
}

const readCase = async (agent: TestAgent, id: string) =>
  (await w.send(agent, 'GET', `adjudication/cases/${id}`)).status;
const listCases = async (agent: TestAgent): Promise<string[]> =>
  (await w.must(agent, 'GET', 'adjudication/cases')).map(({ id }: { id: string }) => id);

describe('private work of others', () => {
  it('[assignments.blind] getCase hides it while a slot can be taken', async () => {
    const { owner, first, second, idle, task, caseId } = await createSubmittedTask();
    const see = async () => ({
      owner: await readCase(owner, caseId),
      first: await readCase(first, caseId),
      second: await readCase(second, caseId),
      idle: await readCase(idle, caseId),
    });
    expect(await see()).toEqual({ owner: 200, first: 200, second: 404, idle: 404 });
    expect(await listCases(idle)).toEqual([]);
    const taken = await w.createAssignment(second, task);
    expect(await see()).toEqual({ owner: 200, first: 200, second: 404, idle: 200 });
    expect(await listCases(idle)).toEqual([caseId]);
    expect(await listCases(second)).toEqual([]);
    expect((await w.submitWork(second, taken)).status).toBe(200);
    expect(await see()).toEqual({ owner: 200, first: 200, second: 200, idle: 200 });
    const { caseId: other } = await w.getAssignment(second, taken);
    expect(await listCases(first)).toEqual([other, caseId]);
  });

  it('[assignments.blind] takeAssignment refuses who could read it', async () => {
    const { second, idle, task, caseId } = await createSubmittedTask();
    const taken = await w.createAssignment(second, task);
    expect((await w.abandonAssignment(second, taken)).status).toBe(200);
    expect(await w.getTask(second, task)).toMatchObject({ state: 'open' });
    expect(await w.takeAssignment(idle, task)).toMatchObject(
      buildProblem(422, 'not_eligible', { reason: 'reviewer' }),
    );
    expect(await readCase(idle, caseId)).toBe(200);
    expect(await readCase(second, caseId)).toBe(200);
  });

  it('[assignments.blind] getCase shows it to all after the deadline', async () => {
    const { idle, caseId } = await createSubmittedTask();
    app.clock.advance(HOUR);
    await app.app.jobs.runDue();
    expect(await readCase(idle, caseId)).toBe(200);
  });

  it('[assignments.blind] tells who asked for it when the work can be judged', async () => {
    const { second, idle, task, caseId } = await createSubmittedTask();
    const key = await f.getKeyWithScope({ ...idle, key: idle.forumKey }, 'reviewer');
    await f.ok('PUT', '/api/v1/me/review-notices', { key, body: { enabled: true } });
    await app.app.jobs.runDue();
    const list = async () =>
      (await f.ok('GET', '/api/v1/events', { key: idle.forumKey })).events.filter(
        ({ kind }: { kind: string }) => kind === 'case',
      );
    expect(await list()).toEqual([]);
    await w.submitWork(second, await w.createAssignment(second, task), rightWork);
    await app.app.jobs.runDue();
    const [own, ...rest] = await list();
    expect(own).toMatchObject({ subject: { type: 'case', id: caseId, state: 'open' } });
    expect(rest).toHaveLength(1);
  });
});
