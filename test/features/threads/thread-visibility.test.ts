import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const [owner, member, outsider, removed] = [
  await f.agent(),
  await f.agent(),
  await f.agent(),
  await f.agent(),
];
const nobody = undefined;

/** A room of `owner` with `member`, and with `removed` put out again. */
async function roomOf(visibility: 'public' | 'private') {
  const room = await f.room(owner, visibility);
  for (const guest of [member, removed]) await f.invite(owner, room, guest);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${removed.id}`, { key: owner.key });
  return room;
}

/** How each operation on a thread ends for a caller. */
async function outcomes(thread: string, who?: TestAgent) {
  const [path, key] = [`/api/v1/threads/${thread}`, who?.key];
  return {
    row: await f.outcome('GET', path, { key }),
    page: await f.outcome('GET', `${path}/messages`, { key }),
    anchored: await f.outcome(
      'GET',
      `${path}/messages?anchorId=01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f`,
      { key },
    ),
    post: await f.outcome('POST', `${path}/messages`, { key, body: { body: 'B' } }),
    summary: await f.outcome('PUT', `${path}/summary`, { key, body: { summary: 'S' } }),
    follow: await f.outcome('PUT', `${path}/subscription`, { key }),
    unfollow: await f.outcome('DELETE', `${path}/subscription`, { key }),
  };
}
const everywhere = (outcome: string) => ({
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
const listed = async (room: string, who?: TestAgent): Promise<Loose[]> =>
  f.ok('GET', `/api/v1/threads?roomId=${room}`, { key: who?.key });

describe('a public thread in a private room', () => {
  it('[thread.listed] shows its row without the summary to anyone, in the list and by id', async () => {
    const room = await roomOf('private');
    const id = await f.thread(member, room, {
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
      expect(await listed(room, who)).toEqual([row]);
      expect(
        (await f.ok('GET', '/api/v1/threads', { key: who?.key })).filter(
          (thread: Loose) => thread.id === id,
        ),
      ).toEqual([row]);
      expect(await f.outcome('GET', `/api/v1/rooms/${room}`, { key: who?.key })).toBe(
        '404 not_found',
      );
    }
  });

  it('[thread.listed-content] is forbidden to outsiders and strangers, whatever they try, and nothing happens', async () => {
    const room = await roomOf('private');
    const id = await f.thread(member, room, { visibility: 'public' });
    for (const who of [outsider, removed])
      expect(await outcomes(id, who)).toEqual({ ...everywhere('403 forbidden'), row: '200' });
    expect(await outcomes(id)).toEqual({
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

  it('[thread.listed-content] is checked at every read, also of a page that was read just before', async () => {
    const room = await roomOf('private');
    const id = await f.thread(member, room, { visibility: 'public', body: 'For members.' });
    const read = (who?: TestAgent) =>
      f.send('GET', `/api/v1/threads/${id}/messages?limit=1`, { key: who?.key });
    expect((await read(member)).body.messages[0].body).toBe('For members.');
    for (const who of [nobody, outsider, removed]) {
      const answer = await read(who);
      expect([answer.status, answer.text.includes('For members.')]).toEqual([403, false]);
    }
    await f.invite(owner, room, outsider);
    expect((await read(outsider)).body.messages[0].body).toBe('For members.');
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${outsider.id}`, { key: outsider.key });
    expect((await read(outsider)).status).toBe(403);
    const shown = await read(member);
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  });
});

describe('a private thread', () => {
  it.each(['public', 'private'] as const)(
    '[thread.private] in a %s room exists for members only',
    async (visibility) => {
      const room = await roomOf(visibility);
      const id = await f.thread(member, room, { visibility: 'private' });
      for (const who of [outsider, removed]) {
        expect(await outcomes(id, who)).toEqual(everywhere('404 not_found'));
        expect(await listed(room, who)).toEqual([]);
      }
      expect(await outcomes(id)).toEqual({
        row: '404 not_found',
        page: '404 not_found',
        anchored: '404 not_found',
        ...withoutKey,
      });
      expect(await listed(room)).toEqual([]);
      for (const who of [owner, member]) {
        expect((await listed(room, who)).map((thread) => thread.id)).toEqual([id]);
        expect(await outcomes(id, who)).toEqual({
          ...everywhere('200'),
          anchored: '400 invalid_request',
        });
      }
    },
  );

  it('[thread.private] answers as one that does not exist', async () => {
    const id = await f.thread(owner, await roomOf('public'), { visibility: 'private' });
    for (const path of ['', '/messages']) {
      const [hidden, none] = [
        await f.send('GET', `/api/v1/threads/${id}${path}`),
        await f.send('GET', `/api/v1/threads/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f${path}`),
      ];
      expect({ ...hidden.body, requestId: null }).toEqual({ ...none.body, requestId: null });
    }
  });
});

describe('a deleted thread', () => {
  const markDeleted = (id: string) =>
    f.ok('DELETE', `/api/v1/admin/threads/${id}`, { admin: true });

  it('[thread.gone] for whoever could know of it, and not_found for others', async () => {
    const [open, closed] = [await roomOf('public'), await roomOf('private')];
    const cases = [
      { id: await f.thread(owner, open), knowing: [member, outsider, removed, nobody], others: [] },
      {
        id: await f.thread(owner, open, { visibility: 'private' }),
        knowing: [member],
        others: [outsider, removed, nobody],
      },
      {
        id: await f.thread(owner, closed, { visibility: 'public' }),
        knowing: [member, outsider, removed, nobody],
        others: [],
      },
      { id: await f.thread(owner, closed), knowing: [member], others: [outsider, removed, nobody] },
    ];
    for (const { id, knowing, others } of cases) {
      await f.ok('GET', `/api/v1/threads/${id}/messages?limit=1`, { key: owner.key });
      await markDeleted(id);
      for (const who of knowing)
        expect(await outcomes(id, who)).toEqual({
          ...everywhere('410 gone'),
          ...(who ? {} : withoutKey),
        });
      for (const who of others)
        expect(await outcomes(id, who)).toEqual({
          ...everywhere('404 not_found'),
          ...(who ? {} : withoutKey),
        });
    }
    for (const room of [open, closed]) expect(await listed(room, owner)).toEqual([]);
  });

  it('[thread.gone] counts no more, nor is its last message an activity, and its events are skipped', async () => {
    const room = await roomOf('public');
    const roomRow = () => f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key });
    app.clock.advance(1000);
    await f.thread(owner, room);
    const before = await roomRow();
    app.clock.advance(1000);
    const { nextCursor } = await f.events(member);
    const id = await f.thread(owner, room, { body: `For @${member.handle}` });
    expect(await roomRow()).toMatchObject({
      threadCount: 2,
      lastActivityAt: new Date(app.clock()).toISOString(),
    });
    expect((await f.events(member, nextCursor)).events).toHaveLength(1);
    await markDeleted(id);
    expect(await roomRow()).toEqual(before);
    expect(await f.events(member, nextCursor)).toMatchObject({
      events: [],
      nextCursor: nextCursor + 1,
      hasMore: false,
    });
  });
});
