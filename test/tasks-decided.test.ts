import { describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { settleDecided } from '../src/features/tasks/settle-decided.job.ts';
import { sha256 } from '../src/kernel/credentials.ts';
import { judges } from './adjudication.ts';
import { startApp } from './app.ts';
import type { Holder } from './credits.ts';
import { factories, type Loose, refused, type TestAgent } from './factories.ts';
import { EXPECTED, HOUR, RIGHT, TASKS, WRONG, works } from './tasks.ts';

const app = await startApp(TASKS);
const other = await app.another();
const f = factories(app);
const w = works(app, f);
const j = judges(f);
const { db } = app.app.env;
const has = (available: number, reserved = 0) => ({ available, reserved });
const voters = await j.voters(3);

/** A submission to a new task of a new owner, with its case; it waits for the community. */
async function submitted(more: object = {}, work: object = RIGHT): Promise<{ owner: Holder; worker: Holder; task: string; id: string; caseId: string }> {
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
    expect(await j.detail(good.caseId)).toMatchObject({ openedBy: null, subject: { type: 'task_submission', id: good.id }, state: 'open' });
    expect(JSON.stringify(await j.detail(good.caseId))).toContain(EXPECTED.answer);
    for (const agent of [good.owner, good.worker])
      expect(await j.vote({ ...agent, key: agent.forum }, good.caseId)).toMatchObject(refused(422, 'not_eligible'));
    await vote(good.caseId, 'upheld');
    await vote(bad.caseId, 'rejected');
    await wait(72);
    expect(await w.assignment(null, good.id)).toMatchObject({ state: 'paid', version: 3, submission: { verdict: 'refuted' } });
    expect(await w.assignment(null, bad.id)).toMatchObject({ state: 'refused', version: 3 });
    for (const { task } of [good, bad]) expect(await w.detail(null, task)).toMatchObject({ state: 'closed', settledSlots: 1 });
    expect([await w.earned(good.owner), await w.earned(good.worker), await w.earned(bad.owner), await w.earned(bad.worker)]).toEqual([
      has(5),
      has(5),
      has(10),
      has(0),
    ]);
    expect(await w.evidence(bad.worker, bad.id, 3)).toMatchObject(refused(409, 'state_conflict', { state: 'refused' }));
    const { receiptId } = await w.assignment(null, good.id);
    expect((await f.send('GET', `/e/${receiptId}.json`)).body).toMatchObject({ kind: 'task.settled', actor: null, subject: { type: 'task', id: good.task } });
  });

  it('[assignments.unresolved] [assignments.evidence] leaves what it could not decide reserved, until a later round does', async () => {
    const { owner, worker, task, id, caseId } = await submitted();
    await j.vote(voters[0] as TestAgent, caseId);
    await wait(72);
    expect(await w.assignment(null, id)).toMatchObject({ state: 'unresolved', version: 3 });
    await wait(500);
    expect([await w.earned(owner), await w.earned(worker), await w.detail(null, task)]).toMatchObject([has(5, 5), has(0), { state: 'full', settledSlots: 0 }]);
    const added = await w.evidence(worker, id, 3);
    expect(added).toMatchObject({ status: 200, body: { version: 1, state: 'submitted' } });
    expect(await j.round({ ...worker, key: worker.forum }, caseId, [added.body.id])).toMatchObject({ status: 200 });
    await vote(caseId, 'upheld');
    await wait(72);
    expect([await w.assignment(null, id), await w.detail(null, task), await w.earned(worker), await w.earned(owner)]).toMatchObject([
      { state: 'paid' },
      { state: 'closed' },
      has(5),
      has(5),
    ]);
  });

  it('[assignments.earliest] is not heard twice: of two rounds that decided, the first counts, also when the job comes late', async () => {
    const { worker, id, caseId } = await submitted();
    await vote(caseId, 'upheld');
    // No job comes round meanwhile.
    await db.run(sql`UPDATE assignments SET undecided = false WHERE id = ${id}`);
    app.clock.advance(72 * HOUR);
    await j.closeAll();
    const added = await w.evidence(worker, id, 2);
    expect((await j.round({ ...worker, key: worker.forum }, caseId, [added.body.id])).status).toBe(200);
    await vote(caseId, 'rejected');
    app.clock.advance(72 * HOUR);
    await j.closeAll();
    await db.run(sql`UPDATE assignments SET undecided = true WHERE id = ${id}`);
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
    for (const { id, worker } of waiting) expect([await w.assignment(null, id), await w.earned(worker)]).toMatchObject([{ state: 'paid', version: 3 }, has(5)]);
  });

  it('[assignments.evidence] [assignments.party] takes evidence as interactions do', async () => {
    const { owner, worker, id } = await submitted();
    const stranger = await w.holder();
    const before = await w.stored();
    expect(await w.evidence(stranger, id, 2)).toMatchObject(refused(403, 'forbidden'));
    expect(await w.evidence(owner, id, 1)).toMatchObject(refused(409, 'version_conflict', { currentVersion: 2 }));
    for (const more of [{ text: null }, { kind: 'url', url: 'ftp://x.example', text: null }, { kind: 'url' }])
      expect(await w.evidence(owner, id, 2, more), JSON.stringify(more)).toMatchObject(refused(400, 'invalid_request'));
    const room = await f.room({ ...owner, key: owner.forum }, 'private');
    const hidden = await f.post({ ...owner, key: owner.forum }, await f.thread({ ...owner, key: owner.forum }, room), 'Only here.');
    const message = { kind: 'message', messageId: hidden.id, text: null };
    expect(await w.evidence(worker, id, 2, message)).toMatchObject(refused(404, 'not_found'));
    expect((await w.stored()).length).toBeGreaterThan(before.length);
    expect((await w.evidence(owner, id, 2, message)).status).toBe(200);
    expect((await w.evidence(worker, id, 3)).status).toBe(200);
    const shown = async (reader: Holder | null) => (await w.assignment(reader, id)).evidence.map((one: Loose) => [one.kind, one.messageId, one.assignmentId]);
    expect(await shown(null)).toEqual([
      ['message', null, id],
      ['statement', null, id],
    ]);
  });

  it('[assignments.withdraw] leaves out of later rounds what its submitter withdrew, and no other piece', async () => {
    const { owner, worker, task, id, caseId } = await submitted({}, { ...RIGHT, evidence: [{ kind: 'statement', text: 'Frozen.' }] });
    const [frozen] = (await w.assignment(null, id)).evidence;
    const [wrong, right] = [(await w.evidence(owner, id, 2, { text: 'A slip.' })).body, (await w.evidence(worker, id, 3)).body];
    const withdraw = (agent: Holder, evidenceId: string, expectedVersion = 1, about = id) =>
      w.send(agent, 'POST', `assignments/${about}/evidence/${evidenceId}/withdraw`, { expectedVersion });
    expect(await withdraw(worker, wrong.id)).toMatchObject(refused(403, 'forbidden'));
    expect(await withdraw(await w.holder(), wrong.id)).toMatchObject(refused(403, 'forbidden'));
    expect(await withdraw(owner, wrong.id, 2)).toMatchObject(refused(409, 'version_conflict', { currentVersion: 1 }));
    expect(await withdraw(owner, wrong.id, 1, (await submitted()).id)).toMatchObject(refused(404, 'not_found'));
    expect(
      await f.send('POST', `/api/v1/evidence/${wrong.id}/withdraw`, {
        key: await f.keyWith({ ...owner, key: owner.forum }, 'interactions'),
        body: { expectedVersion: 1 },
      }),
    ).toMatchObject(refused(404, 'not_found'));
    // Twice at once, once on each node.
    const twice = await Promise.all(
      [f, factories(other)].map((node) =>
        node.send('POST', `/api/v1/assignments/${id}/evidence/${wrong.id}/withdraw`, { key: owner.key, body: { expectedVersion: 1 } }),
      ),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { receiptId } = twice.find(({ status }) => status === 200)?.body ?? {};
    expect((await f.send('GET', `/e/${receiptId}.json`)).body).toMatchObject({ kind: 'evidence.withdrawn', subject: { id: wrong.id } });
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
    const rounds = (await j.detail(caseId)).rounds.map((round: Loose) => round.frozen.evidence.map((one: Loose) => one.id));
    expect(rounds).toEqual([[frozen.id], [right.id]]);
    await vote(caseId, 'upheld');
    await wait(72);
    expect(await withdraw(worker, right.id)).toMatchObject(refused(409, 'state_conflict', { state: 'paid' }));
    expect(await w.detail(null, task)).toMatchObject({ state: 'closed' });
  });
});

