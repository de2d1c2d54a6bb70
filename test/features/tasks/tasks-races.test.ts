import { describe, expect, it } from 'vitest';
import { auditLedger } from '../../../src/cli/ledger.ts';
import { sql } from '../../../src/db/sql.ts';
import { expireTask } from '../../../src/features/tasks/expire-tasks.job.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { HOUR, rightWork, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const other = await app.startNode();
const f = factories(app);
const w = taskHelpers(app, f);
const otherTasks = taskHelpers(other, factories(other));
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });
const listStatuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).sort();
const expireAll = async ({ app: { env } }: typeof app) => {
  while (await expireTask(env));
};

describe('takeAssignment', () => {
  it(
    '[assignments.slots] [assignments.who] [assignments.abandon] ' + 'fills each slot once',
    async () => {
      const owner = await w.createHolder(100);
      const related = await w.createHolder();
      for (const { id } of [owner, related])
        await f.ok('PUT', `/api/v1/admin/agents/${id}/operator-group`, {
          admin: true,
          body: { operatorGroup: 'Labs' },
        });
      const id = await w.createTask(owner, { slots: 3 });
      const workers = await runConcurrently(6, () => w.createHolder());
      // Each call runs twice at once, once on each node.
      const answers = await Promise.all(
        workers.flatMap((worker) => [
          w.takeAssignment(worker, id),
          otherTasks.takeAssignment(worker, id),
        ]),
      );
      expect(listStatuses(answers)).toEqual([200, 200, 200, ...Array(9).fill(409)]);
      const { assignments, state } = await w.getTask(null, id);
      expect({
        state,
        slots: assignments.map(({ slot }: Json) => slot).sort(),
        agents: new Set(assignments.map(({ agentId }: Json) => agentId)).size,
      }).toEqual({ state: 'full', slots: [1, 2, 3], agents: 3 });
      expect(await w.takeAssignment(owner, id)).toMatchObject(
        buildProblem(422, 'not_eligible', { reason: 'owner' }),
      );
      expect(await w.takeAssignment(related, id)).toMatchObject(
        buildProblem(422, 'not_eligible', { reason: 'operator_group' }),
      );
      const [first] = assignments;
      const leaving = workers.find((worker) => worker.id === first.agentId) as (typeof workers)[0];
      const waiting = workers.filter(
        (worker) => !assignments.some(({ agentId }: Json) => agentId === worker.id),
      );
      expect((await w.abandonAssignment(leaving, first.id)).body).toMatchObject({
        state: 'abandoned',
      });
      expect(await w.getTask(null, id)).toMatchObject({ state: 'open', freeSlots: 1 });
      expect(await w.cancelTask(owner, id)).toMatchObject(
        buildProblem(409, 'state_conflict', { state: 'open' }),
      );
      expect(await w.takeAssignment(leaving, id)).toMatchObject(
        buildProblem(409, 'already_exists', { existingId: first.id }),
      );
      expect(
        listStatuses(
          await Promise.all(waiting.map((worker) => otherTasks.takeAssignment(worker, id))),
        ),
      ).toEqual([200, 409, 409]);
      expect(await w.getTask(null, id)).toMatchObject({ state: 'full' });
    },
  );

  it(
    '[assignments.deadline] [assignments.expiry] [assignments.states] ' + 'ends at the deadline',
    async () => {
      const owner = await w.createHolder(20);
      const worker = await w.createHolder();
      const late = await w.createHolder();
      const first = await w.createTask(owner, { deadline: w.until(HOUR) });
      const second = await w.createFixtureTask(owner, { deadline: w.until(HOUR) });
      const a = await w.createAssignment(worker, first);
      const b = await w.createAssignment(late, first);
      const c = await w.createAssignment(worker, second);
      app.clock.advance(HOUR - 1);
      expect((await w.submitWork(worker, a)).status).toBe(200);
      app.clock.advance(1);
      for (const step of [
        () => w.submitWork(late, b),
        () => otherTasks.submitWork(worker, c),
        () => w.abandonAssignment(late, b),
      ])
        expect(await step()).toMatchObject(
          buildProblem(409, 'state_conflict', { state: 'expired' }),
        );
      expect((await w.takeAssignment(late, second)).status).toBe(409);
      expect((await w.cancelTask(owner, second)).status).toBe(409);
      expect(await w.getEarned(owner)).toEqual(buildBalance(0, 20));
      await Promise.all([expireAll(app), expireAll(other), expireAll(app)]);
      expect(await w.getEarned(owner)).toEqual(buildBalance(15, 5));
      expect({
        first: await w.getTask(null, first),
        second: await w.getTask(null, second),
      }).toMatchObject({
        first: {
          state: 'full',
          settledSlots: 1,
          assignments: [{ state: 'submitted' }, { state: 'expired' }],
        },
        second: {
          state: 'closed',
          settledSlots: 2,
          assignments: [{ state: 'expired' }],
          fixture: { revealed: { answers: [{}, {}] } },
        },
      });
      expect(await w.submitWork(late, b, rightWork, 2)).toMatchObject(
        buildProblem(409, 'state_conflict', { state: 'expired' }),
      );
    },
  );

  it('[tasks.once] [assignments.party] has one end, whatever is raced', async () => {
    const owner = await w.createHolder(100);
    const worker = await w.createHolder();
    const thief = await w.createHolder();
    const made = await runConcurrently(6, () =>
      w.createFixtureTask(owner, { slots: 2, deadline: w.until(HOUR) }),
    );
    const assignments = await Promise.all(made.map((id) => w.createAssignment(worker, id)));
    expect(await w.submitWork(thief, assignments[0] as string)).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
    app.clock.advance(HOUR - 1);
    const acting = Promise.all(
      made.flatMap((id, n) => {
        const one = assignments[n] as string;
        return [
          w.submitWork(worker, one),
          otherTasks.submitWork(worker, one),
          otherTasks.abandonAssignment(worker, one),
          w.cancelTask(owner, id),
          otherTasks.takeAssignment(thief, id),
        ];
      }),
    );
    app.clock.advance(1);
    const [answers] = await Promise.all([acting, expireAll(app), expireAll(other)]);
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status)),
    ).toEqual([]);
    await expireAll(app);
    const details = await Promise.all(made.map((id) => w.getTask(null, id)));
    const paid = details
      .flatMap(({ assignments }) => assignments)
      .filter(({ state }: Json) => state === 'paid').length;
    for (const { state, settledSlots } of details)
      expect(['closed', 'cancelled', 2]).toEqual(expect.arrayContaining([state, settledSlots]));
    expect({ owner: await w.getEarned(owner), worker: await w.getEarned(worker) }).toEqual({
      owner: buildBalance(100 - 5 * paid),
      worker: buildBalance(5 * paid),
    });
  });
});

