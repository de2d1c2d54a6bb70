import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const member = await f.createAgent();
const outsider = await f.createAgent();
const removed = await f.createAgent();
const nobody = undefined;

/** Creates a room of `owner` with `member` and with `removed`, who was removed again. */
async function createRoomWithThreads(visibility: 'public' | 'private') {
  const room = await f.createRoom(owner, visibility);
  for (const guest of [member, removed]) await f.addMember(owner, room, guest);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${removed.id}`, { key: owner.key });
  return room;
}

/** Returns how each operation on a thread ends for a caller. */
async function collectOutcomes(thread: string, who?: TestAgent) {
  const path = `/api/v1/threads/${thread}`;
  const key = who?.key;
  return {
    row: await f.sendForOutcome('GET', path, { key }),
    page: await f.sendForOutcome('GET', `${path}/messages`, { key }),
    anchored: await f.sendForOutcome(
      'GET',
      `${path}/messages?anchorId=01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f`,
      { key },
    ),
    post: await f.sendForOutcome('POST', `${path}/messages`, { key, body: { body: 'B' } }),
    summary: await f.sendForOutcome('PUT', `${path}/summary`, { key, body: { summary: 'S' } }),
    follow: await f.sendForOutcome('PUT', `${path}/subscription`, { key }),
    unfollow: await f.sendForOutcome('DELETE', `${path}/subscription`, { key }),
  };
}
const repeatOutcome = (outcome: string) => ({
  row: outcome,
  page: outcome,
  anchored: outcome,
  post: outcome,
  summary: outcome,
  follow: outcome,
  unfollow: outcome,
});
const withoutKey = {
  post: '401 unauthenticated',
  summary: '401 unauthenticated',
  follow: '401 unauthenticated',
  unfollow: '401 unauthenticated',
};
const listThreads = async (room: string, who?: TestAgent): Promise<Json[]> =>
  f.ok('GET', `/api/v1/threads?roomId=${room}`, { key: who?.key });

describe('a public thread in a private room', () => {
  it('[thread.listed] shows anyone its row without the summary', async () => {
    const room = await createRoomWithThreads('private');
    const id = await f.createThread(member, room, {
      visibility: 'public',
      title: 'Known to all',
      tags: ['open'],
    });
    await f.ok('PUT', `/api/v1/threads/${id}/summary`, {
      key: member.key,
      body: { summary: 'Known to members.' },
    });
    const whole = await f.ok('GET', `/api/v1/threads/${id}`, { key: owner.key });
    expect(whole.summary.text).toBe('Known to members.');
    for (const who of [nobody, outsider, removed]) {
      const row = { ...whole, summary: null, subscribed: who ? false : null };
      expect(await f.ok('GET', `/api/v1/threads/${id}`, { key: who?.key })).toEqual(row);
      expect(await listThreads(room, who)).toEqual([row]);
      expect(
        (await f.ok('GET', '/api/v1/threads', { key: who?.key })).filter(
          (thread: Json) => thread.id === id,
        ),
      ).toEqual([row]);
      expect(await f.sendForOutcome('GET', `/api/v1/rooms/${room}`, { key: who?.key })).toBe(
        '404 not_found',
      );
    }
  });

  it('[thread.listed-content] refuses outsiders and strangers every operation', async () => {
    const room = await createRoomWithThreads('private');
    const id = await f.createThread(member, room, { visibility: 'public' });
    for (const who of [outsider, removed])
      expect(await collectOutcomes(id, who)).toEqual({
        ...repeatOutcome('403 forbidden'),
        row: '200',
      });
    expect(await collectOutcomes(id)).toEqual({
      row: '200',
      page: '403 forbidden',
      anchored: '403 forbidden',
      ...withoutKey,
    });
    expect(await f.ok('GET', `/api/v1/threads/${id}`, { key: owner.key })).toMatchObject({
      messageCount: 1,
      summary: null,
    });
  });

  it('[thread.listed-content] checks access at every read, also of a cached page', async () => {
    const room = await createRoomWithThreads('private');
    const id = await f.createThread(member, room, { visibility: 'public', body: 'For members.' });
    const read = (who?: TestAgent) =>
      f.send('GET', `/api/v1/threads/${id}/messages?limit=1`, { key: who?.key });
    expect((await read(member)).body.messages[0].body).toBe('For members.');
    for (const who of [nobody, outsider, removed]) {
      const answer = await read(who);
      expect({
        status: answer.status,
        hasContent: answer.text.includes('For members.'),
      }).toEqual({ status: 403, hasContent: false });
    }
    await f.addMember(owner, room, outsider);
    expect((await read(outsider)).body.messages[0].body).toBe('For members.');
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${outsider.id}`, { key: outsider.key });
    expect((await read(outsider)).status).toBe(403);
    const shown = await read(member);
    expect({
      status: shown.status,
      cacheControl: shown.headers.get('cache-control'),
    }).toEqual({ status: 200, cacheControl: 'private, no-store' });
  });
});

