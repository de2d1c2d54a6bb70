import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { expireOffer } from '../../../src/features/offers/expire-offers.job.ts';
import { expireTask } from '../../../src/features/tasks/expire-tasks.job.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { createSecret, sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  type Answer,
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  waitUntil,
} from '../../support/factories.ts';
import { creditHelpers } from '../credits/setup.ts';
import { rightWork, taskHelpers, taskSettings, wrongWork } from '../tasks/setup.ts';
import { assertConsistentLedger } from './assert-ledger.ts';
import { createRandom, LedgerModel } from './ledger-model.ts';

/**
 * STOA_LEDGER_SEEDS=5000 runs more seeds. STOA_LEDGER_FIRST=<seed> STOA_LEDGER_SEEDS=1 repeats one
 * of them.
 */
const SEEDS = Number(process.env.STOA_LEDGER_SEEDS ?? 200);
const FIRST = Number(process.env.STOA_LEDGER_FIRST ?? 1);
const AGENTS = 4;
const BATCHES = 4;
const AT_ONCE = 6;
/** How often a command is sent while the service is unavailable. */
const MAX_TRIES = 60;
const WEEK = 7 * 24 * 3600 * 1000;
const insufficientFunds = buildProblem(422, 'insufficient_funds');

const app = await startApp(taskSettings);
const nodes = [app, await app.startNode()] as const;
const { db, newId, random } = app.app.env;
const helpers = nodes.map((node) => factories(node));
const p = creditHelpers(app, factories(app));
const w = taskHelpers(app, factories(app));
/** Work for an assignment that has no submission yet. */
const toWork = (right: boolean) => ({ ...(right ? rightWork : wrongWork), expectedVersion: 1 });

interface Actor {
  readonly id: string;
  readonly key: string;
}

/** Creates agents with a key for credits each by three statements, because the runs need many. */
async function createActors(): Promise<Actor[]> {
  const made = Array.from({ length: AGENTS }, () => ({
    id: newId(),
    key: createSecret('agent', random),
  }));
  const now = toIso(app.clock());
  const ids = made.map(({ id }) => id);
  const secrets = made.map(({ key }) => sha256(key));
  await db.transaction(async (tx) => {
    tx.send(sql`
      INSERT INTO agents (id, handle, created_at, last_active_on)
      SELECT id, 'a' || right(replace(id::text, '-', ''), 24), ${now}, ${now}
      FROM unnest(${ids}::uuid[]) id
    `);
    tx.send(sql`
      INSERT INTO capability_states (agent_id, capability, state, activated_at, decided_by)
      SELECT id, 'credits', 'active', ${now}, 'administrator'
      FROM unnest(${ids}::uuid[]) id
    `);
    tx.send(sql`
      INSERT INTO api_keys (id, agent_id, kind, secret_sha256, prefix, scopes, created_at)
      SELECT gen_random_uuid(), id, 'scoped', secret, 'stoa_xxxxxxx', '{credits}', ${now}
      FROM unnest(${ids}::uuid[], ${secrets}::bytea[]) k (id, secret)
    `);
  });
  return made;
}

/**
 * Counts how often each command had an effect over all runs, because a service that refuses
 * everything must not pass.
 */
const doneCounts: Record<string, number> = {};
const countDone = (what: string) => {
  doneCounts[what] = (doneCounts[what] ?? 0) + 1;
};

async function expireAll({ app: { env } }: TestApp): Promise<void> {
  while ((await expireOffer(env)) || (await expireTask(env)));
}

/**
 * Makes one run: random commands, some of them illegal, many at once on two nodes while gifts
 * expire. Every balance is compared after each batch.
 */
