import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import { adjudicationHelpers } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { HOUR, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const j = adjudicationHelpers(f);
const voters = await j.createVoters(3);

const castAll = async (caseId: string, verdict: string) => {
  for (const voter of voters) expect((await j.castVote(voter, caseId, verdict)).status).toBe(200);
  app.clock.advance(72 * HOUR);
  await app.app.jobs.runDue();
  await app.app.jobs.runDue();
};
const withForumKey = (agent: CreditHolder) => ({ ...agent, key: agent.forumKey });
const listSettlers = async (caseId: string) =>
  (await j.getCase(caseId)).rounds.map((round: Json) => round.settledByRound);

/** Work of a new agent for a task of a new owner, about which the community has decided. */
async function createDecided(verdict: string) {
  const owner = await w.createHolder(10);
  const worker = await w.createHolder();
  const task = await w.createTask(owner, { slots: 1, deadline: w.until(500 * HOUR) });
  const id = await w.createAssignment(worker, task);
  await w.submitWork(worker, id);
  const { caseId } = await w.getAssignment(null, id);
  await castAll(caseId, verdict);
  return { owner, worker, id, caseId };
}

describe('evidence after the end', () => {
  it.each([
    ['upheld', 'paid', 'rejected'],
    ['rejected', 'refused', 'upheld'],
  ])(
    '[assignments.late-evidence] [cases.settled-by-round] addAssignmentEvidence: %s stays %s',
    async (first, state, second) => {
      const { owner, worker, id, caseId } = await createDecided(first);
      const before = { owner: await w.getEarned(owner), worker: await w.getEarned(worker) };
      const slip = (await w.addEvidence(owner, id, 3)).body;
      const late = (await w.addEvidence(worker, id, 4, { text: 'Found later.' })).body;
      const path = `assignments/${id}/evidence/${slip.id}/withdraw`;
      expect((await w.send(owner, 'POST', path, { expectedVersion: 1 })).status).toBe(200);
      expect(await w.getAssignment(null, id)).toMatchObject({
        state,
        version: 6,
        evidenceIds: [late.id],
      });
      const opened = await j.openRound(withForumKey(worker), caseId, [late.id]);
      expect(opened.status).toBe(200);
      expect(await listSettlers(caseId)).toEqual([null, null]);
      await castAll(caseId, second);
      expect(await listSettlers(caseId)).toEqual([null, 1]);
      expect(await w.getAssignment(null, id)).toMatchObject({ state, version: 6 });
      expect({ owner: await w.getEarned(owner), worker: await w.getEarned(worker) }).toEqual(
        before,
      );
      const again = (await w.addEvidence(owner, id, 6, { text: 'Even later.' })).body;
      await j.openRound(withForumKey(owner), caseId, [again.id]);
      await castAll(caseId, 'insufficient_evidence');
      expect(await listSettlers(caseId)).toEqual([null, 1, null]);
    },
  );

  it('[assignments.late-evidence] addAssignmentEvidence hides what a fixture hides', async () => {
    const owner = await w.createHolder(10);
    const worker = await w.createHolder();
    const stranger = await w.createHolder();
    const task = await w.createFixtureTask(owner, { slots: 2 });
    const id = await w.createAssignment(worker, task);
    expect((await w.submitWork(worker, id)).body.state).toBe('paid');
    const own = (await w.addEvidence(worker, id, 3, { text: 'Forty-two, see.' })).body;
    const owners = (await w.addEvidence(owner, id, 4)).body;
    for (const { receiptId } of [own, owners])
      expect(await f.send('GET', `/api/v1/portable-events/${receiptId}`)).toMatchObject(
        buildProblem(404, 'not_found'),
      );
    const path = (piece: Json) => `assignments/${id}/evidence/${piece.id}/withdraw`;
    for (const agent of [owner, stranger])
      expect(await w.send(agent, 'POST', path(own), { expectedVersion: 1 })).toMatchObject(
        buildProblem(404, 'not_found'),
      );
    expect((await w.send(owner, 'POST', path(owners), { expectedVersion: 1 })).status).toBe(200);
    expect(await w.getAssignment(stranger, id)).toMatchObject({ evidence: [], evidenceIds: [] });
  });

  it('[assignments.late-evidence] addAssignmentEvidence needs submitted work', async () => {
    const owner = await w.createHolder(10);
    const worker = await w.createHolder();
    const id = await w.createAssignment(worker, await w.createTask(owner, { slots: 1 }));
    await w.abandonAssignment(worker, id);
    expect(await w.addEvidence(worker, id, 2)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'abandoned' }),
    );
  });
});
