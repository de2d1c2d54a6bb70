import { describe, expect, it } from 'vitest';
import { settleDecided } from '../../../src/features/tasks/settle-decided.job.ts';
import { judges } from '../adjudication/setup.ts';
import { startApp } from '../../support/app.ts';
import type { Holder } from '../credits/setup.ts';
import { factories, type Loose, refused, type TestAgent } from '../../support/factories.ts';
import { EXPECTED, HOUR, RIGHT, TASKS, WRONG, works } from './setup.ts';

const app = await startApp(TASKS, { jobsByHand: true });
const other = await app.another();
const f = factories(app);
const w = works(app, f);
const j = judges(f);
const has = (available: number, reserved = 0) => ({ available, reserved });
const voters = await j.voters(3);

/** A submission to a new task of a new owner, with its case; it waits for the community. */
async function submitted(
  more: object = {},
  work: object = RIGHT,
): Promise<{ owner: Holder; worker: Holder; task: string; id: string; caseId: string }> {
  const [owner, worker] = [await w.holder(10), await w.holder()];
  const task = await w.task(owner, { slots: 1, deadline: w.until(500 * HOUR), ...more });
  const id = await w.taken(worker, task);
  expect((await w.submit(worker, id, work)).body).toMatchObject({ state: 'submitted', version: 2 });
  return { owner, worker, task, id, caseId: (await w.assignment(null, id)).caseId };
}
const vote = async (caseId: string, verdict: string) => {
  for (const voter of voters) expect((await j.vote(voter, caseId, verdict)).status).toBe(200);
};
const wait = async (hours: number) => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
  await app.app.jobs.runDue();
};
const settle = async () => {
  while (await settleDecided(app.app.env));
};

