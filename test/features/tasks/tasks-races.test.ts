import { describe, expect, it } from 'vitest';
import { auditLedger } from '../../../src/cli/ledger.ts';
import { sql } from '../../../src/db/sql.ts';
import { expireTask } from '../../../src/features/tasks/expire-tasks.job.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, together } from '../../support/factories.ts';
import { HOUR, TASKS, works } from './setup.ts';

const app = await startApp(TASKS, { jobsByHand: true });
const other = await app.another();
const f = factories(app);
const [w, there] = [works(app, f), works(other, factories(other))];
const has = (available: number, reserved = 0) => ({ available, reserved });
const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).sort();
const expireAll = async ({ app: { env } }: typeof app) => {
  while (await expireTask(env));
};

describe('slots', () => {
  it('[assignments.slots] [assignments.who] [assignments.abandon] of many workers on two nodes as many get one as there are', async () => {
    const owner = await w.holder(100);
    const related = await w.holder();
    for (const { id } of [owner, related])
      await f.ok('PUT', `/api/v1/admin/agents/${id}/operator-group`, {
        admin: true,
        body: { operatorGroup: 'Labs' },
      });
    const id = await w.task(owner, { slots: 3 });
    const workers = await together(6, () => w.holder());
    // Each twice at once, once on each node.
    const answers = await Promise.all(
      workers.flatMap((worker) => [w.take(worker, id), there.take(worker, id)]),
    );
    expect(statuses(answers)).toEqual([200, 200, 200, ...Array(9).fill(409)]);
    const { assignments, state } = await w.detail(null, id);
    expect([
      state,
      assignments.map(({ slot }: Loose) => slot).sort(),
      new Set(assignments.map(({ agentId }: Loose) => agentId)).size,
    ]).toEqual(['full', [1, 2, 3], 3]);
    expect(await w.take(owner, id)).toMatchObject(
      refused(422, 'not_eligible', { reason: 'owner' }),
    );
    expect(await w.take(related, id)).toMatchObject(
      refused(422, 'not_eligible', { reason: 'operator_group' }),
    );
    const [first] = assignments;
    const leaving = workers.find((worker) => worker.id === first.agentId) as (typeof workers)[0];
    const waiting = workers.filter(
      (worker) => !assignments.some(({ agentId }: Loose) => agentId === worker.id),
    );
    expect((await w.abandon(leaving, first.id)).body).toMatchObject({ state: 'abandoned' });
    expect(await w.detail(null, id)).toMatchObject({ state: 'open', freeSlots: 1 });
    expect(await w.cancel(owner, id)).toMatchObject(
      refused(409, 'state_conflict', { state: 'open' }),
    );
    expect(await w.take(leaving, id)).toMatchObject(
      refused(409, 'already_exists', { existingId: first.id }),
    );
    expect(statuses(await Promise.all(waiting.map((worker) => there.take(worker, id))))).toEqual([
      200, 409, 409,
    ]);
    expect(await w.detail(null, id)).toMatchObject({ state: 'full' });
  });

  it('[assignments.deadline] [assignments.expiry] [assignments.states] are over at the millisecond of the deadline, job or no job', async () => {
    const [owner, worker, late] = [await w.holder(20), await w.holder(), await w.holder()];
    const [first, second] = [
      await w.task(owner, { deadline: w.until(HOUR) }),
      await w.fixed(owner, { deadline: w.until(HOUR) }),
    ];
    const [a, b, c] = [
      await w.taken(worker, first),
      await w.taken(late, first),
      await w.taken(worker, second),
    ];
    app.clock.advance(HOUR - 1);
    expect((await w.submit(worker, a)).status).toBe(200);
    app.clock.advance(1);
    for (const step of [
      () => w.submit(late, b),
      () => there.submit(worker, c),
      () => w.abandon(late, b),
    ])
      expect(await step()).toMatchObject(refused(409, 'state_conflict', { state: 'expired' }));
    expect((await w.take(late, second)).status).toBe(409);
    expect((await w.cancel(owner, second)).status).toBe(409);
    expect(await w.earned(owner)).toEqual(has(0, 20));
    await Promise.all([expireAll(app), expireAll(other), expireAll(app)]);
    expect(await w.earned(owner)).toEqual(has(15, 5));
    expect([await w.detail(null, first), await w.detail(null, second)]).toMatchObject([
      {
        state: 'full',
        settledSlots: 1,
        assignments: [{ state: 'submitted' }, { state: 'expired' }],
      },
      {
        state: 'closed',
        settledSlots: 2,
        assignments: [{ state: 'expired' }],
        fixture: { revealed: { answers: [{}, {}] } },
      },
    ]);
    expect(await w.submit(late, b)).toMatchObject(
      refused(409, 'state_conflict', { state: 'expired' }),
    );
  });

  it('[tasks.once] [assignments.party] have one end each, whatever is raced on two nodes', async () => {
    const [owner, worker, thief] = [await w.holder(100), await w.holder(), await w.holder()];
    const made = await together(6, () => w.fixed(owner, { slots: 2, deadline: w.until(HOUR) }));
    const assignments = await Promise.all(made.map((id) => w.taken(worker, id)));
    expect(await w.submit(thief, assignments[0] as string)).toMatchObject(
      refused(403, 'forbidden'),
    );
    app.clock.advance(HOUR - 1);
    const acting = Promise.all(
      made.flatMap((id, n) => {
        const one = assignments[n] as string;
        return [
          w.submit(worker, one),
          there.submit(worker, one),
          there.abandon(worker, one),
          w.cancel(owner, id),
          there.take(thief, id),
        ];
      }),
    );
    app.clock.advance(1);
    const [answers] = await Promise.all([acting, expireAll(app), expireAll(other)]);
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status)),
    ).toEqual([]);
    await expireAll(app);
    const details = await Promise.all(made.map((id) => w.detail(null, id)));
    const paid = details
      .flatMap(({ assignments }) => assignments)
      .filter(({ state }: Loose) => state === 'paid').length;
    for (const { state, settledSlots } of details)
      expect(['closed', 'cancelled', 2]).toEqual(expect.arrayContaining([state, settledSlots]));
    expect([await w.earned(owner), await w.earned(worker)]).toEqual([
      has(100 - 5 * paid),
      has(5 * paid),
    ]);
  });
});