async function run(seed: number): Promise<void> {
  const below = createRandom(seed);
  const agents = await createActors();
  const model = new LedgerModel(AGENTS);
  const offers: { readonly id: string; readonly from: number; readonly to: number }[] = [];
  const tasks: { readonly id: string; readonly owner: number; readonly deadline: string }[] = [];
  const assignments: { readonly id: string; readonly agent: number; readonly task: string }[] = [];
  const refusedOffers: { readonly agent: number; readonly amount: number }[] = [];
  const refusedEnrollments: number[] = [];
  const paid: { readonly id: string; readonly agent: number }[] = [];

  /** Sends a command, and again with its key while the service is unavailable, as clients do. */
  async function send(
    node: number,
    agent: number,
    path: string,
    body?: object,
    idem: string = randomUUID(),
  ): Promise<Answer<Json>> {
    const request = { key: agents[agent]?.key, idem, ...(body && { body }) };
    for (let tries = 0; ; tries++) {
      const answer = await (helpers[node] as (typeof helpers)[0]).send(
        'POST',
        `/api/v1/${path}`,
        request,
      );
      if (answer.status !== 503 || tries === MAX_TRIES) return answer;
      await setTimeout(Math.max(1, Number(answer.headers.get('retry-after'))) * 1000);
    }
  }

  /** Draws a command from the seed. When it runs, it reports to the model what succeeded. */
  function drawCommand(): () => Promise<void> {
    const kind = below(19);
    const node = below(2);
    const agent = below(AGENTS);
    const to = below(AGENTS);
    const amount = 1 + below(40);
    const {
      id,
      from,
      to: receiver,
    } = offers[below(offers.length || 1)] ?? { id: newId(), from: agent, to: agent };
    // The actor is mostly one of the parties, because nearly every step would be refused otherwise.
    const [sender, recipient] = below(3) > 0 ? [from, receiver] : [agent, to];
    // An offer mostly has version 1 or 2.
    const guess = { expectedVersion: 1 + below(2) };
    const ok = ({ status }: Answer, what: string) => {
      if (status === 200) countDone(what);
      return status === 200;
    };
    if (kind === 0) {
      return async () => {
        if (ok(await send(node, agent, 'enrollment'), 'enroll')) model.enroll(agent);
        else refusedEnrollments.push(agent);
      };
    }
    if (kind <= 2) {
      return async () => {
        paid.push({ id: await p.payFromGrant(agents[agent] as Actor, 3 * amount), agent });
        model.earn(agent, 3 * amount);
      };
    }
    if (kind <= 5) {
      const named = below(3) > 0;
      const body = { kind: 'gift', amount, recipient: named ? agents[to]?.id : null };
      const idem = randomUUID();
      return async () => {
        // The offer is sent twice with one key, once to each node, and creates one offer or none.
        const answers = await Promise.all([
          send(0, agent, 'offers', body, idem),
          send(1, agent, 'offers', body, idem),
        ]);
        const made = new Set(
          answers.flatMap((answer) => (answer.status === 200 ? [answer.body.id as string] : [])),
        );
        expect(made.size).toBeLessThan(2);
        if (named && to === agent) expect(made.size).toBe(0);
        else if (made.size === 0) {
          for (const answer of answers) expect(answer).toMatchObject(insufficientFunds);
          refusedOffers.push({ agent, amount });
        }
        for (const offer of made) {
          countDone('offer');
          model.offer(offer, agent, amount);
          offers.push({ id: offer, from: agent, to });
        }
      };
    }
    if (kind === 6) {
      const wrong = [0, -amount, amount + 0.5, `${amount}`, 1e30, null][below(6)];
      return async () =>
        expect((await send(node, agent, 'offers', { kind: 'gift', amount: wrong })).status).toBe(
          400,
        );
    }
    if (kind <= 8)
      return async () =>
        void ok(
          await send(node, sender, `offers/${id}/recipient`, {
            recipient: agents[receiver]?.id,
            expectedVersion: 1 + (amount % 2),
          }),
          'confirm',
        );
    if (kind <= 10) {
      return async () => {
        if (ok(await send(node, recipient, `offers/${id}/accept`, guess), 'accept'))
          model.settleOffer(id, recipient);
      };
    }
    if (kind <= 12) {
      const step = kind === 11 ? 'cancel' : 'decline';
      return async () => {
        if (
          ok(
            await send(node, step === 'cancel' ? sender : recipient, `offers/${id}/${step}`, guess),
            step,
          ) &&
          step === 'cancel'
        )
          model.settleOffer(id, null);
      };
    }
    if (kind >= 14 && kind <= 15) {
      const unit = below(2) ? ('trial' as const) : ('earned' as const);
      const slots = 1 + below(3);
      const reward = 1 + (amount % 10);
      const deadline = w.until((1 + below(4)) * (WEEK / 2));
      const course = below(3);
      return async () => {
        const { id: fixtureId } = await w.createAnswerFixture(agents[agent] as Actor);
        const { status, body } = await send(
          node,
          agent,
          'tasks',
          w.request({
            decisionMethod: 'fixture',
            fixtureId,
            deadline,
            reward,
            slots,
            fundingUnit: unit,
          }),
        );
        if (status !== 200) {
          if (body.code !== 'insufficient_funds')
            expect({ code: body.code, isDue: deadline <= toIso(app.clock()) }).toEqual({
              code: 'invalid_request',
              isDue: true,
            });
          else if (unit === 'earned') refusedOffers.push({ agent, amount: reward * slots });
          return;
        }
        countDone('post');
        model.postTask(body.id, agent, unit, reward, slots);
        tasks.push({ id: body.id, owner: agent, deadline });
        // The task is open to anyone, and nobody or everyone tries to take it, its owner included.
        const taken = await Promise.all(
          course > 0
            ? agents.map((_, taker) => send(taker % 2, taker, `tasks/${body.id}/assignments`))
            : [],
        );
        expect(taken.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(slots);
        expect(taken[agent]?.status).not.toBe(200);
        for (const [taker, answer] of taken.entries()) {
          if (!ok(answer, 'take')) continue;
          const { id } = answer.body;
          if (course < 2) assignments.push({ id, agent: taker, task: body.id });
          else {
            // Both calls run at once, one on each node, and one of them ends the slot.
            const right = (amount + taker) % 2 > 0;
            const [submitted] = await Promise.all([
              send(0, taker, `assignments/${id}/submission`, toWork(right)),
              send(1, taker, `assignments/${id}/abandon`, { expectedVersion: 1 }),
            ]);
            if (ok(submitted, right ? 'pay' : 'refuse'))
              model.endSlot(body.id, right ? taker : null);
          }
        }
      };
    }
    if (kind >= 16) {
      const {
        id: assignment,
        agent: taker,
        task,
      } = assignments[below(assignments.length || 1)] ?? { id: newId(), agent, task: '' };
      const chosen = tasks[below(tasks.length || 1)];
      const right = below(2) > 0;
      const idem = randomUUID();
      if (kind === 18) {
        return async () => {
          const [abandoned, cancelled] = await Promise.all([
            send(node, taker, `assignments/${assignment}/abandon`, { expectedVersion: 1 }),
            send(1 - node, chosen?.owner ?? agent, `tasks/${chosen?.id ?? newId()}/cancel`, guess),
          ]);
          ok(abandoned, 'abandon');
          if (chosen && ok(cancelled, 'cancel task'))
            while (model.tasks.get(chosen.id)?.left) model.endSlot(chosen.id, null);
        };
      }
      return async () => {
        // The submission is sent twice with one key, once to each node, and creates one submission
        // or none.
        const path = `assignments/${assignment}/submission`;
        const answers = await Promise.all(
          [0, 1].map((one) => send(one, taker, path, toWork(right), idem)),
        );
        const [done] = answers.filter((answer) => ok(answer, right ? 'pay' : 'refuse'));
        if (done) expect(done.body.state).toBe(right ? 'paid' : 'refused');
        if (done) model.endSlot(task, right ? taker : null);
      };
    }
    const target = paid[below(paid.length || 1)] ?? { id: newId(), agent: 0 };
    return async () => {
      const body = { transactionId: target.id, amount, reason: 'Drawn.' };
      if (
        ok(
          await (helpers[node] as (typeof helpers)[0]).send('POST', '/api/v1/admin/compensations', {
            admin: true,
            body,
          }),
          'compensate',
        )
      )
        model.compensate(target.agent, amount);
    };
  }

  /** Reads what is stored in one snapshot, because another run may expire gifts at any time. */
  const readStored = () =>
    db.transaction(
      (tx) =>
        Promise.all([
          tx.rows<{ id: string; state: string }>(sql`
            SELECT id, state
            FROM records
            WHERE id = ANY(${offers.map(({ id }) => id)}::uuid[])
          `),
          tx.rows<{ id: string; left: number }>(sql`
            SELECT id, slots - settled AS left
            FROM tasks
            WHERE id = ANY(${tasks.map(({ id }) => id)}::uuid[])
          `),
          tx.rows<{ agent: string; account: string; balance: number }>(sql`
            SELECT agent_id AS agent, unit || ' ' || purpose AS account, balance
            FROM ledger_accounts
            WHERE agent_id = ANY(${agents.map(({ id }) => id)}::uuid[])
          `),
        ]),
      { statementTimeoutMs: 30_000 },
    );

  /** Returns whether a gift or task of this run has passed its deadline but is still open. */
  const isDue = async (at: string): Promise<boolean> =>
    (await db.first(sql`
      SELECT id
      FROM offers
      WHERE due_at <= ${at} AND id = ANY(${offers.map(({ id }) => id)}::uuid[])
      UNION ALL
      SELECT id
      FROM tasks
      WHERE due_at <= ${at} AND id = ANY(${tasks.map(({ id }) => id)}::uuid[])
    `)) !== undefined;

  // Two agents start with some units, because most commands would be refused otherwise.
  for (const agent of [0, 1]) {
    paid.push({ id: await p.payFromGrant(agents[agent] as Actor, 60), agent });
    model.earn(agent, 60);
  }
  for (let batch = 0; batch < BATCHES; batch++) {
    const started = model.begin();
    const commands = Array.from({ length: AT_ONCE }, drawCommand);
    const late = below(6) === 0;
    const before = new Set(offers.map(({ id }) => id));
    const beforeTasks = new Set(tasks.map(({ id }) => id));
    const working = commands.map((command) => command());
    if (late) app.clock.advance(WEEK);
    await Promise.all([...working, ...(late ? nodes : []).map(expireAll)]);
    // Another run or the job may be expiring the same gifts, so this run leaves those to them. The
    // runs share a clock, so another run may advance it again.
    const at = toIso(app.clock());
    const isNothingDue = async () => {
      await expireAll(app);
      return !(await isDue(at));
    };
    if (late) await waitUntil('what was due is over', isNothingDue);
    const [records, slots, rows] = await readStored();
    for (const { id, state } of records) {
      if (late && before.has(id)) expect(['reserved', 'confirmed'], id).not.toContain(state);
      if (state !== 'expired' || !model.offers.get(id)?.open) continue;
      countDone('expire');
      model.settleOffer(id, null);
    }
    for (const { id, left } of slots) {
      const { deadline } = tasks.find((task) => task.id === id) as (typeof tasks)[0];
      if (late && deadline <= at && beforeTasks.has(id)) expect(left).toBe(0);
      while ((model.tasks.get(id)?.left ?? 0) > left) {
        countDone('release');
        expect(deadline <= toIso(app.clock())).toBe(true);
        model.endSlot(id, null);
      }
    }
    for (const agent of refusedEnrollments) expect(model.enrollments).toContain(agent);
    // At some moment the agent had too little, because everything that it gave was already gone.
    for (const { agent, amount } of refusedOffers.splice(0))
      expect((started[agent]?.earned ?? 0) - model.getSpent(agent), `seed ${seed}`).toBeLessThan(
        amount,
      );
    const balance = (agent: Actor, account: string) =>
      rows.find((row) => row.agent === agent.id && row.account === account)?.balance ?? 0;
    const real = agents.map((agent) => ({
      trial: balance(agent, 'trial available'),
      earned: balance(agent, 'earned available'),
      reserved: balance(agent, 'earned reserved'),
    }));
    expect(real, `seed ${seed}, batch ${batch}`).toEqual(model.accounts);
  }
}

describe('the ledger', () => {
  it(`[ledger.model] [ledger.deadlocks] matches the model over ${SEEDS} runs`, {
    timeout: 24 * 3600 * 1000,
  }, async () => {
    let next = FIRST;
    await runConcurrently(2, async () => {
      while (next < FIRST + SEEDS) await run(next++);
    });
    await assertConsistentLedger(db.connection);
    // A deadlock that was retried would have stayed hidden.
    await db.run(sql`SELECT pg_stat_force_next_flush()`);
    expect(
      await db.first(sql`
        SELECT deadlocks
        FROM pg_stat_database
        WHERE datname = current_database()
      `),
    ).toEqual({ deadlocks: 0 });
    const steps = [
      'enroll',
      'offer',
      'confirm',
      'accept',
      'decline',
      'cancel',
      'expire',
      'compensate',
      'post',
      'take',
      'pay',
      'refuse',
      'abandon',
      'cancel task',
      'release',
    ];
    if (SEEDS >= 200) expect(steps.filter((step) => doneCounts[step] === undefined)).toEqual([]);
  });
});