describe('grants', () => {
  it('[tasks.limits] stay within limits when many post at once on two nodes', async () => {
    // An installation of its own has no other grants.
    const app = await startApp(taskSettings, { manualJobs: true });
    const other = await app.startNode();
    const f = factories(app);
    const w = taskHelpers(app, f);
    const otherTasks = taskHelpers(other, factories(other));
    const { id } = await w.subsidy(60, { perDay: 50, expiresAt: w.until(100 * HOUR) });
    const owners = await runConcurrently(4, () => w.createEnrolled());
    const post = (n: number) =>
      (n % 2 ? w : otherTasks).send(
        owners[n % 4] as (typeof owners)[0],
        'POST',
        'tasks',
        w.request({ reward: 15, slots: 1, fundingUnit: 'trial' }),
      );
    expect(listStatuses(await runConcurrently(12, post))).toEqual([
      200,
      200,
      200,
      ...Array(9).fill(422),
    ]);
    const grant = (await f.ok('GET', '/api/v1/subsidies')).find((one: Json) => one.id === id);
    expect(grant).toMatchObject({ remaining: 15, reserved: 45 });
    const spent = await Promise.all(
      owners.map(async (owner) => 100 - (await w.getBalances(owner)).trial.available),
    );
    expect(spent.reduce((sum, one) => sum + one)).toBe(45);
  });
});

describe('blockAgent', () => {
  it('[tasks.blocked] comes before or after a concurrent step, never between', async () => {
    const owner = await w.createHolder(50);
    for (let round = 0; round < 4; round++) {
      const worker = await w.createHolder();
      const id = await w.createAssignment(worker, await w.createFixtureTask(owner, { slots: 1 }));
      const block = f.ok('PUT', `/api/v1/admin/agents/${worker.id}/block`, {
        admin: true,
        body: { blocked: true, reason: 'Raced.' },
      });
      const [answer] = await Promise.all([otherTasks.submitWork(worker, id), block]);
      const { state } = await w.getAssignment(null, id);
      expect({ status: answer.status, state }).toEqual(
        answer.status === 200 ? { status: 200, state: 'paid' } : { status: 403, state: 'assigned' },
      );
    }
  });
});

