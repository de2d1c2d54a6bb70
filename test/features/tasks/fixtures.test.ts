import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import { expectedAnswers, HOUR, rightWork, taskHelpers, taskSettings, wrongWork } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const other = await app.startNode();
const f = factories(app);
const w = taskHelpers(app, f);
const { db } = app.app.env;
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });

describe('createFixture', () => {
  it(
    '[fixtures.compare] [assignments.states] [fixtures.digest] ' + 'decides by the submission',
    async () => {
      const owner = await w.createHolder(10);
      const right = await w.createHolder();
      const wrong = await w.createHolder();
      const { id: fixtureId, answersSha256 } = await w.createAnswerFixture(owner);
      const id = await w.createTask(owner, { decisionMethod: 'fixture', fixtureId });
      expect((await w.getTask(null, id)).fixture).toEqual({
        id: fixtureId,
        answersSha256,
        revealed: null,
      });
      const a = await w.createAssignment(right, id);
      const b = await w.createAssignment(wrong, id);
      const shouted = {
        ...rightWork,
        answers: rightWork.answers.map(({ criterionId, answer }) => ({
          criterionId,
          answer: `  ${answer.toUpperCase()} `,
        })),
      };
      expect((await w.submitWork(right, a, shouted)).body).toMatchObject({
        state: 'paid',
        version: 3,
        receiptId: expect.any(String),
      });
      expect(await w.getEarned(right)).toEqual(buildBalance(5));
      for (const step of [
        () => w.submitWork(right, a, rightWork, 3),
        () => w.abandonAssignment(right, a, 3),
      ])
        expect(await step()).toMatchObject(buildProblem(409, 'state_conflict', { state: 'paid' }));
      expect(await w.getAssignment(owner, a)).toMatchObject({
        submission: null,
        evidence: [],
        state: 'paid',
      });
      expect((await w.submitWork(wrong, b, wrongWork)).body).toMatchObject({ state: 'refused' });
      expect({ owner: await w.getEarned(owner), worker: await w.getEarned(wrong) }).toEqual({
        owner: buildBalance(5),
        worker: buildBalance(0),
      });
      const { revealed } = (await w.getTask(null, id)).fixture;
      const answers = Object.fromEntries(
        revealed.answers.map((one: Json) => [one.criterionId, one.answer]),
      );
      expect(answers).toEqual(expectedAnswers);
      // The RFC 8785 form is written by hand.
      const answersJson = '{"answer":"Forty-Two","tests":"All 212 pass"}';
      const canonical = `{"answers":${answersJson},"salt":"${revealed.salt}"}`;
      expect(sha256(canonical).toString('hex')).toBe(answersSha256);
      expect((await w.getAssignment(null, a)).submission.answers[0].answer).toContain('ALL 212');
    },
  );

  it('[fixtures.use] serves several tasks and reveals answers with the last', async () => {
    const owner = await w.createHolder(30);
    const { id: fixtureId } = await w.createAnswerFixture(owner);
    const make = () =>
      w.send(owner, 'POST', 'tasks', w.request({ decisionMethod: 'fixture', fixtureId, slots: 1 }));
    const first = (await make()).body.id;
    const second = (await make()).body.id;
    const third = (await make()).body.id;
    const isRevealed = async (id: string) => (await w.getTask(null, id)).fixture.revealed !== null;
    // A cancelled task reveals nothing.
    await w.cancelTask(owner, third);
    const worker = await w.createHolder();
    await w.submitWork(worker, await w.createAssignment(worker, first));
    expect({
      first: await isRevealed(first),
      second: await isRevealed(second),
      third: await isRevealed(third),
    }).toEqual({ first: false, second: false, third: false });
    expect((await make()).status).toBe(200);
    app.clock.advance(HOUR);
    await app.app.jobs.runDue();
    expect({ first: await isRevealed(first), second: await isRevealed(second) }).toEqual({
      first: true,
      second: true,
    });
    expect(await make()).toMatchObject(
      buildProblem(422, 'not_eligible', { reason: 'fixture_revealed' }),
    );
    const few = {
      decisionMethod: 'fixture',
      fixtureId: (await w.createAnswerFixture(owner)).id,
      rubric: [{ id: 'tests', text: 'T?' }],
    };
    expect(await w.send(owner, 'POST', 'tasks', w.request(few))).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
  });

  it('[fixtures.hidden] keeps answers and their receipts private', async () => {
    const owner = await w.createHolder(10);
    const worker = await w.createHolder();
    const id = await w.createAssignment(worker, await w.createFixtureTask(owner, { slots: 2 }));
    await w.submitWork(worker, id, {
      ...rightWork,
      evidence: [{ kind: 'statement', text: expectedAnswers.answer }],
    });
    const [piece] = (await w.getAssignment(worker, id)).evidence;
    const found = await db.first<{ id: string }>(
      sql`SELECT receipt_id AS id FROM records WHERE id = ${piece.id}`,
    );
    const keys = [
      undefined,
      ...(await Promise.all(
        [owner, worker].map((one) =>
          f.getKeyWithScope({ ...one, key: one.forumKey }, 'credentials'),
        ),
      )),
    ];
    const read = () =>
      Promise.all(
        keys.map(
          async (key) =>
            (await f.send('GET', `/e/${found?.id}.json`, key === undefined ? {} : { key })).status,
        ),
      );
    expect(await read()).toEqual([404, 404, 200]);
    app.clock.advance(HOUR);
    await app.app.jobs.runDue();
    expect(await read()).toEqual([404, 200, 200]);
  });

  it('[fixtures.input] accepts answers that can be compared', async () => {
    const owner = await w.createHolder();
    const before = await w.listStoredRows();
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`c${n}`, 'yes']));
    for (const answers of [
      {},
      [],
      null,
      many,
      { a: '' },
      { a: ' \n\u00a0' },
      { a: 1 },
      { a: null },
      { _a: 'yes' },
      { a: 'x'.repeat(2001) },
    ])
      expect(
        await f.send('POST', '/api/v1/admin/fixtures', {
          admin: true,
          body: { name: 'F', owners: [owner.handle], answers },
        }),
        JSON.stringify(answers),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await w.listStoredRows()).toEqual(before);
  });

  it('[fixtures.use] is closed or used when both race on two nodes', async () => {
    const worker = await w.createHolder();
    for (let round = 0; round < 6; round++) {
      const owner = await w.createHolder(10);
      const { id: fixtureId } = await w.createAnswerFixture(owner);
      const use = { decisionMethod: 'fixture', fixtureId, slots: 1 };
      const first = await w.createTask(owner, use);
      const work = await w.createAssignment(worker, first);
      const post = () =>
        factories(other).send('POST', '/api/v1/tasks', { key: owner.key, body: w.request(use) });
      const [submitted, posted] = await Promise.all(
        round % 2
          ? [w.submitWork(worker, work), post()]
          : [post(), w.submitWork(worker, work)].reverse(),
      );
      const revealed = (await w.getTask(null, first)).fixture.revealed !== null;
      expect({ submitted: submitted?.status, posted: posted?.status }).toEqual({
        submitted: 200,
        posted: revealed ? 422 : 200,
      });
    }
  });

  it('[fixtures.immutable] is immutable', async () => {
    const { id } = await w.createAnswerFixture(await w.createHolder());
    for (const statement of [
      sql`
        UPDATE fixtures
        SET answers = '{"tests": "none"}'
        WHERE id = ${id}
      `,
      sql`
        UPDATE fixtures
        SET revealed_at = now(), name = 'x'
        WHERE id = ${id}
      `,
      sql`DELETE FROM fixtures WHERE id = ${id}`,
      sql`TRUNCATE fixtures CASCADE`,
    ])
      for (const role of ['origin', 'replica'])
        await expect(
          db.transaction(async (tx) => {
            await tx.run(sql`SELECT set_config('session_replication_role', ${role}, true)`);
            await tx.run(statement);
          }),
        ).rejects.toThrow(
          /^(a fixture never changes|(fixtures|tasks|fixture_\w+) is append-only)$/,
        );
  });
});