describe('the community', () => {
  it('[assignments.community] [tasks.funding] judges each submission in a case that opened by itself, and pays a negative finding', async () => {
    const [good, bad] = [await submitted(), await submitted({}, WRONG)];
    expect(await w.detail(null, good.task)).toMatchObject({ state: 'full' });
    expect(await j.detail(good.caseId)).toMatchObject({
      openedBy: null,
      subject: { type: 'task_submission', id: good.id },
      state: 'open',
    });
    expect(JSON.stringify(await j.detail(good.caseId))).toContain(EXPECTED.answer);
    for (const agent of [good.owner, good.worker])
      expect(await j.vote({ ...agent, key: agent.forum }, good.caseId)).toMatchObject(
        refused(422, 'not_eligible'),
      );
    await vote(good.caseId, 'upheld');
    await vote(bad.caseId, 'rejected');
    await wait(72);
    expect(await w.assignment(null, good.id)).toMatchObject({
      state: 'paid',
      version: 3,
      submission: { verdict: 'refuted' },
    });
    expect(await w.assignment(null, bad.id)).toMatchObject({ state: 'refused', version: 3 });
    for (const { task } of [good, bad])
      expect(await w.detail(null, task)).toMatchObject({ state: 'closed', settledSlots: 1 });
    expect([
      await w.earned(good.owner),
      await w.earned(good.worker),
      await w.earned(bad.owner),
      await w.earned(bad.worker),
    ]).toEqual([has(5), has(5), has(10), has(0)]);
    expect(await w.evidence(bad.worker, bad.id, 3)).toMatchObject(
      refused(409, 'state_conflict', { state: 'refused' }),
    );
    const { receiptId } = await w.assignment(null, good.id);
    expect((await f.send('GET', `/e/${receiptId}.json`)).body).toMatchObject({
      kind: 'task.settled',
      actor: null,
      subject: { type: 'task', id: good.task },
    });
  });

  it('[assignments.unresolved] [assignments.evidence] leaves what it could not decide reserved, until a later round does', async () => {
    const { owner, worker, task, id, caseId } = await submitted();
    await j.vote(voters[0] as TestAgent, caseId);
    await wait(72);
    expect(await w.assignment(null, id)).toMatchObject({ state: 'unresolved', version: 3 });
    await wait(500);
    expect([
      await w.earned(owner),
      await w.earned(worker),
      await w.detail(null, task),
    ]).toMatchObject([has(5, 5), has(0), { state: 'full', settledSlots: 0 }]);
    const added = await w.evidence(worker, id, 3);
    expect(added).toMatchObject({ status: 200, body: { version: 1, state: 'submitted' } });
    expect(await j.round({ ...worker, key: worker.forum }, caseId, [added.body.id])).toMatchObject({
      status: 200,
    });
    await vote(caseId, 'upheld');
    await wait(72);
    expect([
      await w.assignment(null, id),
      await w.detail(null, task),
      await w.earned(worker),
      await w.earned(owner),
    ]).toMatchObject([{ state: 'paid' }, { state: 'closed' }, has(5), has(5)]);
  });

  it('[assignments.earliest] is not heard twice: of two rounds that decided, the first counts, also when the job comes late', async () => {
    const { worker, id, caseId } = await submitted();
    await vote(caseId, 'upheld');
    app.clock.advance(72 * HOUR);
    await j.closeAll();
    const added = await w.evidence(worker, id, 2);
    expect((await j.round({ ...worker, key: worker.forum }, caseId, [added.body.id])).status).toBe(
      200,
    );
    await vote(caseId, 'rejected');
    app.clock.advance(72 * HOUR);
    await j.closeAll();
    await settle();
    expect(await w.assignment(null, id)).toMatchObject({ state: 'paid' });
    await settle();
    expect(await w.earned(worker)).toEqual(has(5));
  });

  it('[tasks.once] is settled once by jobs of two nodes at once', async () => {
    const waiting = await Promise.all(Array.from({ length: 4 }, () => submitted()));
    for (const { caseId } of waiting) await vote(caseId, 'upheld');
    app.clock.advance(72 * HOUR);
    await j.closeAll();
    const exhaust = async ({ app: { env } }: typeof app) => {
      while (await settleDecided(env));
    };
    await Promise.all([exhaust(app), exhaust(other), exhaust(app), exhaust(other)]);
    for (const { id, worker } of waiting)
      expect([await w.assignment(null, id), await w.earned(worker)]).toMatchObject([
        { state: 'paid', version: 3 },
        has(5),
      ]);
  });

  it('[assignments.evidence] [assignments.party] takes evidence as interactions do', async () => {
    const { owner, worker, id } = await submitted();
    const stranger = await w.holder();
    const before = await w.stored();
    expect(await w.evidence(stranger, id, 2)).toMatchObject(refused(403, 'forbidden'));
    expect(await w.evidence(owner, id, 1)).toMatchObject(
      refused(409, 'version_conflict', { currentVersion: 2 }),
    );
    for (const more of [
      { text: null },
      { kind: 'url', url: 'ftp://x.example', text: null },
      { kind: 'url' },
    ])
      expect(await w.evidence(owner, id, 2, more), JSON.stringify(more)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    const room = await f.room({ ...owner, key: owner.forum }, 'private');
    const hidden = await f.post(
      { ...owner, key: owner.forum },
      await f.thread({ ...owner, key: owner.forum }, room),
      'Only here.',
    );
    const message = { kind: 'message', messageId: hidden.id, text: null };
    expect(await w.evidence(worker, id, 2, message)).toMatchObject(refused(404, 'not_found'));
    expect((await w.stored()).length).toBeGreaterThan(before.length);
    expect((await w.evidence(owner, id, 2, message)).status).toBe(200);
    expect((await w.evidence(worker, id, 3)).status).toBe(200);
    const shown = async (reader: Holder | null) =>
      (await w.assignment(reader, id)).evidence.map((one: Loose) => [
        one.kind,
        one.messageId,
        one.assignmentId,
      ]);
    expect(await shown(null)).toEqual([
      ['message', null, id],
      ['statement', null, id],
    ]);
  });

  it('[assignments.withdraw] leaves out of later rounds what its submitter withdrew, and no other piece', async () => {
    const { owner, worker, task, id, caseId } = await submitted(
      {},
      { ...RIGHT, evidence: [{ kind: 'statement', text: 'Frozen.' }] },
    );
    const [frozen] = (await w.assignment(null, id)).evidence;
    const [wrong, right] = [
      (await w.evidence(owner, id, 2, { text: 'A slip.' })).body,
      (await w.evidence(worker, id, 3)).body,
    ];
    const withdraw = (agent: Holder, evidenceId: string, expectedVersion = 1, about = id) =>
      w.send(agent, 'POST', `assignments/${about}/evidence/${evidenceId}/withdraw`, {
        expectedVersion,
      });
    expect(await withdraw(worker, wrong.id)).toMatchObject(refused(403, 'forbidden'));
    expect(await withdraw(await w.holder(), wrong.id)).toMatchObject(refused(403, 'forbidden'));
    expect(await withdraw(owner, wrong.id, 2)).toMatchObject(
      refused(409, 'version_conflict', { currentVersion: 1 }),
    );
    expect(await withdraw(owner, wrong.id, 1, (await submitted()).id)).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(
      await f.send('POST', `/api/v1/evidence/${wrong.id}/withdraw`, {
        key: await f.keyWith({ ...owner, key: owner.forum }, 'interactions'),
        body: { expectedVersion: 1 },
      }),
    ).toMatchObject(refused(404, 'not_found'));
    // Twice at once, once on each node.
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
    const { evidence, evidenceIds, version, state } = await w.assignment(null, id);
    expect([evidence.map((one: Loose) => one.state), evidenceIds, version, state]).toEqual([
      ['withdrawn', 'withdrawn', 'submitted'],
      [right.id],
      6,
      'submitted',
    ]);
    await wait(72);
    const opener = { ...worker, key: worker.forum };
    expect(await j.round(opener, caseId, [wrong.id])).toMatchObject(refused(404, 'not_found'));
    expect((await j.round(opener, caseId, [right.id])).status).toBe(200);
    const rounds = (await j.detail(caseId)).rounds.map((round: Loose) =>
      round.frozen.evidence.map((one: Loose) => one.id),
    );
    expect(rounds).toEqual([[frozen.id], [right.id]]);
    await vote(caseId, 'upheld');
    await wait(72);
    expect(await withdraw(worker, right.id)).toMatchObject(
      refused(409, 'state_conflict', { state: 'paid' }),
    );
    expect(await w.detail(null, task)).toMatchObject({ state: 'closed' });
  });
});
