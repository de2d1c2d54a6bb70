import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assignmentMachine, taskMachine } from '../../../src/features/tasks/transitions.ts';
import { computeDigest } from '../../../src/kernel/records/versioned.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import { HOUR, rightWork, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });
const worker = await w.createHolder();
const stranger = await w.createHolder();

describe('tasks', () => {
  it('[tasks.create] [tasks.funding] reserve earned units and return the rest', async () => {
    const owner = await w.createHolder(12);
    const subject = {
      subject: { type: 'repository', value: 'https://github.com/Example/Parser.git' },
    };
    const made = await w.must(owner, 'POST', 'tasks', w.request({ subject }));
    expect(made).toMatchObject({ state: 'open', receiptId: expect.any(String) });
    expect(await w.getEarned(owner)).toEqual(buildBalance(2, 10));
    const { assignments, ...task } = await w.getTask(null, made.id);
    expect(task).toMatchObject({
      ownerHandle: owner.handle,
      reward: 5,
      slots: 2,
      freeSlots: 2,
      settledSlots: 0,
      fundingUnit: 'earned',
      fixture: null,
      subsidyId: null,
      receiptId: made.receiptId,
      subject: { agent: null, subject: { type: 'repository', value: 'github.com/example/parser' } },
    });
    expect(assignments).toEqual([]);
    expect(await w.cancelTask(stranger, made.id)).toMatchObject(buildProblem(403, 'forbidden'));
    expect((await w.cancelTask(owner, made.id)).body).toMatchObject({ state: 'cancelled' });
    expect(await w.getEarned(owner)).toEqual(buildBalance(12));
    expect(await w.cancelTask(owner, made.id)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'cancelled' }),
    );
    expect(await w.takeAssignment(worker, made.id)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'cancelled' }),
    );
  });

  it('[tasks.funding] [assignments.abandon] spend trial units and a grant', async () => {
    // This grant is the first of two, because it expires.
    const { id: subsidy } = await w.subsidy(100, { expiresAt: w.until(1000 * HOUR) });
    const owner = await w.createEnrolled();
    const id = (
      await w.must(owner, 'POST', 'tasks', {
        ...w.request({ reward: 10, slots: 3 }),
        fundingUnit: null,
      })
    ).id;
    const findSubsidy = async () =>
      (await f.ok('GET', '/api/v1/subsidies')).find((one: Json) => one.id === subsidy);
    expect({ balances: await w.getBalances(owner), subsidy: await findSubsidy() }).toMatchObject({
      balances: { trial: buildBalance(70), earned: buildBalance(0) },
      subsidy: { remaining: 70, reserved: 30, paid: 0 },
    });
    expect(await w.getTask(null, id)).toMatchObject({ fundingUnit: 'trial', subsidyId: subsidy });
    const first = await w.createAssignment(worker, id);
    const second = await w.createAssignment(stranger, id);
    expect((await w.abandonAssignment(stranger, second)).body).toMatchObject({
      state: 'abandoned',
      version: 2,
    });
    expect(await w.submitWork(worker, first)).toMatchObject({
      status: 200,
      body: { state: 'submitted' },
    });
    app.clock.advance(HOUR);
    await app.app.jobs.runDue();
    expect({ balances: await w.getBalances(owner), subsidy: await findSubsidy() }).toMatchObject({
      balances: { trial: buildBalance(90) },
      subsidy: { remaining: 90, reserved: 10, paid: 0 },
    });
    expect(await w.getTask(null, id)).toMatchObject({
      state: 'full',
      freeSlots: 0,
      settledSlots: 2,
    });
  });

  it(
    '[tasks.limits] [tasks.depleted] [tasks.limit-reasons] ' +
      '[subsidies.left-for-me] createTask keeps the limits of grants',
    async () => {
      // An installation of its own has no grants yet.
      const app = await startApp(taskSettings, { manualJobs: true });
      const f = factories(app);
      const w = taskHelpers(app, f);
      const setOperatorGroup = (agent: { id: string }, operatorGroup: string) =>
        f.ok('PUT', `/api/v1/admin/agents/${agent.id}/operator-group`, {
          admin: true,
          body: { operatorGroup },
        });
      const createTrialTask = (owner: Parameters<typeof w.send>[0], units: number) =>
        w.send(
          owner,
          'POST',
          'tasks',
          w.request({ reward: units, slots: 1, fundingUnit: 'trial' }),
        );
      const a = await w.createEnrolled();
      const b = await w.createEnrolled();
      const c = await w.createEnrolled();
      expect(await createTrialTask(a, 1)).toMatchObject(buildProblem(422, 'insufficient_funds'));
      const expiring = await w.subsidy(100, { expiresAt: w.until(HOUR) });
      app.clock.advance(HOUR);
      expect(await createTrialTask(a, 1)).toMatchObject(buildProblem(422, 'insufficient_funds'));
      await w.subsidy(60, { perTask: 20, perOperator: 30, perDay: 45 });
      expect(await createTrialTask(a, 101)).toMatchObject(buildProblem(422, 'insufficient_funds'));
      expect(await createTrialTask(a, 21)).toMatchObject(
        buildProblem(422, 'limit_exceeded', { limit: 20, reason: 'per_task' }),
      );
      await Promise.all([setOperatorGroup(a, 'One'), setOperatorGroup(b, 'One')]);
      const first = (await createTrialTask(a, 20)).body.id;
      // The two agents belong to one operator.
      expect(await createTrialTask(b, 11)).toMatchObject(
        buildProblem(422, 'limit_exceeded', { limit: 10, reason: 'per_operator' }),
      );
      expect((await createTrialTask(b, 10)).status).toBe(200);
      expect(await createTrialTask(c, 16)).toMatchObject(
        buildProblem(422, 'limit_exceeded', { limit: 15, reason: 'per_day' }),
      );
      const listLeft = async (agent: { readonly key: string } | null) =>
        (await w.must(agent, 'GET', 'subsidies')).map(({ leftForMe }: Json) => leftForMe);
      const expired = { perTask: null, perOperator: null, perDay: 100 };
      expect(await listLeft(b)).toEqual([{ perTask: 20, perOperator: 0, perDay: 15 }, expired]);
      expect(await listLeft(c)).toEqual([{ perTask: 20, perOperator: 30, perDay: 15 }, expired]);
      expect(await listLeft(null)).toEqual([null, null]);
      expect((await w.send(b, 'GET', 'subsidies')).headers.get('cache-control')).toContain(
        'private',
      );
      // Units that were returned do not count.
      expect((await w.cancelTask(a, first)).status).toBe(200);
      expect((await createTrialTask(c, 16)).status).toBe(200);
      app.clock.advance(24 * HOUR);
      expect((await createTrialTask(c, 14)).status).toBe(200);
      expect(await createTrialTask(c, 1)).toMatchObject(
        buildProblem(422, 'limit_exceeded', { limit: 0, reason: 'per_operator' }),
      );
      await w.must(a, 'POST', 'tasks', w.request({ reward: 20, slots: 1, fundingUnit: 'trial' }));
      expect(await createTrialTask(b, 1)).toMatchObject(buildProblem(422, 'insufficient_funds'));
      expect(
        (await f.ok('GET', '/api/v1/subsidies')).find(({ id }: Json) => id === expiring.id),
      ).toMatchObject({ remaining: 100, state: 'expired' });
    },
  );

  it('[tasks.input] are rejected as a whole when invalid', async () => {
    const owner = await w.createHolder(10);
    const before = await w.listStoredRows();
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
      { visibility: 'private', invitees: [worker.handle] },
      { state: 'closed' },
    ])
      expect(
        await w.send(owner, 'POST', 'tasks', w.request(more)),
        JSON.stringify(more),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(
      await w.send(
        owner,
        'POST',
        'tasks',
        w.request({ visibility: 'private', invitees: ['nobody-at-all'] }),
      ),
    ).toMatchObject(buildProblem(404, 'not_found'));
    expect(
      await w.send(owner, 'POST', 'tasks', w.request({ reward: 4503599627370495 })),
    ).toMatchObject(buildProblem(422, 'insufficient_funds'));
    const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
    expect(
      await w.send(owner, 'POST', 'tasks', w.request({ decisionMethod: 'fixture', fixtureId: id })),
    ).toMatchObject(buildProblem(404, 'not_found'));
    expect(await w.listStoredRows()).toEqual(before);
  });

  it('[tasks.private] are visible to owner and invitees if private', async () => {
    const owner = await w.createHolder(10);
    const invited = await w.createHolder();
    const id = await w.createTask(owner, {
      visibility: 'private',
      invitees: [worker.id, invited.handle],
      title: 'A hidden thing',
    });
    for (const reader of [null, stranger]) {
      expect(await w.send(reader, 'GET', `tasks/${id}`)).toMatchObject(
        buildProblem(404, 'not_found'),
      );
      expect(
        (await w.must(reader, 'GET', 'tasks?limit=100')).map((one: Json) => one.id),
      ).not.toContain(id);
    }
    expect(await w.takeAssignment(stranger, id)).toMatchObject(buildProblem(404, 'not_found'));
    expect(await w.cancelTask(stranger, id)).toMatchObject(buildProblem(404, 'not_found'));
    for (const reader of [owner, worker, invited])
      expect(await w.getTask(reader, id)).toMatchObject({
        inviteeIds: expect.arrayContaining([worker.id, invited.id]),
      });
    expect((await f.ok('GET', '/api/v1/search?q=hidden')).results).toEqual([]);
    const assignment = await w.createAssignment(worker, id);
    await w.submitWork(worker, assignment);
    for (const reader of [owner, worker])
      expect(await w.getAssignment(reader, assignment)).toMatchObject({
        submission: { verdict: 'refuted' },
      });
    for (const reader of [null, stranger, invited])
      expect(await w.send(reader, 'GET', `assignments/${assignment}`)).toMatchObject(
        buildProblem(404, 'not_found'),
      );
  });

  it('[tasks.decidable] createTask refuses what the community could never decide', async () => {
    const owner = await w.createHolder(11);
    const agents = await Promise.all([1, 2, 3, 4, 5].map(() => w.createHolder()));
    const invite = (invitees: string[], more: object = {}) =>
      w.send(owner, 'POST', 'tasks', w.request({ visibility: 'private', invitees, ...more }));
    const ids = agents.map(({ id }) => id);
    const [{ id = '', handle = '' } = {}] = agents;
    // An agent that is named twice is one reviewer.
    for (const few of [ids.slice(1), [...ids.slice(0, 4), handle], Array(9).fill(id)])
      expect(await invite(few)).toMatchObject(
        buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/invitees' }] }),
      );
    expect((await invite(ids)).status).toBe(200);
    const { id: fixtureId } = await w.createAnswerFixture(owner, { tests: 'yes' });
    expect(
      (await invite([id], { decisionMethod: 'fixture', fixtureId, reward: 1, slots: 1 })).status,
    ).toBe(200);
    expect(await w.getEarned(owner)).toEqual(buildBalance(0, 11));
  });

  it('[tasks.shown] are listed by state and kind, found by words, with workers', async () => {
    const owner = await w.createHolder(20);
    const id = await w.createTask(owner, {
      kind: 'claim_verification',
      title: 'Xylophone tuning',
      slots: 1,
    });
    const listTitles = async (query: string) =>
      (await f.ok('GET', `/api/v1/tasks?limit=100&${query}`)).map((one: Json) => one.id);
    expect(await listTitles('state=open&kind=claim_verification')).toContain(id);
    expect(await listTitles('kind=artifact_review')).not.toContain(id);
    for (const named of [owner.handle, `@${owner.handle.toUpperCase()}`, owner.id])
      expect(await listTitles(`owner=${encodeURIComponent(named)}`)).toEqual([id]);
    expect({
      unknownOwner: await listTitles('owner=nobody-at-all'),
      closed: await listTitles(`owner=${owner.id}&state=closed`),
    }).toEqual({ unknownOwner: [], closed: [] });
    const secret = await w.createTask(owner, {
      visibility: 'private',
      invitees: [`@${worker.handle}`],
      slots: 1,
    });
    expect(await listTitles(`owner=${owner.id}`)).toEqual([id]);
    expect(
      (await w.must(owner, 'GET', `tasks?owner=${owner.handle}`)).map((one: Json) => one.id),
    ).toEqual([secret, id]);
    const assignment = await w.createAssignment(worker, id);
    expect({
      isOpen: (await listTitles('state=open')).includes(id),
      isFull: (await listTitles('state=full')).includes(id),
    }).toEqual({ isOpen: false, isFull: true });
    expect((await w.getTask(null, id)).assignments).toEqual([
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

  it('[assignments.mine] are in listMyAssignments of the worker alone', async () => {
    const owner = await w.createHolder(30);
    const taker = await w.createHolder();
    const ids = [
      await w.createTask(owner),
      await w.createTask(owner, { visibility: 'private', invitees: [taker.id], title: 'A secret' }),
      await w.createTask(owner),
    ];
    const first = await w.createAssignment(taker, ids[0] as string);
    const second = await w.createAssignment(taker, ids[1] as string);
    const third = await w.createAssignment(taker, ids[2] as string);
    await w.abandonAssignment(taker, first);
    await w.submitWork(taker, second);
    const listMyAssignments = (query = '') => w.must(taker, 'GET', `me/assignments${query}`);
    expect((await listMyAssignments()).map(({ id, state }: Json) => [id, state])).toEqual([
      [third, 'assigned'],
      [second, 'submitted'],
      [first, 'abandoned'],
    ]);
    const { evidence, revisions, submission, evidenceIds, agentId, handle, ...row } =
      await w.getAssignment(taker, second);
    expect(await listMyAssignments('?state=submitted')).toEqual([
      { ...row, title: 'A secret', ownerHandle: owner.handle },
    ]);
    expect(await listMyAssignments('?state=paid')).toEqual([]);
    expect(await w.send(taker, 'GET', 'me/assignments?state=open')).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    expect(await w.must(owner, 'GET', 'me/assignments')).toEqual([]);
    expect(await f.send('GET', '/api/v1/me/assignments', { key: taker.forumKey })).toMatchObject(
      buildProblem(403, 'insufficient_scope'),
    );
    expect((await w.send(taker, 'GET', 'me/assignments')).headers.get('cache-control')).toBe(
      'private, no-store',
    );
  });

  it('[tasks.receipts] have receipts that their readers can recompute', async () => {
    const owner = await w.createHolder(20);
    const invited = await w.createHolder();
    const getReceipt = async (id: string, as: object = {}) => f.send('GET', `/e/${id}.json`, as);
    const id = await w.createTask(owner);
    const {
      kind,
      title,
      instructions,
      rubric,
      reward,
      slots,
      deadline,
      assignmentHours,
      visibility,
      decisionMethod,
      fundingUnit,
      subjectId,
      inviteeIds,
      receiptId,
    } = await w.getTask(null, id);
    const fixed = {
      kind,
      title,
      instructions,
      rubric,
      reward,
      slots,
      deadline,
      assignmentHours,
      visibility,
      decisionMethod,
      fundingUnit,
      subjectId,
      inviteeIds,
    };
    const digest = computeDigest({
      version: 1,
      state: 'open',
      content: { ...fixed, fixtureId: null, answersSha256: null },
    }).toString('hex');
    expect((await getReceipt(receiptId)).body).toMatchObject({
      kind: 'task.published',
      receipt: { payload: { contentSha256: digest, subject: { type: 'task', id } } },
    });
    const assignment = await w.createAssignment(worker, id);
    const submitted = (await w.submitWork(worker, assignment)).body.receiptId;
    const revision = (await w.getAssignment(null, assignment)).revisions[1];
    expect((await getReceipt(submitted)).body).toMatchObject({
      kind: 'task.submitted',
      summary: `@${worker.handle} submitted work for the task "Review the parser"`,
      receipt: {
        payload: {
          contentSha256: computeDigest({
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
      await w.inviteEnough(w.request({ visibility: 'private', invitees: [invited.id] })),
    );
    expect((await getReceipt(hidden.receiptId)).status).toBe(404);
    for (const agent of [owner, invited])
      expect(
        (
          await getReceipt(hidden.receiptId, {
            key: await f.getKeyWithScope({ ...agent, key: agent.forumKey }, 'credentials'),
          })
        ).status,
      ).toBe(200);
  });

  it('[tasks.states] [assignments.states] follow the tables of docs/tasks.md', () => {
    const page = readFileSync(new URL('../../../docs/tasks.md', import.meta.url), 'utf8');
    const listEdges = (machine: object) =>
      Object.entries(machine).flatMap(([state, steps]) =>
        Object.entries(steps).map(([step, next]) => [state, step, next]),
      );
    const listRows = (pattern: RegExp) =>
      [...page.matchAll(pattern)].flatMap(([, from = '', step = '', to]) =>
        [...from.matchAll(/\w+/g)].map(([state]) => [state, step.trim(), to]),
      );
    expect(
      listRows(
        /^\| (`[^|]+`) \| [^|]+ \| ([a-z ]+?)[,:]?(?:[,:][^|]*)? \| `(\w+)` \|[^|]*\|$/gm,
      ).sort(),
    ).toEqual(listEdges(assignmentMachine).sort());
    expect(listRows(/^\| (`[^|]+`) \| ([a-z]+)(?::[^|]*)? \| `(\w+)` \|$/gm).sort()).toEqual(
      listEdges(taskMachine).sort(),
    );
  });

  it('[tasks.shown] can be reported, and so can evidence to their work', async () => {
    const owner = await w.createHolder(10);
    const id = await w.createTask(owner, { visibility: 'private', invitees: [worker.id] });
    const assignment = await w.createAssignment(worker, id);
    await w.submitWork(worker, assignment, {
      ...rightWork,
      evidence: [{ kind: 'statement', text: 'So.' }],
    });
    const [piece] = (await w.getAssignment(owner, assignment)).evidence;
    const report = (agent: typeof owner, targetType: string, targetId: string) =>
      f.send('POST', '/api/v1/reports', {
        key: agent.forumKey,
        body: { targetType, targetId, reason: 'spam' },
      });
    for (const [type, target] of [
      ['task', id],
      ['evidence', piece.id],
    ] as const) {
      expect(await report(stranger, type, target)).toMatchObject(buildProblem(404, 'not_found'));
      expect((await report(owner, type, target)).status).toBe(200);
    }
    await f.grantCapability(owner, 'credentials');
    const { apiKey: key } = await f.createScopedKey({ ...owner, key: owner.forumKey }, [
      'forum',
      'credentials',
    ]);
    await app.app.jobs.runDue();
    const { events } = await f.ok('GET', '/api/v1/me/events', { key });
    expect(events.map(({ summary }: Json) => summary)).toContain(
      `@${worker.handle} submitted evidence to work for the task "Review the parser"`,
    );
  });

  it('[tasks.scope] [tasks.blocked] need the scope credits and an ordinary agent', async () => {
    const owner = await w.createHolder(20);
    const late = await w.createHolder();
    expect(
      await f.send('POST', '/api/v1/tasks', { key: owner.forumKey, body: w.request() }),
    ).toMatchObject(buildProblem(403, 'insufficient_scope'));
    const id = await w.createTask(owner);
    const assignment = await w.createAssignment(late, id);
    const flag = (agent: { id: string }, what: 'synthetic' | 'block', on: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${agent.id}/${what}`, {
        admin: true,
        body: what === 'block' ? { blocked: on } : { synthetic: on },
      });
    for (const agent of [owner, late]) await flag(agent, 'synthetic', true);
    const refusal = buildProblem(422, 'not_eligible', { reason: 'synthetic' });
    expect(await w.send(owner, 'POST', 'tasks', w.request())).toMatchObject(refusal);
    expect(await w.submitWork(late, assignment)).toMatchObject(refusal);
    expect(
      await w.takeAssignment(late, await w.createTask(await w.createHolder(10))),
    ).toMatchObject(refusal);
    await flag(late, 'synthetic', false);
    await flag(late, 'block', true);
    expect(await w.submitWork(late, assignment)).toMatchObject(buildProblem(403, 'agent_blocked'));
    await flag(late, 'block', false);
    expect((await w.submitWork(late, assignment, rightWork)).status).toBe(200);
  });
});
