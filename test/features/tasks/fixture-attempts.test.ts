import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { expectedAnswers, HOUR, taskHelpers, taskSettings, wrongWork } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const other = await app.startNode();
const f = factories(app);
const w = taskHelpers(app, f);
const otherTasks = taskHelpers(other, factories(other));
const refused = (reason: string) => buildProblem(422, 'not_eligible', { reason });
const setOperatorGroup = (agent: { readonly id: string }, operatorGroup: string | null) =>
  f.ok('PUT', `/api/v1/admin/agents/${agent.id}/operator-group`, {
    admin: true,
    body: { operatorGroup },
  });
const postWith = (owner: CreditHolder, fixtureId: string, more: object = {}) =>
  w.send(
    owner,
    'POST',
    'tasks',
    w.request({ decisionMethod: 'fixture', fixtureId, slots: 2, reward: 1, ...more }),
  );
const createWith = async (...given: Parameters<typeof postWith>): Promise<string> =>
  (await postWith(...given)).body.id;

describe('createFixture', () => {
  it('[fixtures.owners] createTask takes a fixture from its owners alone', async () => {
    const owner = await w.createHolder(10);
    const second = await w.createHolder(10);
    const stranger = await w.createHolder(10);
    const before = await w.listStoredRows();
    for (const [owners, status] of [
      [[], 400],
      [Array(21).fill(owner.handle), 400],
      [[owner.handle, 'nobody-at-all'], 404],
      [null, 400],
      [undefined, 400],
    ] as const)
      expect(
        (
          await f.send('POST', '/api/v1/admin/fixtures', {
            admin: true,
            body: { name: 'F', owners, answers: expectedAnswers },
          })
        ).status,
      ).toBe(status);
    expect(await w.listStoredRows()).toEqual(before);
    const { id } = await w.createAnswerFixture([owner, second, owner]);
    expect(await postWith(stranger, id)).toMatchObject(refused('fixture_not_yours'));
    for (const one of [owner, second]) expect((await postWith(one, id)).status).toBe(200);
  });
});

describe('takeAssignment', () => {
  it('[fixtures.owners] takeAssignment refuses owners and their operator', async () => {
    const owner = await w.createHolder(10);
    const second = await w.createHolder();
    const related = await w.createHolder();
    await Promise.all([setOperatorGroup(second, 'Owners'), setOperatorGroup(related, 'Owners')]);
    const { id } = await w.createAnswerFixture([owner, second]);
    const task = await createWith(owner, id);
    for (const agent of [second, related])
      expect(await w.takeAssignment(agent, task)).toMatchObject(refused('fixture_owner'));
    // What becomes known after a slot was taken counts when the work is submitted.
    await setOperatorGroup(related, null);
    const taken = await w.createAssignment(related, task);
    await setOperatorGroup(related, 'Owners');
    expect(await w.submitWork(related, taken)).toMatchObject(refused('fixture_owner'));
    expect((await w.getAssignment(null, taken)).state).toBe('assigned');
  });

  it('[fixtures.once] takeAssignment tells that another task has asked the same', async () => {
    const owner = await w.createHolder(10);
    const guesser = await w.createHolder();
    const friend = await w.createHolder();
    const { id } = await w.createAnswerFixture(owner);
    const first = await createWith(owner, id);
    const second = await createWith(owner, id);
    const third = await createWith(owner, id);
    // Slots of two tasks are taken before either is tried.
    const one = await w.createAssignment(guesser, first);
    const two = await w.createAssignment(guesser, second);
    expect((await w.submitWork(guesser, one, wrongWork)).body).toMatchObject({ state: 'refused' });
    expect(await w.submitWork(guesser, two)).toMatchObject(refused('fixture_tried'));
    expect(await w.takeAssignment(guesser, third)).toMatchObject(refused('fixture_tried'));
    expect((await w.takeAssignment(friend, third)).status).toBe(200);
    await Promise.all([setOperatorGroup(guesser, 'Same'), setOperatorGroup(friend, 'Same')]);
    expect(await w.takeAssignment(friend, first)).toMatchObject(refused('fixture_tried'));
    expect(await w.getEarned(guesser)).toEqual({ available: 0, reserved: 0 });
  });
});

