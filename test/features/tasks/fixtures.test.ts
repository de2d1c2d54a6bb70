import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused } from '../../support/factories.ts';
import { EXPECTED, HOUR, RIGHT, TASKS, WRONG, works } from './setup.ts';

const app = await startApp(TASKS, { jobsByHand: true });
const other = await app.another();
const f = factories(app);
const w = works(app, f);
const { db } = app.app.env;
const has = (available: number, reserved = 0) => ({ available, reserved });

describe('a fixture', () => {
  it('[fixtures.compare] [assignments.states] [fixtures.digest] decides with the submission', async () => {
    const [owner, right, wrong] = [await w.holder(10), await w.holder(), await w.holder()];
    const { id: fixtureId, answersSha256 } = await w.fixture();
    const id = await w.task(owner, { decisionMethod: 'fixture', fixtureId });
    expect((await w.detail(null, id)).fixture).toEqual({
      id: fixtureId,
      answersSha256,
      revealed: null,
    });
    const [a, b] = [await w.taken(right, id), await w.taken(wrong, id)];
    const shouted = {
      ...RIGHT,
      answers: RIGHT.answers.map(({ criterionId, answer }) => ({
        criterionId,
        answer: `  ${answer.toUpperCase()} `,
      })),
    };
    expect((await w.submit(right, a, shouted)).body).toMatchObject({
      state: 'paid',
      version: 3,
      receiptId: expect.any(String),
    });
    expect(await w.earned(right)).toEqual(has(5));
    for (const step of [
      () => w.submit(right, a),
      () => w.abandon(right, a),
      () => w.evidence(right, a, 3),
    ])
      expect(await step()).toMatchObject(refused(409, 'state_conflict', { state: 'paid' }));
    expect(await w.assignment(owner, a)).toMatchObject({
      submission: null,
      evidence: [],
      state: 'paid',
    });
    expect((await w.submit(wrong, b, WRONG)).body).toMatchObject({ state: 'refused' });
    expect([await w.earned(owner), await w.earned(wrong)]).toEqual([has(5), has(0)]);
    const { revealed } = (await w.detail(null, id)).fixture;
    const answers = Object.fromEntries(
      revealed.answers.map((one: Loose) => [one.criterionId, one.answer]),
    );
    expect(answers).toEqual(EXPECTED);
    // RFC 8785 of it, written by hand.
    const canonical = `{"answers":{"answer":"Forty-Two","tests":"All 212 pass"},"salt":"${revealed.salt}"}`;
    expect(sha256(canonical).toString('hex')).toBe(answersSha256);
    expect((await w.assignment(null, a)).submission.answers[0].answer).toContain('ALL 212');
  });

  it('[fixtures.use] serves several tasks, shows its answers with the last of them, and no further one', async () => {
    const { id: fixtureId } = await w.fixture();
    const owner = await w.holder(30);
    const make = () =>
      w.send(owner, 'POST', 'tasks', w.request({ decisionMethod: 'fixture', fixtureId, slots: 1 }));
    const [first, second, third] = [
      (await make()).body.id,
      (await make()).body.id,
      (await make()).body.id,
    ];
    const revealed = async (id: string) => (await w.detail(null, id)).fixture.revealed !== null;
    // What was cancelled shows nothing.
    await w.cancel(owner, third);
    const worker = await w.holder();
    await w.submit(worker, await w.taken(worker, first));
    expect([await revealed(first), await revealed(second), await revealed(third)]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await make()).status).toBe(200);
    app.clock.advance(HOUR);
    await app.app.jobs.runDue();
    expect([await revealed(first), await revealed(second)]).toEqual([true, true]);
    expect(await make()).toMatchObject(
      refused(422, 'not_eligible', { reason: 'fixture_revealed' }),
    );
    const few = {
      decisionMethod: 'fixture',
      fixtureId: (await w.fixture()).id,
      rubric: [{ id: 'tests', text: 'T?' }],
    };
    expect(await w.send(owner, 'POST', 'tasks', w.request(few))).toMatchObject(
      refused(400, 'invalid_request'),
    );
  });

  it('[fixtures.hidden] and receipts of evidence for its work are private: nobody tries the answers against their hashes', async () => {
    const [owner, worker] = [await w.holder(10), await w.holder()];
    const id = await w.taken(worker, await w.fixed(owner, { slots: 2 }));
    await w.submit(worker, id, {
      ...RIGHT,
      evidence: [{ kind: 'statement', text: EXPECTED.answer }],
    });
    const [piece] = (await w.assignment(worker, id)).evidence;
    const found = await db.first<{ id: string }>(
      sql`SELECT receipt_id AS id FROM records WHERE id = ${piece.id}`,
    );
    const keys = [
      undefined,
      ...(await Promise.all(
        [owner, worker].map((one) => f.keyWith({ ...one, key: one.forum }, 'credentials')),
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

  it('[fixtures.input] has answers that something can be compared with', async () => {
    const before = await w.stored();
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
          body: { name: 'F', answers },
        }),
        JSON.stringify(answers),
      ).toMatchObject(refused(400, 'invalid_request'));
    expect(await w.stored()).toEqual(before);
  });

  it('[fixtures.use] is closed or used, raced on two nodes: no task is open whose answers anyone may know', async () => {
    const worker = await w.holder();
    for (let round = 0; round < 6; round++) {
      const [owner, { id: fixtureId }] = [await w.holder(10), await w.fixture()];
      const use = { decisionMethod: 'fixture', fixtureId, slots: 1 };
      const first = await w.task(owner, use);
      const work = await w.taken(worker, first);
      const post = () =>
        factories(other).send('POST', '/api/v1/tasks', { key: owner.key, body: w.request(use) });
      const [submitted, posted] = await Promise.all(
        round % 2 ? [w.submit(worker, work), post()] : [post(), w.submit(worker, work)].reverse(),
      );
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
        ).rejects.toThrow(
          /^(a fixture never changes|fixtures is append-only|tasks is append-only)$/,
        );
  });
});