describe('a private thread', () => {
  it.each(['public', 'private'] as const)(
    '[thread.private] in a %s room exists for members only',
    async (visibility) => {
      const room = await createRoomWithThreads(visibility);
      const id = await f.createThread(member, room, { visibility: 'private' });
      for (const who of [outsider, removed]) {
        expect(await collectOutcomes(id, who)).toEqual(repeatOutcome('404 not_found'));
        expect(await listThreads(room, who)).toEqual([]);
      }
      expect(await collectOutcomes(id)).toEqual({
        row: '404 not_found',
        page: '404 not_found',
        anchored: '404 not_found',
        ...withoutKey,
      });
      expect(await listThreads(room)).toEqual([]);
      for (const who of [owner, member]) {
        expect((await listThreads(room, who)).map((thread) => thread.id)).toEqual([id]);
        expect(await collectOutcomes(id, who)).toEqual({
          ...repeatOutcome('200'),
          anchored: '400 invalid_request',
        });
      }
    },
  );

  it('[thread.private] answers as a thread that does not exist', async () => {
    const id = await f.createThread(owner, await createRoomWithThreads('public'), {
      visibility: 'private',
    });
    for (const path of ['', '/messages']) {
      const hidden = await f.send('GET', `/api/v1/threads/${id}${path}`);
      const none = await f.send(
        'GET',
        `/api/v1/threads/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f${path}`,
      );
      expect({ ...hidden.body, requestId: null }).toEqual({ ...none.body, requestId: null });
    }
  });
});

describe('a deleted thread', () => {
  const markDeleted = (id: string) =>
    f.ok('DELETE', `/api/v1/admin/threads/${id}`, { admin: true });

  it('[thread.gone] is gone for those who could know of it, not_found for others', async () => {
    const open = await createRoomWithThreads('public');
    const closed = await createRoomWithThreads('private');
    const cases = [
      {
        id: await f.createThread(owner, open),
        knowing: [member, outsider, removed, nobody],
        others: [],
      },
      {
        id: await f.createThread(owner, open, { visibility: 'private' }),
        knowing: [member],
        others: [outsider, removed, nobody],
      },
      {
        id: await f.createThread(owner, closed, { visibility: 'public' }),
        knowing: [member, outsider, removed, nobody],
        others: [],
      },
      {
        id: await f.createThread(owner, closed),
        knowing: [member],
        others: [outsider, removed, nobody],
      },
    ];
    for (const { id, knowing, others } of cases) {
      await f.ok('GET', `/api/v1/threads/${id}/messages?limit=1`, { key: owner.key });
      await markDeleted(id);
      for (const who of knowing)
        expect(await collectOutcomes(id, who)).toEqual({
          ...repeatOutcome('410 gone'),
          ...(who ? {} : withoutKey),
        });
      for (const who of others)
        expect(await collectOutcomes(id, who)).toEqual({
          ...repeatOutcome('404 not_found'),
          ...(who ? {} : withoutKey),
        });
    }
    for (const room of [open, closed]) expect(await listThreads(room, owner)).toEqual([]);
  });

  it('[thread.gone] leaves counts, activity and events', async () => {
    const room = await createRoomWithThreads('public');
    const getRoomRow = () => f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key });
    app.clock.advance(1000);
    await f.createThread(owner, room);
    const before = await getRoomRow();
    app.clock.advance(1000);
    const { nextCursor } = await f.listEvents(member);
    const id = await f.createThread(owner, room, { body: `For @${member.handle}` });
    expect(await getRoomRow()).toMatchObject({
      threadCount: 2,
      lastActivityAt: new Date(app.clock()).toISOString(),
    });
    expect((await f.listEvents(member, nextCursor)).events).toHaveLength(1);
    await markDeleted(id);
    expect(await getRoomRow()).toEqual(before);
    expect(await f.listEvents(member, nextCursor)).toMatchObject({
      events: [],
      nextCursor: nextCursor + 1,
      hasMore: false,
    });
  });
});
