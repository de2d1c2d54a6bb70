import { describe, expect, it } from 'vitest';
import { verifyCase } from '../../../client/src/cases/verify-case.ts';
import { settleDecidedSubmission } from '../../../src/features/tasks/settle-decided.job.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, type TestAgent } from '../../support/factories.ts';
import { adjudicationHelpers } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { expectedAnswers, HOUR, rightWork, taskHelpers, taskSettings, wrongWork } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const other = await app.startNode();
const f = factories(app);
const w = taskHelpers(app, f);
const j = adjudicationHelpers(f);
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });
const voters = await j.createVoters(3);

/**
 * Creates a submission to a new task of a new owner, with its case, which waits for the community.
 */
async function createSubmittedTask(
  more: object = {},
  work: object = rightWork,
): Promise<{
  owner: CreditHolder;
  worker: CreditHolder;
  task: string;
  id: string;
  caseId: string;
}> {
  const owner = await w.createHolder(10);
  const worker = await w.createHolder();
  const task = await w.createTask(owner, { slots: 1, deadline: w.until(500 * HOUR), ...more });
  const id = await w.createAssignment(worker, task);
  expect((await w.submitWork(worker, id, work)).body).toMatchObject({
    state: 'submitted',
    version: 2,
  });
  return { owner, worker, task, id, caseId: (await w.getAssignment(null, id)).caseId };
}
const vote = async (caseId: string, verdict: string) => {
  for (const voter of voters) expect((await j.castVote(voter, caseId, verdict)).status).toBe(200);
};
const advanceHours = async (hours: number) => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
  await app.app.jobs.runDue();
};
const settle = async () => {
  while (await settleDecidedSubmission(app.app.env));
};