describe('submitWork', () => {
  it('[fixtures.once] submitWork counts one attempt, raced on two nodes', async () => {
    for (let round = 0; round < 4; round++) {
      const owner = await w.createHolder(10);
      const guessers = [await w.createHolder(), await w.createHolder()];
      await Promise.all(guessers.map((one) => setOperatorGroup(one, `Raced ${round}`)));
      const { id } = await w.createAnswerFixture(owner);
      // Each agent has a slot of each of two tasks.
      const tasks = [await createWith(owner, id), await createWith(owner, id)];
      const taken: [CreditHolder, string][] = [];
      for (const task of tasks)
        for (const one of guessers) taken.push([one, await w.createAssignment(one, task)]);
      const answers = await Promise.all(
        taken.map(([one, assignment], n) =>
          (n % 2 ? w : otherTasks).submitWork(one, assignment, wrongWork),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
      await expect(
        app.app.env.db.run(sql`
          INSERT INTO fixture_attempts
          SELECT fixture_id, agent_id, assignment_id, created_at
          FROM fixture_attempts
          WHERE fixture_id = ${id}
        `),
      ).rejects.toThrow('fixture_attempts_pkey');
    }
  });
});

describe('getTask', () => {
  it('[fixtures.reveal] getTask shows answers once one is closed and none open', async () => {
    const owner = await w.createHolder(10);
    const worker = await w.createHolder();
    const { id } = await w.createAnswerFixture(owner);
    const closed = await createWith(owner, id, { slots: 1 });
    const cancelled = await createWith(owner, id, { deadline: w.until(90 * 24 * HOUR) });
    const isRevealed = async () => (await w.getTask(null, closed)).fixture.revealed !== null;
    expect((await w.submitWork(worker, await w.createAssignment(worker, closed))).status).toBe(200);
    expect(await isRevealed()).toBe(false);
    await w.cancelTask(owner, cancelled);
    expect(await isRevealed()).toBe(true);
    // Cancelling alone shows nothing, because nobody worked.
    const { id: unused } = await w.createAnswerFixture(owner);
    const alone = await createWith(owner, unused);
    await w.cancelTask(owner, alone);
    expect((await w.getTask(null, alone)).fixture.revealed).toBe(null);
  });
});

describe('lists for administrators', () => {
  it('[fixtures.list] listFixtures shows everything but the answers', async () => {
    const owner = await w.createHolder(10);
    const { id, answersSha256, createdAt } = await w.createAnswerFixture(owner, { tests: 'Teal' });
    await createWith(owner, id, { rubric: [{ id: 'tests', text: 'T?' }] });
    const answer = await f.send('GET', '/api/v1/admin/fixtures?limit=1', { admin: true });
    expect(answer.body).toEqual([
      {
        id,
        name: 'A fixture',
        owners: [owner.handle],
        criteria: ['tests'],
        answersSha256,
        tasks: 1,
        revealedAt: null,
        createdAt,
      },
    ]);
    expect(answer.text).not.toContain('Teal');
    expect(await f.send('GET', '/api/v1/admin/fixtures', { key: owner.key })).toMatchObject({
      status: 401,
    });
  });

  it('[agents.operator-list] listOperatorGroups shows who has which operator', async () => {
    const agents = [await w.createHolder(), await w.createHolder()];
    for (const agent of agents) {
      app.clock.advance(1);
      await setOperatorGroup(agent, 'Listed Labs');
    }
    const rows = await f.ok('GET', '/api/v1/admin/operator-groups?limit=2', { admin: true });
    expect(rows.map(({ handle, operatorGroup }: Json) => [handle, operatorGroup])).toEqual(
      agents.reverse().map(({ handle }) => [handle, 'Listed Labs']),
    );
    const [first] = rows;
    await setOperatorGroup({ id: first.agentId }, null);
    expect(
      JSON.stringify(await f.ok('GET', '/api/v1/admin/operator-groups', { admin: true })),
    ).not.toContain(first.agentId);
  });
});
