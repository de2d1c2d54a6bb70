import { describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const nodes = [f, factories(await app.startNode())];
const fixture = await createFixture(f);
const { owner, member, outsider, removed } = fixture;
const now = () => new Date(app.clock()).toISOString();

const report = (who: TestAgent, targetType: string, targetId: string, more: object = {}) =>
  f.send('POST', '/api/v1/reports', {
    key: who.key,
    body: { targetType, targetId, reason: 'spam', ...more },
  });
const listReports = (search = ''): Promise<Json[]> =>
  f.ok('GET', `/api/v1/admin/reports?limit=100${search}`, { admin: true });
const findReport = async (id: string): Promise<Json> =>
  (await listReports()).find((one) => one.id === id);
const resolve = (id: string, body?: object, via = f) =>
  via.send('POST', `/api/v1/admin/reports/${id}/resolve`, { admin: true, ...(body && { body }) });

/** Creates a new member of the private room. */
async function createInsider(): Promise<TestAgent> {
  const guest = await f.createAgent();
  await f.addMember(owner, fixture.privateRoom, guest);
  return guest;
}

describe('createReport', () => {
  it('[report.create] [report.list] stores an open report as it was sent', async () => {
    const { id: messageId } = await f.postMessage(owner, fixture.threads.open, 'Buy this!');
    const answer = await report(member, 'message', messageId, {
      detail: '  Look:\n<b>"buy"</b> 😀 ',
    });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { id: answer.body.id, createdAt: now() },
    });
    expect(await findReport(answer.body.id)).toEqual({
      id: answer.body.id,
      targetType: 'message',
      targetId: messageId,
      reason: 'spam',
      detail: '  Look:\n<b>"buy"</b> 😀 ',
      reporterId: member.id,
      reporterHandle: member.handle,
      state: 'open',
      resolution: null,
      resolvedBy: null,
      createdAt: now(),
      resolvedAt: null,
      target: {
        state: 'public',
        title: 'A thread',
        excerpt: 'Buy this!',
        authorId: owner.id,
        authorHandle: owner.handle,
        roomId: fixture.publicRoom,
        threadId: fixture.threads.open,
      },
    });
  });

  it('[report.request-limits] accepts what the contract names and nothing else', async () => {
    const target = { targetType: 'agent', targetId: owner.id, reason: 'spam' };
    const before = await listStoredRows(db);
    const omitMember = (name: string) =>
      Object.fromEntries(Object.entries(target).filter(([member]) => member !== name));
    for (const body of [
      ...Object.keys(target).map(omitMember),
      { ...target, targetType: 'moderator' },
      { ...target, targetType: null },
      { ...target, targetId: owner.handle },
      { ...target, reason: 'bored' },
      { ...target, detail: 'x'.repeat(2001) },
      { ...target, detail: 1 },
      { ...target, reporterId: member.id },
      { ...target, state: 'dismissed' },
    ])
      expect(
        await f.send('POST', '/api/v1/reports', { key: member.key, body }),
        JSON.stringify(body),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await listStoredRows(db)).toEqual(before);
    for (const reason of ['spam', 'abuse', 'unsafe', 'privacy', 'illegal', 'other'])
      expect(
        (
          await report(await f.createAgent(), 'agent', owner.id.toUpperCase(), {
            reason,
            detail: '😀'.repeat(2000),
          })
        ).status,
        reason,
      ).toBe(200);
    for (const detail of [null, '']) {
      const { id } = (await report(await f.createAgent(), 'agent', owner.id, { detail })).body;
      expect((await findReport(id)).detail).toBeNull();
    }
  });

  it('[report.target-visible] answers not_found for hidden, deleted and unknown', async () => {
    const hidden = await f.postMessage(owner, fixture.threads.hidden, 'Hidden.');
    const listed = await f.postMessage(owner, fixture.threads.listed, 'For members.');
    const gone = await f.postMessage(owner, fixture.threads.open, 'Soon gone.');
    const goneThread = await f.createThread(owner, fixture.publicRoom);
    const inGone = (await f.ok('GET', `/api/v1/threads/${goneThread}/messages`)).messages[0].id;
    const file = await f.attachFile(owner, listed.id);
    const hiddenFile = await f.attachFile(owner, hidden.id);
    const goneFile = await f.attachFile(owner, gone.id);
    for (const path of [`messages/${gone.id}`, `threads/${goneThread}`])
      await f.ok('DELETE', `/api/v1/admin/${path}`, { admin: true });
    const secret: [string, string][] = [
      ['message', hidden.id],
      ['message', listed.id],
      ['thread', fixture.threads.hidden],
      ['thread', fixture.threads.membersOnly],
      ['room', fixture.privateRoom],
      ['file', file.id],
      ['file', hiddenFile.id],
    ];
    const nothing: [string, string][] = [
      ['message', gone.id],
      ['message', inGone],
      ['thread', goneThread],
      ['file', goneFile.id],
      ['agent', fixture.publicRoom],
      ['room', owner.id],
    ];
    const before = await listStoredRows(db);
    for (const who of [outsider, removed]) {
      for (const [type, id] of [...secret, ...nothing]) {
        const hiddenOne = await report(who, type, id);
        const none = await report(who, type, newId());
        expect({ type, hiddenOne }).toMatchObject({
          type,
          hiddenOne: buildProblem(404, 'not_found'),
        });
        expect({ ...hiddenOne.body, requestId: null }).toEqual({ ...none.body, requestId: null });
      }
    }
    for (const [type, id] of nothing)
      expect(await report(owner, type, id)).toMatchObject(buildProblem(404, 'not_found'));
    expect(await listStoredRows(db)).toEqual(before);
    for (const [type, id] of secret)
      expect((await report(member, type, id)).status, `${type} ${id}`).toBe(200);
    // A listed thread may be known by its row.
    expect((await report(outsider, 'thread', fixture.threads.listed)).status).toBe(200);
  });

  it('[report.later-types] of an unknown interaction, evidence or task is not_found', async () => {
    for (const type of ['interaction', 'evidence', 'task'])
      expect(await report(member, type, fixture.publicRoom)).toMatchObject(
        buildProblem(404, 'not_found'),
      );
  });

  it('[report.one-open] accepts one open report for each target and reporter', async () => {
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const first = await report(ada, 'room', fixture.publicRoom);
    const again = await report(ada, 'room', fixture.publicRoom, { reason: 'illegal' });
    expect(again).toMatchObject(buildProblem(409, 'already_exists', { existingId: first.body.id }));
    expect((await findReport(first.body.id)).reason).toBe('spam');
    expect((await report(bob, 'room', fixture.publicRoom)).status).toBe(200);
    expect((await report(ada, 'agent', fixture.publicRoom)).status).toBe(404);
    expect((await report(ada, 'thread', fixture.threads.open)).status).toBe(200);
    await resolve(first.body.id, { outcome: 'dismissed' });
    const next = await report(ada, 'room', fixture.publicRoom);
    expect(next.status).toBe(200);
    expect(await report(ada, 'room', fixture.publicRoom)).toMatchObject(
      buildProblem(409, 'already_exists', { existingId: next.body.id }),
    );
  });

  it('[report.one-open] stores one report when many race on two nodes', async () => {
    const ada = await f.createAgent();
    const body = { targetType: 'room', targetId: fixture.publicRoom, reason: 'spam' };
    const answers = await runConcurrently(20, (n) =>
      (nodes[n % 2] ?? f).send('POST', '/api/v1/reports', { key: ada.key, body }),
    );
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(
        buildProblem(409, 'already_exists', { existingId: won?.body.id }),
      );
    const mixed = await runConcurrently(10, (n) =>
      n === 5
        ? resolve(won?.body.id)
        : (nodes[n % 2] ?? f).send('POST', '/api/v1/reports', { key: ada.key, body }),
    );
    expect(mixed.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const mine = (await listReports()).filter(({ reporterId }) => reporterId === ada.id);
    expect(mine.filter(({ state }) => state === 'open').length).toBeLessThanOrEqual(1);
    expect(mine.map(({ state }) => state)).toContain('actioned');
  });
});