describe('a fixture', () => {
  it('[fixtures.compare] [assignments.states] [fixtures.digest] decides with the submission', async () => {
    const [owner, right, wrong] = [await w.holder(10), await w.holder(), await w.holder()];
    const { id: fixtureId, answersSha256 } = await w.fixture();
    const id = await w.task(owner, { decisionMethod: 'fixture', fixtureId });
    expect((await w.detail(null, id)).fixture).toEqual({ id: fixtureId, answersSha256, revealed: null });
    const [a, b] = [await w.taken(right, id), await w.taken(wrong, id)];
    const shouted = { ...RIGHT, answers: RIGHT.answers.map(({ criterionId, answer }) => ({ criterionId, answer: `  ${answer.toUpperCase()} ` })) };
    expect((await w.submit(right, a, shouted)).body).toMatchObject({ state: 'paid', version: 3, receiptId: expect.any(String) });
    expect(await w.earned(right)).toEqual(has(5));
    for (const step of [() => w.submit(right, a), () => w.abandon(right, a), () => w.evidence(right, a, 3)])
      expect(await step()).toMatchObject(refused(409, 'state_conflict', { state: 'paid' }));
    expect(await w.assignment(owner, a)).toMatchObject({ submission: null, evidence: [], state: 'paid' });
    expect((await w.submit(wrong, b, WRONG)).body).toMatchObject({ state: 'refused' });
    expect([await w.earned(owner), await w.earned(wrong)]).toEqual([has(5), has(0)]);
    const { revealed } = (await w.detail(null, id)).fixture;
    const answers = Object.fromEntries(revealed.answers.map((one: Loose) => [one.criterionId, one.answer]));
    expect(answers).toEqual(EXPECTED);
    // RFC 8785 of it, written by hand.
    const canonical = `{"answers":{"answer":"Forty-Two","tests":"All 212 pass"},"salt":"${revealed.salt}"}`;
    expect(sha256(canonical).toString('hex')).toBe(answersSha256);
    expect((await w.assignment(null, a)).submission.answers[0].answer).toContain('ALL 212');
  });

  it('[fixtures.use] serves several tasks, shows its answers with the last of them, and no further one', async () => {
    const { id: fixtureId } = await w.fixture();
    const owner = await w.holder(30);
    const make = () => w.send(owner, 'POST', 'tasks', w.request({ decisionMethod: 'fixture', fixtureId, slots: 1 }));
    const [first, second, third] = [(await make()).body.id, (await make()).body.id, (await make()).body.id];
    const revealed = async (id: string) => (await w.detail(null, id)).fixture.revealed !== null;
    // What was cancelled shows nothing.
    await w.cancel(owner, third);
    const worker = await w.holder();
    await w.submit(worker, await w.taken(worker, first));
    expect([await revealed(first), await revealed(second), await revealed(third)]).toEqual([false, false, false]);
    expect((await make()).status).toBe(200);
    await wait(1);
    expect([await revealed(first), await revealed(second)]).toEqual([true, true]);
    expect(await make()).toMatchObject(refused(422, 'not_eligible', { reason: 'fixture_revealed' }));
    const few = { decisionMethod: 'fixture', fixtureId: (await w.fixture()).id, rubric: [{ id: 'tests', text: 'T?' }] };
    expect(await w.send(owner, 'POST', 'tasks', w.request(few))).toMatchObject(refused(400, 'invalid_request'));
  });

  it('[fixtures.input] has answers that something can be compared with', async () => {
    const before = await w.stored();
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`c${n}`, 'yes']));
    for (const answers of [{}, [], null, many, { a: '' }, { a: ' \n\u00a0' }, { a: 1 }, { a: null }, { _a: 'yes' }, { a: 'x'.repeat(2001) }])
      expect(await f.send('POST', '/api/v1/admin/fixtures', { admin: true, body: { name: 'F', answers } }), JSON.stringify(answers)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(await w.stored()).toEqual(before);
  });

  it('[fixtures.use] is closed or used, raced on two nodes: no task is open whose answers anyone may know', async () => {
    const worker = await w.holder();
    for (let round = 0; round < 6; round++) {
      const [owner, { id: fixtureId }] = [await w.holder(10), await w.fixture()];
      const use = { decisionMethod: 'fixture', fixtureId, slots: 1 };
      const first = await w.task(owner, use);
      const work = await w.taken(worker, first);
      const post = () => factories(other).send('POST', '/api/v1/tasks', { key: owner.key, body: w.request(use) });
      const [submitted, posted] = await Promise.all(round % 2 ? [w.submit(worker, work), post()] : [post(), w.submit(worker, work)].reverse());
      const revealed = (await w.detail(null, first)).fixture.revealed !== null;
      expect([submitted?.status, posted?.status]).toEqual([200, revealed ? 422 : 200]);
    }
  });

  it('[fixtures.immutable] never changes', async () => {
    const { id } = await w.fixture();
    for (const statement of [
      sql`UPDATE fixtures SET answers = '{"tests": "none"}' WHERE id = ${id}`,
      sql`UPDATE fixtures SET revealed_at = now(), name = 'x' WHERE id = ${id}`,
      sql`DELETE FROM fixtures WHERE id = ${id}`,
      sql`TRUNCATE fixtures CASCADE`,
    ])
      for (const role of ['origin', 'replica'])
        await expect(
          db.transaction(async (tx) => {
            await tx.run(sql`SELECT set_config('session_replication_role', ${role}, true)`);
            await tx.run(statement);
          }),
        ).rejects.toThrow(/^(a fixture never changes|fixtures is append-only|tasks is append-only)$/);
  });
});
