import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent, waitUntil } from '../../support/factories.ts';
import { adjudicationHelpers, adjudicationSettings, HOUR } from '../adjudication/setup.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { taskHelpers, taskSettings } from '../tasks/setup.ts';

const settings = {
  ...interactionSettings,
  ...adjudicationSettings,
  ...taskSettings,
  OFFERS_ENABLED: 'on',
};
const app = await startApp(settings);
const f = factories(app);
const j = adjudicationHelpers(f);
const w = taskHelpers(app, f);

const toReader = (holder: CreditHolder): TestAgent => ({ ...holder, key: holder.forumKey });

/** The events of an agent about records: kind, subject, and who acted. */
async function listNews(agent: TestAgent, url = app.url): Promise<Json[]> {
  const { events } = await factories({ ...app, url }).ok('GET', '/api/v1/events?limit=500', {
    key: agent.key,
  });
  return events.flatMap(({ kind, subject, actorId }: Json) =>
    subject ? [{ kind, type: subject.type, id: subject.id, state: subject.state, actorId }] : [],
  );
}

const advanceHours = async (hours: number) => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};

const createPair = async () => {
  const owner = await w.createHolder(100);
  const worker = await w.createHolder();
  return { owner, worker, ownerNews: toReader(owner), workerNews: toReader(worker) };
};

describe('offers', () => {
  const send = (agent: CreditHolder, id: string, act: string, expectedVersion: number) =>
    f.ok('POST', `/api/v1/offers/${id}/${act}`, { key: agent.key, body: { expectedVersion } });

  it('[event.offer] are told to the other party, and an acceptance by its receipt', async () => {
    const { owner: sender, worker: recipient, ownerNews, workerNews } = await createPair();
    const offer = async () =>
      (
        await f.ok('POST', '/api/v1/offers', {
          key: sender.key,
          body: { kind: 'gift', amount: 1, recipient: recipient.handle },
        })
      ).id as string;
    const news = (id: string, state: string, actorId: string | null) => ({
      kind: 'offer',
      type: 'offer',
      id,
      state,
      actorId,
    });
    const declined = await offer();
    await send(recipient, declined, 'decline', 1);
    const cancelled = await offer();
    await send(sender, cancelled, 'cancel', 1);
    const accepted = await offer();
    await send(recipient, accepted, 'accept', 1);
    const expired = await offer();
    await advanceHours(24 * 7);
    expect(await listNews(workerNews)).toEqual([
      news(declined, 'confirmed', sender.id),
      news(cancelled, 'confirmed', sender.id),
      news(cancelled, 'cancelled', sender.id),
      news(accepted, 'confirmed', sender.id),
      news(expired, 'confirmed', sender.id),
      news(expired, 'expired', null),
    ]);
    expect((await listNews(ownerNews)).filter(({ kind }: Json) => kind === 'offer')).toEqual([
      news(declined, 'reserved', recipient.id),
      news(expired, 'expired', null),
    ]);
  });
});

describe('assignments', () => {
  const news = (id: string, state: string, actorId: string | null) => ({
    kind: 'assignment',
    type: 'assignment',
    id,
    state,
    actorId,
  });

  it('[event.assignment] are told to the owner and the worker, but not to the actor', async () => {
    const { owner, worker, ownerNews, workerNews } = await createPair();
    const other = await w.createHolder();
    const task = await w.createTask(owner, { slots: 2 });
    const id = await w.createAssignment(worker, task);
    const given = await w.createAssignment(other, task);
    await w.abandonAssignment(other, given);
    expect((await w.submitWork(worker, id)).status).toBe(200);
    const { caseId } = await w.getAssignment(null, id);
    await advanceHours(72);
    const about = (agent: TestAgent, wanted: string) =>
      listNews(agent).then((all) => all.filter((one: Json) => one.id === wanted));
    expect(await about(ownerNews, id)).toEqual([
      news(id, 'assigned', worker.id),
      news(id, 'submitted', worker.id),
      news(id, 'unresolved', null),
    ]);
    expect(await about(workerNews, id)).toEqual([news(id, 'unresolved', null)]);
    expect(await about(ownerNews, given)).toEqual([
      news(given, 'assigned', other.id),
      news(given, 'abandoned', other.id),
    ]);
    expect(await about(toReader(other), given)).toEqual([]);
    const opened = { kind: 'case', type: 'case', id: caseId, state: 'open', actorId: null };
    for (const party of [ownerNews, workerNews])
      expect(await about(party, caseId)).toEqual([opened, { ...opened, state: 'closed' }]);
  });

  it('[event.assignment] that a fixture decides are told to the owner alone', async () => {
    const { owner, worker, ownerNews, workerNews } = await createPair();
    const answers = { tests: 'yes', answer: '42' };
    const task = await w.createTask(owner, {
      decisionMethod: 'fixture',
      fixtureId: (await w.createAnswerFixture(owner, answers)).id,
    });
    const id = await w.createAssignment(worker, task);
    expect((await w.submitWork(worker, id)).body.state).toMatch(/paid|refused/);
    expect((await listNews(ownerNews)).map(({ state }: Json) => state)).toEqual([
      'assigned',
      'submitted',
      expect.stringMatching(/paid|refused/),
    ]);
    expect(await listNews(workerNews)).toEqual([]);
  });

  it('[event.deadline] is told 24 hours before, once, to whom time runs out', async () => {
    const { owner, worker, ownerNews, workerNews } = await createPair();
    const late = await w.createHolder();
    const task = await w.createTask(owner, {
      slots: 3,
      deadline: w.until(100 * HOUR),
      assignmentHours: 48,
    });
    const id = await w.createAssignment(worker, task);
    const deadline = (type: string, wanted: string, state: string) => ({
      kind: 'deadline',
      type,
      id: wanted,
      state,
      actorId: null,
    });
    const listDeadlines = async (agent: TestAgent) =>
      (await listNews(agent)).filter(({ kind }: Json) => kind === 'deadline');
    app.clock.advance(24 * HOUR - 1);
    await app.app.jobs.runDue();
    expect(await listDeadlines(workerNews)).toEqual([]);
    // A row that another job has locked just now is left for the next run.
    const waitForDeadline = (agent: TestAgent) =>
      waitUntil('somebody is told', async () => {
        await app.app.jobs.runDue();
        return (await listDeadlines(agent)).length > 0;
      });
    app.clock.advance(1);
    await waitForDeadline(workerNews);
    await app.app.jobs.runDue();
    expect(await listDeadlines(workerNews)).toEqual([deadline('assignment', id, 'assigned')]);
    expect(await listDeadlines(ownerNews)).toEqual([]);
    // The worker's time ends at 48 hours, and the task's at 100.
    await advanceHours(52);
    expect((await w.getAssignment(null, id)).state).toBe('expired');
    await waitForDeadline(ownerNews);
    expect(await listDeadlines(ownerNews)).toEqual([deadline('task', task, 'open')]);
    // Whoever takes a slot in the last 24 hours knows how much time there is.
    await w.createAssignment(late, task);
    await advanceHours(10);
    expect(await listDeadlines(toReader(late))).toEqual([]);
    expect(await listDeadlines(workerNews)).toHaveLength(1);
  });
});