describe('community decisions', () => {
  it('[assignments.community] [tasks.funding] pay unless rejected', async () => {
    const good = await createSubmittedTask();
    const bad = await createSubmittedTask({}, wrongWork);
    expect(await w.getTask(null, good.task)).toMatchObject({ state: 'full' });
    expect(await j.getCase(good.caseId)).toMatchObject({
      openedBy: null,
      subject: { type: 'task_submission', id: good.id },
      state: 'open',
    });
    expect(JSON.stringify(await j.getCase(good.caseId))).toContain(expectedAnswers.answer);
    for (const agent of [good.owner, good.worker])
      expect(await j.castVote({ ...agent, key: agent.forumKey }, good.caseId)).toMatchObject(
        buildProblem(422, 'not_eligible'),
      );
    await vote(good.caseId, 'upheld');
    await vote(bad.caseId, 'rejected');
    await advanceHours(72);
    expect(await w.getAssignment(null, good.id)).toMatchObject({
      state: 'paid',
      version: 3,
      submission: { verdict: 'refuted' },
    });
    expect(await w.getAssignment(null, bad.id)).toMatchObject({ state: 'refused', version: 3 });
    for (const { task } of [good, bad])
      expect(await w.getTask(null, task)).toMatchObject({ state: 'closed', settledSlots: 1 });
    expect({
      goodOwner: await w.getEarned(good.owner),
      goodWorker: await w.getEarned(good.worker),
      badOwner: await w.getEarned(bad.owner),
      badWorker: await w.getEarned(bad.worker),
    }).toEqual({
      goodOwner: buildBalance(5),
      goodWorker: buildBalance(5),
      badOwner: buildBalance(10),
      badWorker: buildBalance(0),
    });
    const { receiptId } = await w.getAssignment(null, good.id);
    expect((await f.send('GET', `/e/${receiptId}.json`)).body).toMatchObject({
      kind: 'task.settled',
      actor: null,
      subject: { type: 'task', id: good.task },
    });
  });

  it('[ballot.slot-taker] castBallot is for nobody who took a slot of the task', async () => {
    const [before, after, abandoned, uncounted, related] = await Promise.all(
      Array.from({ length: 5 }, () => w.createHolder()),
    );
    const takers = [before, after, abandoned, uncounted, related] as CreditHolder[];
    await j.ageAgents(takers);
    const task = await w.createTask(await w.createHolder(100), {
      slots: 5,
      deadline: w.until(500 * HOUR),
    });
    const worker = await w.createHolder();
    const id = await w.createAssignment(worker, task);
    await w.createAssignment(before as CreditHolder, task);
    await w.submitWork(worker, id);
    const { caseId } = await w.getAssignment(null, id);
    const castVote = (agent: CreditHolder | undefined) =>
      j.castVote({ ...(agent as CreditHolder), key: agent?.forumKey ?? '' }, caseId);
    expect((await castVote(uncounted)).status).toBe(200);
    for (const agent of [after, uncounted]) await w.createAssignment(agent as CreditHolder, task);
    const given = await w.createAssignment(abandoned as CreditHolder, task);
    await w.abandonAssignment(abandoned as CreditHolder, given);
    for (const agent of [after, related])
      await f.ok('PUT', `/api/v1/admin/agents/${agent?.id}/operator-group`, {
        admin: true,
        body: { operatorGroup: 'Slots Ltd' },
      });
    for (const [agent, reason] of [
      [before, 'party'],
      [after, 'party'],
      [abandoned, 'party'],
      [related, 'related_operator'],
    ] as const)
      expect(await castVote(agent), reason).toMatchObject(
        buildProblem(422, 'not_eligible', { reason }),
      );
    expect((await j.getCase(caseId)).parties.map((party: Json) => party.id)).toEqual(
      expect.arrayContaining([before, after, abandoned, uncounted].map((agent) => agent?.id)),
    );
    await vote(caseId, 'rejected');
    await advanceHours(72);
    const [{ outcome }] = (await j.getCase(caseId)).rounds;
    expect(outcome).toMatchObject({ result: 'rejected', votes: { rejected: 3, notCounted: 1 } });
    expect(outcome.ballots[0]).toMatchObject({
      voterId: uncounted?.id,
      counted: false,
      notCountedBecause: 'party',
    });
    expect((await verifyCase(await j.getCase(caseId))).every(({ holds }) => holds)).toBe(true);
  });

  it('[assignments.unresolved] [assignments.evidence] keep units until decided', async () => {
    const { owner, worker, task, id, caseId } = await createSubmittedTask();
    await j.castVote(voters[0] as TestAgent, caseId);
    await advanceHours(72);
    expect(await w.getAssignment(null, id)).toMatchObject({ state: 'unresolved', version: 3 });
    await advanceHours(500);
    expect({
      owner: await w.getEarned(owner),
      worker: await w.getEarned(worker),
      task: await w.getTask(null, task),
    }).toMatchObject({
      owner: buildBalance(5, 5),
      worker: buildBalance(0),
      task: { state: 'full', settledSlots: 0 },
    });
    const added = await w.addEvidence(worker, id, 3);
    expect(added).toMatchObject({ status: 200, body: { version: 1, state: 'submitted' } });
    expect(
      await j.openRound({ ...worker, key: worker.forumKey }, caseId, [added.body.id]),
    ).toMatchObject({
      status: 200,
    });
    await vote(caseId, 'upheld');
    await advanceHours(72);
    expect({
      assignment: await w.getAssignment(null, id),
      task: await w.getTask(null, task),
      worker: await w.getEarned(worker),
      owner: await w.getEarned(owner),
    }).toMatchObject({
      assignment: { state: 'paid' },
      task: { state: 'closed' },
      worker: buildBalance(5),
      owner: buildBalance(5),
    });
  });

  it('[assignments.earliest] pay by the earliest decisive round, even if late', async () => {
    const { worker, id, caseId } = await createSubmittedTask();
    await vote(caseId, 'upheld');
    app.clock.advance(72 * HOUR);
    await j.closeDueCases();
    const added = await w.addEvidence(worker, id, 2);
    expect(
      (await j.openRound({ ...worker, key: worker.forumKey }, caseId, [added.body.id])).status,
    ).toBe(200);
    await vote(caseId, 'rejected');
    app.clock.advance(72 * HOUR);
    await j.closeDueCases();
    await settle();
    expect(await w.getAssignment(null, id)).toMatchObject({ state: 'paid' });
    await settle();
    expect(await w.getEarned(worker)).toEqual(buildBalance(5));
  });

  it('[tasks.once] settle once when jobs of two nodes race', async () => {
    const waiting = await Promise.all(Array.from({ length: 4 }, () => createSubmittedTask()));
    for (const { caseId } of waiting) await vote(caseId, 'upheld');
    app.clock.advance(72 * HOUR);
    await j.closeDueCases();
    const settleAll = async ({ app: { env } }: typeof app) => {
      while (await settleDecidedSubmission(env));
    };
    await Promise.all([settleAll(app), settleAll(other), settleAll(app), settleAll(other)]);
    for (const { id, worker } of waiting)
      expect({
        assignment: await w.getAssignment(null, id),
        worker: await w.getEarned(worker),
      }).toMatchObject({ assignment: { state: 'paid', version: 3 }, worker: buildBalance(5) });
  });

  it('[assignments.evidence] [assignments.party] take evidence as cases do', async () => {
    const { owner, worker, id } = await createSubmittedTask();
    const stranger = await w.createHolder();
    const before = await w.listStoredRows();
    expect(await w.addEvidence(stranger, id, 2)).toMatchObject(buildProblem(403, 'forbidden'));
    expect(await w.addEvidence(owner, id, 1)).toMatchObject(
      buildProblem(409, 'version_conflict', { currentVersion: 2 }),
    );
    for (const more of [
      { text: null },
      { kind: 'url', url: 'ftp://x.example', text: null },
      { kind: 'url' },
    ])
      expect(await w.addEvidence(owner, id, 2, more), JSON.stringify(more)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    const room = await f.createRoom({ ...owner, key: owner.forumKey }, 'private');
    const hidden = await f.postMessage(
      { ...owner, key: owner.forumKey },
      await f.createThread({ ...owner, key: owner.forumKey }, room),
      'Only here.',
    );
    const message = { kind: 'message', messageId: hidden.id, text: null };
    expect(await w.addEvidence(worker, id, 2, message)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect((await w.listStoredRows()).length).toBeGreaterThan(before.length);
    expect((await w.addEvidence(owner, id, 2, message)).status).toBe(200);
    expect((await w.addEvidence(worker, id, 3)).status).toBe(200);
    const listEvidence = async (reader: CreditHolder | null) =>
      (await w.getAssignment(reader, id)).evidence.map((one: Json) => [
        one.kind,
        one.messageId,
        one.assignmentId,
      ]);
    expect(await listEvidence(null)).toEqual([
      ['message', null, id],
      ['statement', null, id],
    ]);
  });

  it('[assignments.withdraw] leave withdrawn evidence out of later rounds', async () => {
    const { owner, worker, task, id, caseId } = await createSubmittedTask(
      {},
      { ...rightWork, evidence: [{ kind: 'statement', text: 'Frozen.' }] },
    );
    const [frozen] = (await w.getAssignment(null, id)).evidence;
    const wrong = (await w.addEvidence(owner, id, 2, { text: 'A slip.' })).body;
    const right = (await w.addEvidence(worker, id, 3)).body;
    const withdraw = (agent: CreditHolder, evidenceId: string, expectedVersion = 1, about = id) =>
      w.send(agent, 'POST', `assignments/${about}/evidence/${evidenceId}/withdraw`, {
        expectedVersion,
      });
    expect(await withdraw(worker, wrong.id)).toMatchObject(buildProblem(403, 'forbidden'));
    expect(await withdraw(await w.createHolder(), wrong.id)).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
    expect(await withdraw(owner, wrong.id, 2)).toMatchObject(
      buildProblem(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(await withdraw(owner, wrong.id, 1, (await createSubmittedTask()).id)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(
      await f.send('POST', `/api/v1/evidence/${wrong.id}/withdraw`, {
        key: await f.getKeyWithScope({ ...owner, key: owner.forumKey }, 'interactions'),
        body: { expectedVersion: 1 },
      }),
    ).toMatchObject(buildProblem(404, 'not_found'));
    // The call runs twice at once, once on each node.
    const twice = await Promise.all(
      [f, factories(other)].map((node) =>
        node.send('POST', `/api/v1/assignments/${id}/evidence/${wrong.id}/withdraw`, {
          key: owner.key,
          body: { expectedVersion: 1 },
        }),
      ),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { receiptId } = twice.find(({ status }) => status === 200)?.body ?? {};
    expect((await f.send('GET', `/e/${receiptId}.json`)).body).toMatchObject({
      kind: 'evidence.withdrawn',
      subject: { id: wrong.id },
    });
    expect((await withdraw(worker, frozen.id)).status).toBe(200);
    const { evidence, evidenceIds, version, state } = await w.getAssignment(null, id);
    expect({
      states: evidence.map((one: Json) => one.state),
      evidenceIds,
      version,
      state,
    }).toEqual({
      states: ['withdrawn', 'withdrawn', 'submitted'],
      evidenceIds: [right.id],
      version: 6,
      state: 'submitted',
    });
    await advanceHours(72);
    const opener = { ...worker, key: worker.forumKey };
    expect(await j.openRound(opener, caseId, [wrong.id])).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect((await j.openRound(opener, caseId, [right.id])).status).toBe(200);
    const rounds = (await j.getCase(caseId)).rounds.map((round: Json) =>
      round.frozen.evidence.map((one: Json) => one.id),
    );
    expect(rounds).toEqual([[frozen.id], [right.id]]);
    await vote(caseId, 'upheld');
    await advanceHours(72);
    expect(await withdraw(worker, right.id)).toMatchObject({ status: 200 });
    expect(await w.getAssignment(null, id)).toMatchObject({ state: 'paid', evidenceIds: [] });
    expect(await w.getTask(null, task)).toMatchObject({ state: 'closed' });
  });
});