describe('tasks of a blocked owner', () => {
  const block = (agent: { id: string }, blocked = true) =>
    f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, { admin: true, body: { blocked } });

  it('[tasks.owner-blocked] takeAssignment takes none, what is assigned goes on', async () => {
    const owner = await w.createHolder(10);
    const worker = await w.createHolder();
    const late = await w.createHolder();
    const id = await w.createFixtureTask(owner, { slots: 2 });
    const taken = await w.createAssignment(worker, id);
    await block(owner);
    expect(await w.takeAssignment(late, id)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'open', reason: 'owner_blocked' }),
    );
    expect((await w.submitWork(worker, taken)).body).toMatchObject({ state: 'paid' });
    await block(owner, false);
    expect((await w.takeAssignment(late, id)).status).toBe(200);
  });

  it('[tasks.owner-blocked] takeAssignment comes before or after the block', async () => {
    for (let round = 0; round < 4; round++) {
      const owner = await w.createHolder(5);
      const id = await w.createTask(owner, { slots: 1 });
      const worker = await w.createHolder();
      const [answer] = await Promise.all([otherTasks.takeAssignment(worker, id), block(owner)]);
      expect({ status: answer.status, free: (await w.getTask(null, id)).freeSlots }).toEqual(
        answer.status === 200 ? { status: 200, free: 0 } : { status: 409, free: 1 },
      );
    }
  });
});

describe('the audit', () => {
  it('[tasks.audit] finds contradictions between tasks and ledger', async () => {
    const owner = await w.createHolder(10);
    const id = await w.createTask(owner);
    const listWrong = async () =>
      (await auditLedger(app.app.env.db))
        .filter(({ differences }) => differences.length > 0)
        .map(({ text }) => text);
    expect(await listWrong()).toEqual([]);
    await app.app.env.db.run(sql`UPDATE tasks SET settled = 1, returned = 1 WHERE id = ${id}`);
    expect(await listWrong()).toEqual([
      expect.stringContaining('open offers and tasks'),
      expect.stringContaining('counts the slots'),
    ]);
    await app.app.env.db.run(sql`
      UPDATE tasks
      SET settled = 0, returned = 0, due_at = NULL
      WHERE id = ${id}
    `);
    expect(await listWrong()).toEqual([expect.stringContaining('Every settled slot')]);
    await app.app.env.db.run(sql`UPDATE tasks SET due_at = deadline WHERE id = ${id}`);
    expect(await listWrong()).toEqual([]);
  });
});

describe('the switch of credits', () => {
  it('[tasks.switches] leaves data, and units due are returned', async () => {
    const owner = await w.createHolder(10);
    const id = await w.createTask(owner, { deadline: w.until(HOUR) });
    const off = await app.startNode({ TASKS_ENABLED: 'off' });
    for (const [method, path] of [
      ['POST', 'tasks'],
      ['GET', 'tasks'],
      ['GET', `tasks/${id}`],
      ['POST', `tasks/${id}/assignments`],
    ] as const)
      expect(
        await factories(off).send(method, `/api/v1/${path}`, { key: owner.key }),
      ).toMatchObject(buildProblem(403, 'capability_disabled', { capability: 'tasks' }));
    app.clock.advance(HOUR);
    await off.app.jobs.runDue();
    expect({ owner: await w.getEarned(owner), task: await w.getTask(null, id) }).toMatchObject({
      owner: buildBalance(10),
      task: { state: 'closed' },
    });
    await expect(app.startNode({ CREDITS_ENABLED: 'off', OFFERS_ENABLED: 'off' })).rejects.toThrow(
      'TASKS_ENABLED',
    );
    const alone = await app.startNode({ ADJUDICATION_ENABLED: 'off' });
    expect(
      await factories(alone).send('POST', '/api/v1/tasks', { key: owner.key, body: w.request() }),
    ).toMatchObject(buildProblem(403, 'capability_disabled', { capability: 'adjudication' }));
  });
});
