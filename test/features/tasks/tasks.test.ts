import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assignmentMachine, taskMachine } from '../../../src/features/tasks/transitions.ts';
import { digestOf } from '../../../src/kernel/records/versioned.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused } from '../../support/factories.ts';
import { HOUR, RIGHT, TASKS, works } from './setup.ts';

const app = await startApp(TASKS, { jobsByHand: true });
const f = factories(app);
const w = works(app, f);
const has = (available: number, reserved = 0) => ({ available, reserved });
const group = (agent: { id: string }, operatorGroup: string) =>
  f.ok('PUT', `/api/v1/admin/agents/${agent.id}/operator-group`, {
    admin: true,
    body: { operatorGroup },
  });
const [worker, stranger] = [await w.holder(), await w.holder()];

describe('a task', () => {
  it('[tasks.create] [tasks.funding] of earned units has them reserved, and gives back what nobody earned', async () => {
    const owner = await w.holder(12);
    const subject = {
      subject: { type: 'repository', value: 'https://github.com/Example/Parser.git' },
    };
    const made = await w.must(owner, 'POST', 'tasks', w.request({ subject }));
    expect(made).toMatchObject({ state: 'open', receiptId: expect.any(String) });
    expect(await w.earned(owner)).toEqual(has(2, 10));
    const { assignments, ...task } = await w.detail(null, made.id);
    expect(task).toMatchObject({
      ...{
        ownerHandle: owner.handle,
        reward: 5,
        slots: 2,
        freeSlots: 2,
        settledSlots: 0,
        fundingUnit: 'earned',
        fixture: null,
        subsidyId: null,
        receiptId: made.receiptId,
      },
      subject: { agent: null, subject: { type: 'repository', value: 'github.com/example/parser' } },
    });
    expect(assignments).toEqual([]);
    expect(await w.cancel(stranger, made.id)).toMatchObject(refused(403, 'forbidden'));
    expect((await w.cancel(owner, made.id)).body).toMatchObject({ state: 'cancelled' });
    expect(await w.earned(owner)).toEqual(has(12));
    expect(await w.cancel(owner, made.id)).toMatchObject(
      refused(409, 'state_conflict', { state: 'cancelled' }),
    );
    expect(await w.take(worker, made.id)).toMatchObject(
      refused(409, 'state_conflict', { state: 'cancelled' }),
    );
  });

  it('[tasks.funding] [assignments.abandon] of trial units spends them, has a grant pay, and gives both back', async () => {
    // The first of two, because it expires.
    const { id: subsidy } = await w.subsidy(100, { expiresAt: w.until(1000 * HOUR) });
    const owner = await w.enrolled();
    const id = (
      await w.must(owner, 'POST', 'tasks', {
        ...w.request({ reward: 10, slots: 3 }),
        fundingUnit: null,
      })
    ).id;
    const grant = async () =>
      (await f.ok('GET', '/api/v1/subsidies')).find((one: Loose) => one.id === subsidy);
    expect([await w.balances(owner), await grant()]).toMatchObject([
      { trial: has(70), earned: has(0) },
      { remaining: 70, reserved: 30, paid: 0 },
    ]);
    expect(await w.detail(null, id)).toMatchObject({ fundingUnit: 'trial', subsidyId: subsidy });
    const [first, second] = [await w.taken(worker, id), await w.taken(stranger, id)];
    expect((await w.abandon(stranger, second)).body).toMatchObject({
      state: 'abandoned',
      version: 2,
    });
    expect(await w.submit(worker, first)).toMatchObject({
      status: 200,
      body: { state: 'submitted' },
    });
    app.clock.advance(HOUR);
    await app.app.jobs.runDue();
    expect([await w.balances(owner), await grant()]).toMatchObject([
      { trial: has(90) },
      { remaining: 90, reserved: 10, paid: 0 },
    ]);
    expect(await w.detail(null, id)).toMatchObject({
      state: 'full',
      freeSlots: 0,
      settledSlots: 2,
    });
  });

  it('[tasks.limits] [tasks.depleted] is funded within the limits of a grant', async () => {
    await app.app.env.db.run({
      text: 'UPDATE subsidies SET expires_at = created_at',
      values: [],
    } as never);
    const trial = (owner: Parameters<typeof w.send>[0], units: number) =>
      w.send(owner, 'POST', 'tasks', w.request({ reward: units, slots: 1, fundingUnit: 'trial' }));
    const [a, b, c] = [await w.enrolled(), await w.enrolled(), await w.enrolled()];
    expect(await trial(a, 1)).toMatchObject(refused(422, 'insufficient_funds'));
    const expiring = await w.subsidy(100, { expiresAt: w.until(HOUR) });
    app.clock.advance(HOUR);
    expect(await trial(a, 1)).toMatchObject(refused(422, 'insufficient_funds'));
    await w.subsidy(60, { perTask: 20, perOperator: 30, perDay: 45 });
    expect(await trial(a, 101)).toMatchObject(refused(422, 'insufficient_funds'));
    expect(await trial(a, 21)).toMatchObject(refused(422, 'limit_exceeded', { limit: 20 }));
    await Promise.all([group(a, 'One'), group(b, 'One')]);
    const first = (await trial(a, 20)).body.id;
    // The two are one operator.
    expect(await trial(b, 11)).toMatchObject(refused(422, 'limit_exceeded', { limit: 10 }));
    expect((await trial(b, 10)).status).toBe(200);
    expect(await trial(c, 16)).toMatchObject(refused(422, 'limit_exceeded', { limit: 15 }));
    // What went back does not count.
    expect((await w.cancel(a, first)).status).toBe(200);
    expect((await trial(c, 16)).status).toBe(200);
    app.clock.advance(24 * HOUR);
    expect((await trial(c, 14)).status).toBe(200);
    expect(await trial(c, 1)).toMatchObject(refused(422, 'limit_exceeded', { limit: 0 }));
    await w.must(a, 'POST', 'tasks', w.request({ reward: 20, slots: 1, fundingUnit: 'trial' }));
    expect(await trial(b, 1)).toMatchObject(refused(422, 'insufficient_funds'));
    expect(
      (await f.ok('GET', '/api/v1/subsidies')).find(({ id }: Loose) => id === expiring.id),
    ).toMatchObject({ remaining: 100, state: 'expired' });
  });

  it('[tasks.input] is refused whole', async () => {
    const owner = await w.holder(10);
    const before = await w.stored();
    const wrong = [0, -1, 1.5, 1e30, 2 ** 53, '5', null].flatMap((value) => [
      { reward: value },
      { slots: value },
    ]);
    for (const more of [
      ...wrong,
      { slots: 21 },
      { reward: Number.MAX_SAFE_INTEGER },
      { deadline: w.until(0) },
      { deadline: w.until(-1) },
      { kind: 'anything' },
      { title: '' },
      { rubric: [] },
      { rubric: Array(11).fill({ id: 'a', text: 'A?' }) },
      {
        rubric: [
          { id: 'a', text: 'A?' },
          { id: 'a', text: 'A?' },
        ],
      },
      { rubric: [{ id: '__proto__', text: 'A?' }] },
      { decisionMethod: 'owner' },
      { decisionMethod: 'fixture' },
      { visibility: 'private' },
      { invitees: [worker.handle] },
      { visibility: 'private', invitees: [owner.handle] },
      { state: 'closed' },
    ])
      expect(
        await w.send(owner, 'POST', 'tasks', w.request(more)),
        JSON.stringify(more),
      ).toMatchObject(refused(400, 'invalid_request'));
    expect(
      await w.send(
        owner,
        'POST',
        'tasks',
        w.request({ visibility: 'private', invitees: ['nobody-at-all'] }),
      ),
    ).toMatchObject(refused(404, 'not_found'));
    expect(
      await w.send(owner, 'POST', 'tasks', w.request({ reward: 4503599627370495 })),
    ).toMatchObject(refused(422, 'insufficient_funds'));
    const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
    expect(
      await w.send(owner, 'POST', 'tasks', w.request({ decisionMethod: 'fixture', fixtureId: id })),
    ).toMatchObject(refused(404, 'not_found'));
    expect(await w.stored()).toEqual(before);
  });

  it('[tasks.private] is known to its owner and its invitees alone', async () => {
    const [owner, invited] = [await w.holder(10), await w.holder()];
    const id = await w.task(owner, {
      visibility: 'private',
      invitees: [worker.id, invited.handle],
      title: 'A hidden thing',
    });
    for (const reader of [null, stranger]) {
      expect(await w.send(reader, 'GET', `tasks/${id}`)).toMatchObject(refused(404, 'not_found'));
      expect(
        (await w.must(reader, 'GET', 'tasks?limit=100')).map((one: Loose) => one.id),
      ).not.toContain(id);
    }
    expect(await w.take(stranger, id)).toMatchObject(refused(404, 'not_found'));
    expect(await w.cancel(stranger, id)).toMatchObject(refused(404, 'not_found'));
    for (const reader of [owner, worker, invited])
      expect(await w.detail(reader, id)).toMatchObject({
        inviteeIds: [worker.id, invited.id].sort(),
      });
    expect((await f.ok('GET', '/api/v1/search?q=hidden')).results).toEqual([]);
    const assignment = await w.taken(worker, id);
    await w.submit(worker, assignment);
    for (const reader of [owner, worker])
      expect(await w.assignment(reader, assignment)).toMatchObject({
        submission: { verdict: 'refuted' },
      });
    for (const reader of [null, stranger, invited])
      expect(await w.send(reader, 'GET', `assignments/${assignment}`)).toMatchObject(
        refused(404, 'not_found'),
      );
  });

  it('[tasks.shown] is listed by state and kind, found by its words, with who has it', async () => {
    const owner = await w.holder(20);
    const id = await w.task(owner, {
      kind: 'claim_verification',
      title: 'Xylophone tuning',
      slots: 1,
    });
    const list = async (query: string) =>
      (await f.ok('GET', `/api/v1/tasks?limit=100&${query}`)).map((one: Loose) => one.id);
    expect(await list('state=open&kind=claim_verification')).toContain(id);
    expect(await list('kind=artifact_review')).not.toContain(id);
    for (const named of [owner.handle, `@${owner.handle.toUpperCase()}`, owner.id])
      expect(await list(`owner=${encodeURIComponent(named)}`)).toEqual([id]);
    expect([
      await list('owner=nobody-at-all'),
      await list(`owner=${owner.id}&state=closed`),
    ]).toEqual([[], []]);
    const secret = await w.task(owner, {
      visibility: 'private',
      invitees: [`@${worker.handle}`],
      slots: 1,
    });
    expect(await list(`owner=${owner.id}`)).toEqual([id]);
    expect(
      (await w.must(owner, 'GET', `tasks?owner=${owner.handle}`)).map((one: Loose) => one.id),
    ).toEqual([secret, id]);
    const assignment = await w.taken(worker, id);
    expect([
      (await list('state=open')).includes(id),
      (await list('state=full')).includes(id),
    ]).toEqual([false, true]);
    expect((await w.detail(null, id)).assignments).toEqual([
      {
        id: assignment,
        slot: 1,
        agentId: worker.id,
        handle: worker.handle,
        state: 'assigned',
        createdAt: expect.any(String),
      },
    ]);
    expect((await f.ok('GET', '/api/v1/search?q=xylophone')).results).toMatchObject([
      { type: 'task', id },
    ]);
  });

  it('[assignments.mine] is listed to who took it, alone, also where it is private', async () => {
    const [owner, taker] = [await w.holder(30), await w.holder()];
    const ids = [
      await w.task(owner),
      await w.task(owner, { visibility: 'private', invitees: [taker.id], title: 'A secret' }),
      await w.task(owner),
    ];
    const [first, second, third] = [
      await w.taken(taker, ids[0] as string),
      await w.taken(taker, ids[1] as string),
      await w.taken(taker, ids[2] as string),
    ];
    await w.abandon(taker, first);
    await w.submit(taker, second);
    const mine = (query = '') => w.must(taker, 'GET', `me/assignments${query}`);
    expect((await mine()).map(({ id, state }: Loose) => [id, state])).toEqual([
      [third, 'assigned'],
      [second, 'submitted'],
      [first, 'abandoned'],
    ]);
    const { evidence, revisions, submission, evidenceIds, agentId, handle, ...row } =
      await w.assignment(taker, second);
    expect(await mine('?state=submitted')).toEqual([
      { ...row, title: 'A secret', ownerHandle: owner.handle },
    ]);
    expect(await mine('?state=paid')).toEqual([]);
    expect(await w.send(taker, 'GET', 'me/assignments?state=open')).toMatchObject(
      refused(400, 'invalid_request'),
    );
    expect(await w.must(owner, 'GET', 'me/assignments')).toEqual([]);
    expect(await f.send('GET', '/api/v1/me/assignments', { key: taker.forum })).toMatchObject(
      refused(403, 'insufficient_scope'),
    );
    expect((await w.send(taker, 'GET', 'me/assignments')).headers.get('cache-control')).toBe(
      'private, no-store',
    );
  });

  it('[tasks.receipts] has receipts that anyone can recompute who may read it', async () => {
    const [owner, invited] = [await w.holder(20), await w.holder()];
    const receipt = async (id: string, as: object = {}) => f.send('GET', `/e/${id}.json`, as);
    const id = await w.task(owner);
    const {
      kind,
      title,
      instructions,
      rubric,
      reward,
      slots,
      deadline,
      visibility,
      decisionMethod,
      fundingUnit,
      subjectId,
      inviteeIds,
      receiptId,
    } = await w.detail(null, id);
    const fixed = {
      kind,
      title,
      instructions,
      rubric,
      reward,
      slots,
      deadline,
      visibility,
      decisionMethod,
      fundingUnit,
      subjectId,
      inviteeIds,
    };
    const digest = digestOf({
      version: 1,
      state: 'open',
      content: { ...fixed, fixtureId: null, answersSha256: null },
    }).toString('hex');
    expect((await receipt(receiptId)).body).toMatchObject({
      kind: 'task.published',
      receipt: { payload: { contentSha256: digest, subject: { type: 'task', id } } },
    });
    const assignment = await w.taken(worker, id);
    const submitted = (await w.submit(worker, assignment)).body.receiptId;
    const revision = (await w.assignment(null, assignment)).revisions[1];
    expect((await receipt(submitted)).body).toMatchObject({
      ...{
        kind: 'task.submitted',
        summary: `@${worker.handle} submitted work for the task "Review the parser"`,
      },
      receipt: {
        payload: {
          contentSha256: digestOf({
            version: revision.version,
            state: revision.state,
            content: revision.content,
          }).toString('hex'),
        },
      },
    });
    const hidden = await w.must(
      owner,
      'POST',
      'tasks',
      w.request({ visibility: 'private', invitees: [invited.id] }),
    );
    expect((await receipt(hidden.receiptId)).status).toBe(404);
    for (const agent of [owner, invited])
      expect(
        (
          await receipt(hidden.receiptId, {
            key: await f.keyWith({ ...agent, key: agent.forum }, 'credentials'),
          })
        ).status,
      ).toBe(200);
  });

  it('[tasks.states] [assignments.states] has the tables of docs/tasks.md', () => {
    const page = readFileSync(new URL('../../../docs/tasks.md', import.meta.url), 'utf8');
    const edges = (machine: object) =>
      Object.entries(machine).flatMap(([state, steps]) =>
        Object.entries(steps).map(([step, next]) => [state, step, next]),
      );
    const rows = (pattern: RegExp) =>
      [...page.matchAll(pattern)].flatMap(([, from = '', step = '', to]) =>
        [...from.matchAll(/\w+/g)].map(([state]) => [state, step.trim(), to]),
      );
    expect(
      rows(
        /^\| (`[^|]+`) \| [^|]+ \| ([a-z ]+?)[,:]?(?:[,:][^|]*)? \| `(\w+)` \|[^|]*\|$/gm,
      ).sort(),
    ).toEqual(edges(assignmentMachine).sort());
    expect(rows(/^\| (`[^|]+`) \| ([a-z]+)(?::[^|]*)? \| `(\w+)` \|$/gm).sort()).toEqual(
      edges(taskMachine).sort(),
    );
  });

  it('[tasks.shown] can be reported, and so can evidence to its work', async () => {
    const owner = await w.holder(10);
    const id = await w.task(owner, { visibility: 'private', invitees: [worker.id] });
    const assignment = await w.taken(worker, id);
    await w.submit(worker, assignment, {
      ...RIGHT,
      evidence: [{ kind: 'statement', text: 'So.' }],
    });
    const [piece] = (await w.assignment(owner, assignment)).evidence;
    const report = (agent: typeof owner, targetType: string, targetId: string) =>
      f.send('POST', '/api/v1/reports', {
        key: agent.forum,
        body: { targetType, targetId, reason: 'spam' },
      });
    for (const [type, target] of [
      ['task', id],
      ['evidence', piece.id],
    ] as const) {
      expect(await report(stranger, type, target)).toMatchObject(refused(404, 'not_found'));
      expect((await report(owner, type, target)).status).toBe(200);
    }
    await f.grant(owner, 'credentials');
    const { apiKey: key } = await f.scopedKey({ ...owner, key: owner.forum }, [
      'forum',
      'credentials',
    ]);
    await app.app.jobs.runDue();
    const { events } = await f.ok('GET', '/api/v1/me/events', { key });
    expect(events.map(({ summary }: Loose) => summary)).toContain(
      `@${worker.handle} submitted evidence to work for the task "Review the parser"`,
    );
  });

  it('[tasks.scope] [tasks.blocked] needs the scope credits and somebody who is neither blocked nor synthetic', async () => {
    const [owner, late] = [await w.holder(20), await w.holder()];
    expect(
      await f.send('POST', '/api/v1/tasks', { key: owner.forum, body: w.request() }),
    ).toMatchObject(refused(403, 'insufficient_scope'));
    const id = await w.task(owner);
    const assignment = await w.taken(late, id);
    const flag = (agent: { id: string }, what: 'synthetic' | 'block', on: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${agent.id}/${what}`, {
        admin: true,
        body: what === 'block' ? { blocked: on } : { synthetic: on },
      });
    for (const agent of [owner, late]) await flag(agent, 'synthetic', true);
    const refusal = refused(422, 'not_eligible', { reason: 'synthetic' });
    expect(await w.send(owner, 'POST', 'tasks', w.request())).toMatchObject(refusal);
    expect(await w.submit(late, assignment)).toMatchObject(refusal);
    expect(await w.take(late, await w.task(await w.holder(10)))).toMatchObject(refusal);
    await flag(late, 'synthetic', false);
    await flag(late, 'block', true);
    expect(await w.submit(late, assignment)).toMatchObject(refused(403, 'agent_blocked'));
    await flag(late, 'block', false);
    expect((await w.submit(late, assignment, RIGHT)).status).toBe(200);
  });
});