describe('cases', () => {
  const setNotices = (agent: TestAgent, enabled: boolean) =>
    j.r.must(agent, 'reviewer', 'PUT', '/api/v1/me/review-notices', { enabled });

  it('[event.case] are told to parties, and to those that may vote and asked for it', async () => {
    const [asked, unasked, grouped, muting] = (await j.createVoters(4)) as [
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const late = await f.createAgent();
    for (const agent of [asked, grouped, muting, late]) await setNotices(agent, true);
    await f.getKeyWithScope(unasked, 'reviewer');
    const author = await f.createAgent();
    for (const { id } of [author, grouped])
      await f.ok('PUT', `/api/v1/admin/agents/${id}/operator-group`, {
        admin: true,
        body: { operatorGroup: 'Authors Ltd' },
      });
    const target = await f.createAgent();
    const opener = await f.createAgent();
    await f.ok('PUT', `/api/v1/me/mutes/${opener.id}`, { key: muting.key });
    const recorded = await j.r.recordInteraction(author, { agent: target.handle });
    const { id } = await j.openCase(opener, recorded.id);
    await app.app.jobs.runDue();
    const opened = { kind: 'case', type: 'case', id, state: 'open', actorId: opener.id };
    for (const agent of [author, target, asked]) expect(await listNews(agent)).toEqual([opened]);
    for (const agent of [opener, unasked, grouped, muting, late])
      expect(await listNews(agent)).toEqual([]);
    await setNotices(asked, false);
    await setNotices(asked, false);
    await advanceHours(72);
    const closed = { ...opened, state: 'closed', actorId: null };
    for (const agent of [author, target]) expect(await listNews(agent)).toEqual([opened, closed]);
    expect(await listNews(opener)).toEqual([closed]);
    // It was not told of the opening either.
    expect(await listNews(muting)).toEqual([]);
    expect(await listNews(asked)).toEqual([opened]);
  });

  it('[event.records-off] are not shown while adjudication is off', async () => {
    const { author } = await j.createCase();
    expect(await listNews(author)).toHaveLength(1);
    const { url } = await app.startNode({
      ADJUDICATION_ENABLED: 'off',
      REPUTATION_ENABLED: 'off',
    });
    const { events, nextCursor } = await factories({ ...app, url }).ok('GET', '/api/v1/events', {
      key: author.key,
    });
    expect(events).toEqual([]);
    expect(nextCursor).toBe(1);
  });

  it('[event.records-wait] wake a reader that waits', async () => {
    const { id, author } = await j.createCase();
    const { nextCursor } = await f.ok('GET', '/api/v1/events', { key: author.key });
    const waiting = f.ok('GET', `/api/v1/events?wait=60&cursor=${nextCursor}`, {
      key: author.key,
    });
    await advanceHours(72);
    expect((await waiting).events).toMatchObject([
      {
        kind: 'case',
        roomId: null,
        threadId: null,
        subject: { type: 'case', id, state: 'closed' },
      },
    ]);
  });
});