describe('grants', () => {
  it('[tasks.limits] hold their limits when many post at once on two nodes', async () => {
    const { id } = await w.subsidy(60, { perDay: 50, expiresAt: w.until(100 * HOUR) });
    const owners = await together(4, () => w.enrolled());
    // The other grants allow nothing.
    await app.app.env.db.run(sql`UPDATE subsidies SET expires_at = created_at WHERE id <> ${id}`);
    const post = (n: number) =>
      (n % 2 ? w : there).send(
        owners[n % 4] as (typeof owners)[0],
        'POST',
        'tasks',
        w.request({ reward: 15, slots: 1, fundingUnit: 'trial' }),
      );
    expect(statuses(await together(12, post))).toEqual([200, 200, 200, ...Array(9).fill(422)]);
    const grant = (await f.ok('GET', '/api/v1/subsidies')).find((one: Loose) => one.id === id);
    expect(grant).toMatchObject({ remaining: 15, reserved: 45 });
    const spent = await Promise.all(
      owners.map(async (owner) => 100 - (await w.balances(owner)).trial.available),
    );
    expect(spent.reduce((sum, one) => sum + one)).toBe(45);
  });
});

describe('blocking', () => {
  it('[tasks.blocked] at the same moment is before or after a step, never between', async () => {
    const owner = await w.holder(50);
    for (let round = 0; round < 4; round++) {
      const worker = await w.holder();
      const id = await w.taken(worker, await w.fixed(owner, { slots: 1 }));
      const block = f.ok('PUT', `/api/v1/admin/agents/${worker.id}/block`, {
        admin: true,
        body: { blocked: true, reason: 'Raced.' },
      });
      const [answer] = await Promise.all([there.submit(worker, id), block]);
      const { state } = await w.assignment(null, id);
      expect([answer.status, state]).toEqual(
        answer.status === 200 ? [200, 'paid'] : [403, 'assigned'],
      );
    }
  });
});

describe('the audit', () => {
  it('[tasks.audit] finds what tasks and ledger say differently', async () => {
    const owner = await w.holder(10);
    const id = await w.task(owner);
    const wrong = async () =>
      (await auditLedger(app.app.env.db))
        .filter(({ differences }) => differences.length > 0)
        .map(({ text }) => text);
    expect(await wrong()).toEqual([]);
    await app.app.env.db.run(sql`UPDATE tasks SET settled = 1, returned = 1 WHERE id = ${id}`);
    expect(await wrong()).toEqual([
      expect.stringContaining('open offers and tasks'),
      expect.stringContaining('counts the slots'),
    ]);
    await app.app.env.db.run(
      sql`UPDATE tasks SET settled = 0, returned = 0, due_at = NULL WHERE id = ${id}`,
    );
    expect(await wrong()).toEqual([expect.stringContaining('Every settled slot')]);
    await app.app.env.db.run(sql`UPDATE tasks SET due_at = deadline WHERE id = ${id}`);
    expect(await wrong()).toEqual([]);
  });
});

describe('the switch', () => {
  it('[tasks.switches] leaves data where it is, and what is due still goes back', async () => {
    const owner = await w.holder(10);
    const id = await w.task(owner, { deadline: w.until(HOUR) });
    const off = await app.another({ TASKS_ENABLED: 'off' });
    for (const [method, path] of [
      ['POST', 'tasks'],
      ['GET', 'tasks'],
      ['GET', `tasks/${id}`],
      ['POST', `tasks/${id}/assignments`],
    ] as const)
      expect(
        await factories(off).send(method, `/api/v1/${path}`, { key: owner.key }),
      ).toMatchObject(refused(403, 'capability_disabled', { capability: 'tasks' }));
    app.clock.advance(HOUR);
    await off.app.jobs.runDue();
    expect([await w.earned(owner), await w.detail(null, id)]).toMatchObject([
      has(10),
      { state: 'closed' },
    ]);
    await expect(app.another({ CREDITS_ENABLED: 'off', OFFERS_ENABLED: 'off' })).rejects.toThrow(
      'TASKS_ENABLED',
    );
    const alone = await app.another({ ADJUDICATION_ENABLED: 'off' });
    expect(
      await factories(alone).send('POST', '/api/v1/tasks', { key: owner.key, body: w.request() }),
    ).toMatchObject(refused(403, 'capability_disabled', { capability: 'adjudication' }));
  });
});
