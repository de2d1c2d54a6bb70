import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { expireOffer } from '../../../src/features/offers/expire-offers.job.ts';
import { expireTask } from '../../../src/features/tasks/expire-tasks.job.ts';
import { iso } from '../../../src/kernel/clock.ts';
import { createSecret, sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { purses } from '../credits/setup.ts';
import { type Answer, factories, type Loose, together, until } from '../../support/factories.ts';
import { chance, Model } from './ledger-model.ts';
import { assertRightLedger } from './assert-ledger.ts';
import { RIGHT, TASKS, WRONG, works } from '../tasks/setup.ts';

/** More with STOA_LEDGER_SEEDS=5000; one of them again with STOA_LEDGER_FIRST=<seed> STOA_LEDGER_SEEDS=1. */
const SEEDS = Number(process.env.STOA_LEDGER_SEEDS ?? 200);
const FIRST = Number(process.env.STOA_LEDGER_FIRST ?? 1);
const AGENTS = 4;
const BATCHES = 4;
const AT_ONCE = 6;
const WEEK = 7 * 24 * 3600 * 1000;

const app = await startApp(TASKS);
const nodes = [app, await app.another()] as const;
const { db, newId, random } = app.app.env;
const ways = nodes.map((node) => factories(node));
const p = purses(app, factories(app));
const w = works(app, factories(app));
/** Used by a task that is never over too: its answers stay hidden, and so it stays of use. */
const { id: fixtureId } = await w.fixture();
const lasting = { decisionMethod: 'fixture', fixtureId, deadline: '2999-01-01T00:00:00.000Z' };
await w.task(await w.holder(10), lasting);

interface Actor {
  readonly id: string;
  readonly key: string;
}

/** New agents with a key for credits each, in three statements: the runs need many. */
async function actors(): Promise<Actor[]> {
  const made = Array.from({ length: AGENTS }, () => ({
    id: newId(),
    key: createSecret('agent', random),
  }));
  const [now, ids, secrets] = [
    iso(app.clock()),
    made.map(({ id }) => id),
    made.map(({ key }) => sha256(key)),
  ];
  await db.transaction(async (tx) => {
    tx.send(
      sql`INSERT INTO agents (id, handle, created_at, last_active_on) SELECT id, 'a' || right(replace(id::text, '-', ''), 24), ${now}, ${now} FROM unnest(${ids}::uuid[]) id`,
    );
    tx.send(sql`INSERT INTO capability_states (agent_id, capability, state, activated_at, decided_by)
      SELECT id, 'credits', 'active', ${now}, 'administrator' FROM unnest(${ids}::uuid[]) id`);
    tx.send(sql`INSERT INTO api_keys (id, agent_id, kind, secret_sha256, prefix, scopes, created_at)
      SELECT gen_random_uuid(), id, 'scoped', secret, 'stoa_xxxxxxx', '{credits}', ${now} FROM unnest(${ids}::uuid[], ${secrets}::bytea[]) k (id, secret)`);
  });
  return made;
}

/** How often each command did something, over all runs: a service that refuses everything must not pass. */
const done: Record<string, number> = {};
const count = (what: string) => {
  done[what] = (done[what] ?? 0) + 1;
};

async function expireAll({ app: { env } }: TestApp): Promise<void> {
  while ((await expireOffer(env)) || (await expireTask(env)));
}

/** One run: random commands, some of them illegal, many at once on two nodes while gifts expire; after each batch every balance is compared. */
async function run(seed: number): Promise<void> {
  const below = chance(seed);
  const agents = await actors();
  const model = new Model(AGENTS);
  const offers: { readonly id: string; readonly from: number; readonly to: number }[] = [];
  const tasks: { readonly id: string; readonly owner: number; readonly deadline: string }[] = [];
  const assignments: { readonly id: string; readonly agent: number; readonly task: string }[] = [];
  const refusedOffers: { readonly agent: number; readonly amount: number }[] = [];
  const refusedEnrollments: number[] = [];
  const paid: { readonly id: string; readonly agent: number }[] = [];

  const send = (
    node: number,
    agent: number,
    path: string,
    body?: object,
    idem?: string,
  ): Promise<Answer<Loose>> =>
    (ways[node] as (typeof ways)[0]).send('POST', `/api/v1/${path}`, {
      key: agents[agent]?.key,
      ...(body && { body }),
      ...(idem && { idem }),
    });

  /** A command, wholly drawn from the seed. When it is run it tells the model what succeeded. */
  function draw(): () => Promise<void> {
    const [kind, node, agent, to, amount] = [
      below(19),
      below(2),
      below(AGENTS),
      below(AGENTS),
      1 + below(40),
    ];
    const {
      id,
      from,
      to: receiver,
    } = offers[below(offers.length || 1)] ?? { id: newId(), from: agent, to: agent };
    // Mostly one of the parties, or nearly every step would be refused.
    const [sender, recipient] = below(3) > 0 ? [from, receiver] : [agent, to];
    const ok = ({ status }: Answer, what: string) => {
      if (status === 200) count(what);
      return status === 200;
    };
    if (kind === 0) {
      return async () => {
        if (ok(await send(node, agent, 'enrollment'), 'enroll')) model.enrolled(agent);
        else refusedEnrollments.push(agent);
      };
    }
    if (kind <= 2) {
      return async () => {
        paid.push({ id: await p.earn(agents[agent] as Actor, 3 * amount), agent });
        model.earned(agent, 3 * amount);
      };
    }
    if (kind <= 5) {
      const named = below(3) > 0;
      const [body, idem] = [
        { kind: 'gift', amount, recipient: named ? agents[to]?.id : null },
        randomUUID(),
      ];
      return async () => {
        // Twice with one key, on both nodes: one offer, or none.
        const answers = await Promise.all([
          send(0, agent, 'offers', body, idem),
          send(1, agent, 'offers', body, idem),
        ]);
        const made = new Set(
          answers.flatMap((answer) => (answer.status === 200 ? [answer.body.id as string] : [])),
        );
        expect(made.size).toBeLessThan(2);
        if (named && to === agent) expect(made.size).toBe(0);
        else if (made.size === 0) refusedOffers.push({ agent, amount });
        for (const offer of made) {
          count('offer');
          model.offered(offer, agent, amount);
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
        if (ok(await send(node, recipient, `offers/${id}/accept`), 'accept'))
          model.settled(id, recipient);
      };
    }
    if (kind <= 12) {
      const step = kind === 11 ? 'cancel' : 'decline';
      return async () => {
        if (
          ok(
            await send(node, step === 'cancel' ? sender : recipient, `offers/${id}/${step}`),
            step,
          ) &&
          step === 'cancel'
        )
          model.settled(id, null);
      };
    }
    if (kind >= 14 && kind <= 15) {
      const [unit, slots, reward] = [
        below(2) ? ('trial' as const) : ('earned' as const),
        1 + below(3),
        1 + (amount % 10),
      ];
      const deadline = w.until((1 + below(4)) * (WEEK / 2));
      const course = below(3);
      return async () => {
        const { status, body } = await send(
          node,
          agent,
          'tasks',
          w.request({ ...lasting, deadline, reward, slots, fundingUnit: unit }),
        );
        if (status !== 200)
          return unit === 'earned' && deadline > iso(app.clock())
            ? void refusedOffers.push({ agent, amount: reward * slots })
            : undefined;
        count('post');
        model.posted(body.id, agent, unit, reward, slots);
        tasks.push({ id: body.id, owner: agent, deadline });
        // Taken by nobody, or by all at once, the owner among them.
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
            // Both at once, one on each node: one of them ends it.
            const right = (amount + taker) % 2 > 0;
            const [submitted] = await Promise.all([
              send(0, taker, `assignments/${id}/submission`, right ? RIGHT : WRONG),
              send(1, taker, `assignments/${id}/abandon`),
            ]);
            if (ok(submitted, right ? 'pay' : 'refuse')) model.ended(body.id, right ? taker : null);
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
      const [right, idem] = [below(2) > 0, randomUUID()];
      if (kind === 18) {
        return async () => {
          const [abandoned, cancelled] = await Promise.all([
            send(node, taker, `assignments/${assignment}/abandon`),
            send(1 - node, chosen?.owner ?? agent, `tasks/${chosen?.id ?? newId()}/cancel`),
          ]);
          ok(abandoned, 'abandon');
          if (chosen && ok(cancelled, 'cancel task'))
            while (model.tasks.get(chosen.id)?.left) model.ended(chosen.id, null);
        };
      }
      return async () => {
        // Twice with one key, on both nodes: one submission, or none.
        const path = `assignments/${assignment}/submission`;
        const answers = await Promise.all(
          [0, 1].map((one) => send(one, taker, path, right ? RIGHT : WRONG, idem)),
        );
        const [done] = answers.filter((answer) => ok(answer, right ? 'pay' : 'refuse'));
        if (done) expect(done.body.state).toBe(right ? 'paid' : 'refused');
        if (done) model.ended(task, right ? taker : null);
      };
    }
    const target = paid[below(paid.length || 1)] ?? { id: newId(), agent: 0 };
    return async () => {
      const body = { transactionId: target.id, amount, reason: 'Drawn.' };
      if (
        ok(
          await (ways[node] as (typeof ways)[0]).send('POST', '/api/v1/admin/compensations', {
            admin: true,
            body,
          }),
          'compensate',
        )
      )
        model.compensated(target.agent, amount);
    };
  }

  /** What is stored, in one moment: another run may let gifts expire at any time. */
  const look = () =>
    db.transaction(
      (tx) =>
        Promise.all([
          tx.rows<{ id: string; state: string }>(
            sql`SELECT id, state FROM records WHERE id = ANY(${offers.map(({ id }) => id)}::uuid[])`,
          ),
          tx.rows<{ id: string; left: number }>(
            sql`SELECT id, slots - settled AS left FROM tasks WHERE id = ANY(${tasks.map(({ id }) => id)}::uuid[])`,
          ),
          tx.rows<{ agent: string; account: string; balance: number }>(
            sql`SELECT agent_id AS agent, unit || ' ' || purpose AS account, balance FROM ledger_accounts WHERE agent_id = ANY(${agents.map(({ id }) => id)}::uuid[])`,
          ),
        ]),
      { readFor: 30_000 },
    );

  /** Whether a gift or task of this run was over by then and still stands. */
  const isDue = async (at: string): Promise<boolean> =>
    (await db.first(sql`SELECT id FROM offers WHERE due_at <= ${at} AND id = ANY(${offers.map(({ id }) => id)}::uuid[])
      UNION ALL SELECT id FROM tasks WHERE due_at <= ${at} AND id = ANY(${tasks.map(({ id }) => id)}::uuid[])`)) !==
    undefined;

  // Two of them have something to begin with, or most commands would be refused.
  for (const agent of [0, 1]) {
    paid.push({ id: await p.earn(agents[agent] as Actor, 60), agent });
    model.earned(agent, 60);
  }
  for (let batch = 0; batch < BATCHES; batch++) {
    const started = model.begin();
    const commands = Array.from({ length: AT_ONCE }, draw);
    const [late, before] = [below(6) === 0, new Set(offers.map(({ id }) => id))];
    const beforeTasks = new Set(tasks.map(({ id }) => id));
    const working = commands.map((command) => command());
    if (late) app.clock.advance(WEEK);
    await Promise.all([...working, ...(late ? nodes : []).map(expireAll)]);
    // What somebody else expires at this moment, another run or the job, is left to them. The clock is that of all runs: another one may move it again.
    const at = iso(app.clock());
    const nothingIsDue = async () => {
      await expireAll(app);
      return !(await isDue(at));
    };
    if (late) await until('what was due is over', nothingIsDue);
    const [records, slots, rows] = await look();
    for (const { id, state } of records) {
      if (late && before.has(id)) expect(['reserved', 'confirmed'], id).not.toContain(state);
      if (state !== 'expired' || !model.offers.get(id)?.open) continue;
      count('expire');
      model.settled(id, null);
    }
    for (const { id, left } of slots) {
      const { deadline } = tasks.find((task) => task.id === id) as (typeof tasks)[0];
      if (late && deadline <= at && beforeTasks.has(id)) expect(left).toBe(0);
      while ((model.tasks.get(id)?.left ?? 0) > left) {
        count('release');
        expect(deadline <= iso(app.clock())).toBe(true);
        model.ended(id, null);
      }
    }
    for (const agent of refusedEnrollments) expect(model.enrollments).toContain(agent);
    // There was a moment at which the agent had too little: when all that it gave was gone already.
    for (const { agent, amount } of refusedOffers.splice(0))
      expect((started[agent]?.earned ?? 0) - model.spent(agent), `seed ${seed}`).toBeLessThan(
        amount,
      );
    const balance = (agent: Actor, account: string) =>
      rows.find((row) => row.agent === agent.id && row.account === account)?.balance ?? 0;
    const real = agents.map((agent) => ({
      trial: balance(agent, 'trial available'),
      earned: balance(agent, 'earned available'),
      reserved: balance(agent, 'earned reserved'),
    }));
    expect(real, `seed ${seed}, batch ${batch}`).toEqual(model.purses);
  }
}

describe('many agents at once', () => {
  it(`[ledger.model] [ledger.deadlocks] in ${SEEDS} runs have what the model says, and the audit finds nothing`, {
    timeout: 24 * 3600 * 1000,
  }, async () => {
    let next = FIRST;
    await together(2, async () => {
      while (next < FIRST + SEEDS) await run(next++);
    });
    await assertRightLedger(db.connection);
    // One that was repeated would have hidden it.
    await db.run(sql`SELECT pg_stat_force_next_flush()`);
    expect(
      await db.first(
        sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
      ),
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
    if (SEEDS >= 200) expect(steps.filter((step) => (done[step] ?? 0) < SEEDS / 40)).toEqual([]);
  });
});
