import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together } from '../../support/factories.ts';
import { everythingStored } from '../../support/stored-rows.ts';
import { createWorld } from '../../operations/fixture.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const nodes = [f, factories(await app.another())];
const world = await createWorld(f);
const { owner, member, outsider, removed } = world;
const now = () => new Date(app.clock()).toISOString();

const report = (who: TestAgent, targetType: string, targetId: string, more: object = {}) =>
  f.send('POST', '/api/v1/reports', {
    key: who.key,
    body: { targetType, targetId, reason: 'spam', ...more },
  });
const reports = (search = ''): Promise<Loose[]> =>
  f.ok('GET', `/api/v1/admin/reports?limit=100${search}`, { admin: true });
const reportOf = async (id: string): Promise<Loose> =>
  (await reports()).find((one) => one.id === id);
const resolve = (id: string, body?: object, via = f) =>
  via.send('POST', `/api/v1/admin/reports/${id}/resolve`, { admin: true, ...(body && { body }) });

/** A fresh member of the private room. */
async function insider(): Promise<TestAgent> {
  const guest = await f.agent();
  await f.invite(owner, world.privateRoom, guest);
  return guest;
}

describe('a report', () => {
  it('[report.create] [report.list] is filed as it was sent, and open', async () => {
    const { id: messageId } = await f.post(owner, world.threads.open, 'Buy this!');
    const answer = await report(member, 'message', messageId, {
      detail: '  Look:\n<b>"buy"</b> 😀 ',
    });
    expect([answer.status, answer.body]).toEqual([200, { id: answer.body.id, createdAt: now() }]);
    expect(await reportOf(answer.body.id)).toEqual({
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
        roomId: world.publicRoom,
        threadId: world.threads.open,
      },
    });
  });

  it('[report.request-limits] takes what the contract names and nothing else', async () => {
    const target = { targetType: 'agent', targetId: owner.id, reason: 'spam' };
    const before = await everythingStored(db);
    const without = (name: string) =>
      Object.fromEntries(Object.entries(target).filter(([member]) => member !== name));
    for (const body of [
      ...Object.keys(target).map(without),
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
      ).toMatchObject(refused(400, 'invalid_request'));
    expect(await everythingStored(db)).toEqual(before);
    for (const reason of ['spam', 'abuse', 'unsafe', 'privacy', 'illegal', 'other'])
      expect(
        (
          await report(await f.agent(), 'agent', owner.id.toUpperCase(), {
            reason,
            detail: '😀'.repeat(2000),
          })
        ).status,
        reason,
      ).toBe(200);
    for (const detail of [null, '']) {
      const { id } = (await report(await f.agent(), 'agent', owner.id, { detail })).body;
      expect((await reportOf(id)).detail).toBeNull();
    }
  });

  it('[report.target-visible] of what is hidden, deleted or never was is not_found, alike', async () => {
    const hidden = await f.post(owner, world.threads.hidden, 'Hidden.');
    const listed = await f.post(owner, world.threads.listed, 'For members.');
    const gone = await f.post(owner, world.threads.open, 'Soon gone.');
    const goneThread = await f.thread(owner, world.publicRoom);
    const inGone = (await f.ok('GET', `/api/v1/threads/${goneThread}/messages`)).messages[0].id;
    const [file, hiddenFile, goneFile] = [
      await f.attach(owner, listed.id),
      await f.attach(owner, hidden.id),
      await f.attach(owner, gone.id),
    ];
    for (const path of [`messages/${gone.id}`, `threads/${goneThread}`])
      await f.ok('DELETE', `/api/v1/admin/${path}`, { admin: true });
    const secret: [string, string][] = [
      ['message', hidden.id],
      ['message', listed.id],
      ['thread', world.threads.hidden],
      ['thread', world.threads.membersOnly],
      ['room', world.privateRoom],
      ['file', file.id],
      ['file', hiddenFile.id],
    ];
    const nothing: [string, string][] = [
      ['message', gone.id],
      ['message', inGone],
      ['thread', goneThread],
      ['file', goneFile.id],
      ['agent', world.publicRoom],
      ['room', owner.id],
    ];
    const before = await everythingStored(db);
    for (const who of [outsider, removed]) {
      for (const [type, id] of [...secret, ...nothing]) {
        const [hiddenOne, none] = [await report(who, type, id), await report(who, type, newId())];
        expect([type, hiddenOne]).toMatchObject([type, refused(404, 'not_found')]);
        expect({ ...hiddenOne.body, requestId: null }).toEqual({ ...none.body, requestId: null });
      }
    }
    for (const [type, id] of nothing)
      expect(await report(owner, type, id)).toMatchObject(refused(404, 'not_found'));
    expect(await everythingStored(db)).toEqual(before);
    for (const [type, id] of secret)
      expect((await report(member, type, id)).status, `${type} ${id}`).toBe(200);
    // A listed thread may be known by its row.
    expect((await report(outsider, 'thread', world.threads.listed)).status).toBe(200);
  });

  it('[report.later-types] of an interaction, evidence or task is not_found', async () => {
    for (const type of ['interaction', 'evidence', 'task'])
      expect(await report(member, type, world.publicRoom)).toMatchObject(refused(404, 'not_found'));
  });

  it('[report.one-open] exists once while it is open', async () => {
    const [ada, bob] = [await f.agent(), await f.agent()];
    const first = await report(ada, 'room', world.publicRoom);
    const again = await report(ada, 'room', world.publicRoom, { reason: 'illegal' });
    expect(again).toMatchObject(refused(409, 'already_exists', { existingId: first.body.id }));
    expect((await reportOf(first.body.id)).reason).toBe('spam');
    expect((await report(bob, 'room', world.publicRoom)).status).toBe(200);
    expect((await report(ada, 'agent', world.publicRoom)).status).toBe(404);
    expect((await report(ada, 'thread', world.threads.open)).status).toBe(200);
    await resolve(first.body.id, { outcome: 'dismissed' });
    const next = await report(ada, 'room', world.publicRoom);
    expect(next.status).toBe(200);
    expect(await report(ada, 'room', world.publicRoom)).toMatchObject(
      refused(409, 'already_exists', { existingId: next.body.id }),
    );
  });

  it('[report.one-open] exists once when it is filed many times at once, on two nodes, and closed meanwhile', async () => {
    const ada = await f.agent();
    const body = { targetType: 'room', targetId: world.publicRoom, reason: 'spam' };
    const answers = await together(20, (n) =>
      (nodes[n % 2] ?? f).send('POST', '/api/v1/reports', { key: ada.key, body }),
    );
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused(409, 'already_exists', { existingId: won?.body.id }));
    const mixed = await together(10, (n) =>
      n === 5
        ? resolve(won?.body.id)
        : (nodes[n % 2] ?? f).send('POST', '/api/v1/reports', { key: ada.key, body }),
    );
    expect(mixed.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const mine = (await reports()).filter(({ reporterId }) => reporterId === ada.id);
    expect(mine.filter(({ state }) => state === 'open').length).toBeLessThanOrEqual(1);
    expect(mine.map(({ state }) => state)).toContain('actioned');
  });
});

