import { describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, type TestAgent } from '../../support/factories.ts';
import { createTaskUpTo } from '../tasks/task-situations.ts';
import { adjudicationHelpers, buildCaseInput, CASES } from './setup.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const j = adjudicationHelpers(f);
const fixture = await createFixture(f);

/** The case of work that the member submitted to a task of the owner, and its opening's receipt. */
async function createTaskCase(more: object) {
  const { assignmentId } = await createTaskUpTo({ app, f, fixture }, 'submitted', more);
  const key = await f.getKeyWithScope(fixture.member, 'credits');
  const { caseId } = await f.ok('GET', `/api/v1/assignments/${assignmentId}`, { key });
  return (await f.ok('GET', `${CASES}/${caseId}`, { key })) as Json;
}

const ofTask = await createTaskCase({});
const ofPrivateTask = await createTaskCase({
  visibility: 'private',
  invitees: [fixture.member.handle],
});
const ofInteraction = await j.createCase();
const [voter] = (await j.createVoters(1)) as [TestAgent];

describe('a case whose subject is switched off', () => {
  const kinds = [
    {
      kind: 'interaction',
      capability: 'interactions',
      settings: { INTERACTIONS_ENABLED: 'off', TRUST_ENABLED: 'off', REPUTATION_ENABLED: 'off' },
      hidden: ofInteraction.id,
      shown: ofTask.id,
      subjectId: ofInteraction.interactionId,
      word: 'recorded',
    },
    {
      kind: 'task_submission',
      capability: 'tasks',
      settings: { TASKS_ENABLED: 'off' },
      hidden: ofTask.id,
      shown: ofInteraction.id,
      subjectId: ofTask.subject.id,
      word: 'satisfy',
    },
  ];

  it.for(kinds)(
    '[attack.18-4] (API1) $kind is shown nowhere',
    async ({ kind, capability, settings, hidden, shown, subjectId, word }) => {
      const off = factories(await app.startNode(settings));
      const problem = buildProblem(403, 'capability_disabled', { capability });
      const key = await f.getKeyWithScope(voter, 'adjudication');
      for (const path of [hidden, `${hidden}/rounds/1/ballots`])
        expect(await off.send('GET', `${CASES}/${path}`)).toMatchObject(problem);
      expect((await off.send('GET', `/adjudication/${hidden}`)).status).toBe(403);
      expect(await off.ok('GET', `${CASES}/${shown}`)).toMatchObject({ id: shown });

      const listIds = async (api: typeof f, query = '') =>
        (await api.ok('GET', `${CASES}?limit=100${query}`)).map(({ id }: Json) => id);
      expect(await listIds(f)).toEqual(expect.arrayContaining([hidden, shown]));
      expect(await listIds(off)).toContain(shown);
      expect(await listIds(off)).not.toContain(hidden);
      expect(await listIds(off, `&subjectId=${subjectId}`)).toEqual([]);
      expect((await off.send('GET', `${CASES}?before=${hidden}`)).status).toBe(400);

      // The case of a task is found once it is closed and the job has indexed it.
      await j.closeDueCases();
      await app.app.jobs.runDue();
      const findIds = async (api: typeof f) =>
        (await api.ok('GET', `/api/v1/search?q=${word}%20type:case`)).results.map(
          ({ id }: Json) => id,
        );
      expect(await findIds(f)).toContain(hidden);
      expect(await findIds(off)).not.toContain(hidden);

      const vote = { verdict: 'upheld', rationale: 'So.' };
      const call = async (scope: 'adjudication' | 'reviewer', path: string, body: object) =>
        off.send('POST', path, { key: await f.getKeyWithScope(voter, scope), body });
      expect(await call('reviewer', `${CASES}/${hidden}/ballots`, vote)).toMatchObject(problem);
      const round = { evidenceIds: [hidden], reason: 'So.', expectedVersion: 1 };
      expect(await call('adjudication', `${CASES}/${hidden}/rounds`, round)).toMatchObject(problem);
      const opening = buildCaseInput(subjectId, { subject: { type: kind, id: subjectId } });
      expect(await off.send('POST', CASES, { key, body: opening })).toMatchObject(problem);
    },
  );

  it('[attack.18-4] (API1) is not there for whoever may not read it', async () => {
    const off = factories(await app.startNode({ TASKS_ENABLED: 'off' }));
    const key = await f.getKeyWithScope(voter, 'adjudication');
    for (const as of [{}, { key }])
      expect(await off.send('GET', `${CASES}/${ofPrivateTask.id}`, as)).toMatchObject(
        buildProblem(404, 'not_found'),
      );
  });
});

describe('a private case', () => {
  it('[attack.18-1] (API1) is not read with a key for interactions', async () => {
    const read = async (scope: 'interactions' | 'adjudication' | 'reviewer' | 'credits') =>
      f.send('GET', `${CASES}/${ofPrivateTask.id}`, {
        key: await f.getKeyWithScope(fixture.member, scope),
      });
    expect((await read('interactions')).status).toBe(403);
    for (const scope of ['adjudication', 'reviewer', 'credits'] as const)
      expect((await read(scope)).status).toBe(200);
  });

  it('[attack.18-1] (API1) is not found in a list or by its receipt with such a key', async () => {
    const key = await f.getKeyWithScope(fixture.member, 'interactions');
    const other = await f.getKeyWithScope(fixture.member, 'credits');
    const { text } = await f.send('GET', CASES, { key });
    expect(text).not.toContain(ofPrivateTask.id);
    expect((await f.send('GET', CASES, { key: other })).text).toContain(ofPrivateTask.id);
    const receipt = `/e/${ofPrivateTask.receiptId}.json`;
    expect((await f.send('GET', receipt, { key })).status).not.toBe(200);
    expect((await f.send('GET', receipt, { key: other })).status).toBe(200);
  });
});