describe('administrators', () => {
  it('[report.list] listReports returns the newest first, of all states or of one', async () => {
    const ids: string[] = [];
    for (const outcome of [undefined, 'actioned', 'dismissed', undefined]) {
      app.clock.advance(1000);
      const { id } = (await report(await f.createAgent(), 'agent', owner.id)).body;
      ids.unshift(id);
      if (outcome) await resolve(id, { outcome });
    }
    expect((await listReports()).slice(0, 4).map(({ id, state }) => [id, state])).toEqual(
      ids.map((id, at) => [id, ['open', 'dismissed', 'actioned', 'open'][at]]),
    );
    for (const state of ['open', 'actioned', 'dismissed']) {
      const all = await listReports();
      const some = await listReports(`&state=${state}`);
      expect(some).toEqual(all.filter((one) => one.state === state));
      expect(some.length).toBeGreaterThan(0);
    }
    expect(
      await f.send('GET', '/api/v1/admin/reports?state=closed', { admin: true }),
    ).toMatchObject(buildProblem(400, 'invalid_request'));
  });

  it('[report.disclosure] listReports shows the current target of a report', async () => {
    const message = await f.postMessage(
      owner,
      fixture.threads.hidden,
      `Secret words. ${'x'.repeat(600)}`,
    );
    const file = await f.attachFile(owner, message.id, { name: 'plan.txt', bytes: 'x' });
    const createAndFindReport = async (type: string, id: string) =>
      (await findReport((await report(await createInsider(), type, id)).body.id)).target;
    const place = {
      authorId: owner.id,
      authorHandle: owner.handle,
      roomId: fixture.privateRoom,
      threadId: fixture.threads.hidden,
    };
    expect(await createAndFindReport('message', message.id)).toEqual({
      state: 'private',
      title: 'A thread',
      excerpt: `Secret words. ${'x'.repeat(486)}`,
      ...place,
    });
    expect(await createAndFindReport('file', file.id)).toEqual({
      state: 'private',
      title: 'plan.txt',
      excerpt: file.mediaType,
      ...place,
    });
    expect(await createAndFindReport('thread', fixture.threads.hidden)).toEqual({
      state: 'private',
      title: 'A thread',
      excerpt: 'First.',
      ...place,
    });
    // Anyone may know of this thread, but only members read it.
    const curious = await f.createAgent();
    const { id: ofListed } = (await report(curious, 'thread', fixture.threads.listed)).body;
    expect((await findReport(ofListed)).target).toMatchObject({ state: 'public', excerpt: null });
    expect(await createAndFindReport('room', fixture.privateRoom)).toEqual({
      state: 'private',
      title: 'A room',
      excerpt: null,
      ...place,
      threadId: null,
    });
    expect(await createAndFindReport('agent', owner.id)).toEqual({
      state: 'public',
      title: owner.handle,
      excerpt: null,
      ...place,
      roomId: null,
      threadId: null,
    });
    const filed = (await report(member, 'message', message.id)).body.id;
    await f.ok('DELETE', `/api/v1/admin/messages/${message.id}`, { admin: true });
    expect((await findReport(filed)).target).toEqual({
      state: 'deleted',
      title: null,
      excerpt: null,
      ...place,
    });
  });

  it('[report.resolve] resolveReport sets outcome and note and leaves the target', async () => {
    const page = async () =>
      (await f.send('GET', `/api/v1/threads/${fixture.threads.open}/messages`)).text;
    const before = await page();
    const cases: [object | undefined, string, string | null][] = [
      [undefined, 'actioned', null],
      [{}, 'actioned', null],
      [{ outcome: null, note: null }, 'actioned', null],
      [{ note: 'Done.' }, 'actioned', 'Done.'],
      [{ outcome: 'dismissed', note: '' }, 'dismissed', null],
      [{ outcome: 'dismissed', note: 'Nothing wrong.\n' }, 'dismissed', 'Nothing wrong.\n'],
    ];
    for (const [body, state, resolution] of cases) {
      const { id } = (await report(await f.createAgent(), 'thread', fixture.threads.open)).body;
      app.clock.advance(1000);
      const answer = await resolve(id, body);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { id, createdAt: now() },
      });
      expect(await findReport(id)).toMatchObject({
        state,
        resolution,
        resolvedAt: now(),
        resolvedBy: expect.stringMatching(/^setting:/),
      });
    }
    expect(await page()).toBe(before);
    const { id } = (await report(await f.createAgent(), 'thread', fixture.threads.open)).body;
    for (const body of [
      { outcome: 'open' },
      { outcome: 'closed' },
      { note: 'x'.repeat(2001) },
      { state: 'actioned' },
    ])
      expect(await resolve(id, body)).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await resolve(newId())).toMatchObject(buildProblem(404, 'not_found'));
    expect((await findReport(id)).state).toBe('open');
  });

  it('[report.transitions] resolveReport has one winner and replays for its repeat', async () => {
    const { id } = (await report(await f.createAgent(), 'thread', fixture.threads.open)).body;
    const idem = newId();
    const options = { admin: true, idem, body: { note: 'First' } };
    const answers = await runConcurrently(12, (n) =>
      n === 0
        ? f.send('POST', `/api/v1/admin/reports/${id}/resolve`, options)
        : resolve(id, { outcome: n % 3 ? 'dismissed' : 'actioned' }, nodes[n % 2]),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const { state } = await findReport(id);
    for (const answer of answers.filter((one) => one !== won[0]))
      expect(answer).toMatchObject(buildProblem(409, 'state_conflict', { state }));
    for (const outcome of ['actioned', 'dismissed'])
      expect(await resolve(id, { outcome })).toMatchObject(
        buildProblem(409, 'state_conflict', { state }),
      );

    const other = (await report(await f.createAgent(), 'thread', fixture.threads.open)).body.id;
    const send = () =>
      f.send('POST', `/api/v1/admin/reports/${other}/resolve`, {
        admin: true,
        idem: `${idem}-2`,
        body: { note: 'First' },
      });
    const first = await send();
    const again = await send();
    expect({
      status: first.status,
      text: again.text,
      idempotencyReplayed: again.headers.get('idempotency-replayed'),
    }).toEqual({ status: 200, text: first.text, idempotencyReplayed: 'true' });
  });
});