describe('administrators', () => {
  it('[report.list] read reports newest first, of all states or of one', async () => {
    const ids: string[] = [];
    for (const outcome of [undefined, 'actioned', 'dismissed', undefined]) {
      app.clock.advance(1000);
      const { id } = (await report(await f.agent(), 'agent', owner.id)).body;
      ids.unshift(id);
      if (outcome) await resolve(id, { outcome });
    }
    expect((await reports()).slice(0, 4).map(({ id, state }) => [id, state])).toEqual(
      ids.map((id, at) => [id, ['open', 'dismissed', 'actioned', 'open'][at]]),
    );
    for (const state of ['open', 'actioned', 'dismissed']) {
      const [all, some] = [await reports(), await reports(`&state=${state}`)];
      expect(some).toEqual(all.filter((one) => one.state === state));
      expect(some.length).toBeGreaterThan(0);
    }
    expect(
      await f.send('GET', '/api/v1/admin/reports?state=closed', { admin: true }),
    ).toMatchObject(refused(400, 'invalid_request'));
  });

  it('[report.disclosure] see what was reported by an agent as it is now', async () => {
    const message = await f.post(owner, world.threads.hidden, `Secret words. ${'x'.repeat(600)}`);
    const file = await f.attach(owner, message.id, { name: 'plan.txt', bytes: 'x' });
    const of = async (type: string, id: string) =>
      (await reportOf((await report(await insider(), type, id)).body.id)).target;
    const place = {
      authorId: owner.id,
      authorHandle: owner.handle,
      roomId: world.privateRoom,
      threadId: world.threads.hidden,
    };
    expect(await of('message', message.id)).toEqual({
      state: 'private',
      title: 'A thread',
      excerpt: `Secret words. ${'x'.repeat(486)}`,
      ...place,
    });
    expect(await of('file', file.id)).toEqual({
      state: 'private',
      title: 'plan.txt',
      excerpt: file.mediaType,
      ...place,
    });
    expect(await of('thread', world.threads.hidden)).toEqual({
      state: 'private',
      title: 'A thread',
      excerpt: null,
      ...place,
    });
    expect(await of('room', world.privateRoom)).toEqual({
      state: 'private',
      title: 'A room',
      excerpt: null,
      ...place,
      threadId: null,
    });
    expect(await of('agent', owner.id)).toEqual({
      state: 'public',
      title: owner.handle,
      excerpt: null,
      ...place,
      roomId: null,
      threadId: null,
    });
    const filed = (await report(member, 'message', message.id)).body.id;
    await f.ok('DELETE', `/api/v1/admin/messages/${message.id}`, { admin: true });
    expect((await reportOf(filed)).target).toEqual({
      state: 'deleted',
      title: null,
      excerpt: null,
      ...place,
    });
  });

  it('[report.resolve] close it with an outcome and a note, and nothing happens to its target', async () => {
    const page = async () =>
      (await f.send('GET', `/api/v1/threads/${world.threads.open}/messages`)).text;
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
      const { id } = (await report(await f.agent(), 'thread', world.threads.open)).body;
      app.clock.advance(1000);
      const answer = await resolve(id, body);
      expect([answer.status, answer.body]).toEqual([200, { id, createdAt: now() }]);
      expect(await reportOf(id)).toMatchObject({
        state,
        resolution,
        resolvedAt: now(),
        resolvedBy: expect.stringMatching(/^setting:/),
      });
    }
    expect(await page()).toBe(before);
    const { id } = (await report(await f.agent(), 'thread', world.threads.open)).body;
    for (const body of [
      { outcome: 'open' },
      { outcome: 'closed' },
      { note: 'x'.repeat(2001) },
      { state: 'actioned' },
    ])
      expect(await resolve(id, body)).toMatchObject(refused(400, 'invalid_request'));
    expect(await resolve(newId())).toMatchObject(refused(404, 'not_found'));
    expect((await reportOf(id)).state).toBe('open');
  });

  it('[report.transitions] close it once: of many at once one wins, and its repeat is a replay', async () => {
    const { id } = (await report(await f.agent(), 'thread', world.threads.open)).body;
    const idem = newId();
    const options = { admin: true, idem, body: { note: 'First' } };
    const answers = await together(12, (n) =>
      n === 0
        ? f.send('POST', `/api/v1/admin/reports/${id}/resolve`, options)
        : resolve(id, { outcome: n % 3 ? 'dismissed' : 'actioned' }, nodes[n % 2]),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const { state } = await reportOf(id);
    for (const answer of answers.filter((one) => one !== won[0]))
      expect(answer).toMatchObject(refused(409, 'state_conflict', { state }));
    for (const outcome of ['actioned', 'dismissed'])
      expect(await resolve(id, { outcome })).toMatchObject(
        refused(409, 'state_conflict', { state }),
      );

    const other = (await report(await f.agent(), 'thread', world.threads.open)).body.id;
    const send = () =>
      f.send('POST', `/api/v1/admin/reports/${other}/resolve`, {
        admin: true,
        idem: `${idem}-2`,
        body: { note: 'First' },
      });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ]);
  });
});
