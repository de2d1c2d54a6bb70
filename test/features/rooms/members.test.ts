import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, together } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const [owner, ada, bob, outsider] = [
  await f.agent(),
  await f.agent(),
  await f.agent(),
  await f.agent(),
];

const join = (who: TestAgent, room: string) =>
  f.outcome('POST', `/api/v1/rooms/${room}/join`, { key: who.key });
const remove = (who: TestAgent, room: string, member: TestAgent) =>
  f.outcome('DELETE', `/api/v1/rooms/${room}/members/${member.id}`, { key: who.key });
const start = (who: TestAgent, room: string) =>
  f.send('POST', `/api/v1/rooms/${room}/threads`, {
    key: who.key,
    body: { title: 'T', body: 'B' },
  });
const post = (who: TestAgent, thread: string) =>
  f.send('POST', `/api/v1/threads/${thread}/messages`, { key: who.key, body: { body: 'B' } });
const members = async (room: string): Promise<Loose[]> =>
  (await f.walk(`/api/v1/rooms/${room}/members`, { key: owner.key })).flat();

/** Who is a member by the list; fails when the count of the room says otherwise. */
async function memberIds(room: string): Promise<string[]> {
  const ids = (await members(room)).map(({ agentId }) => agentId);
  expect((await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key })).memberCount).toBe(
    ids.length,
  );
  return ids;
}

describe('joining', () => {
  it('[member.join] makes any agent a member of a public room, who may then write', async () => {
    const room = await f.room(owner);
    const ack = await f.join(ada, room);
    expect(ack).toEqual({ id: room, createdAt: new Date(app.clock()).toISOString() });
    app.clock.advance(1000);
    expect(await f.join(ada, room)).toEqual(ack);
    expect((await f.join(owner, room)).id).toBe(room);
    await f.post(ada, await f.thread(ada, room), 'Hello.');
    expect(await memberIds(room)).toEqual([owner.id, ada.id]);
  });

  it('[member.join] is not_found for a private room and harmless for its members', async () => {
    const room = await f.room(owner, 'private');
    expect(await join(ada, room)).toBe('404 not_found');
    expect(await memberIds(room)).toEqual([owner.id]);
    await f.invite(owner, room, ada);
    expect(await join(ada, room)).toBe('200');
    expect(await memberIds(room)).toHaveLength(2);
  });

  it('[member.join] by many at once, each several times, counts every one once', async () => {
    const room = await f.room(owner);
    const agents = await together(8, () => f.agent());
    const acks = await together(
      32,
      async (n) => (await f.join(agents[n % 8] as TestAgent, room)).createdAt,
    );
    expect(new Set(acks)).toEqual(new Set([new Date(app.clock()).toISOString()]));
    expect((await memberIds(room)).sort()).toEqual([owner, ...agents].map(({ id }) => id).sort());
  });

  it('[member.required] comes before writing in a public room, and names the room', async () => {
    const room = await f.room(owner);
    const thread = await f.thread(owner, room);
    for (const answer of [await start(ada, room), await post(ada, thread)]) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: 'membership_required', roomId: room });
    }
    expect(await f.ok('GET', `/api/v1/rooms/${room}`)).toMatchObject({ threadCount: 1 });
    expect(await f.ok('GET', `/api/v1/threads/${thread}`)).toMatchObject({ messageCount: 1 });
  });

  it('[member.required] a stranger that writes in a private room learns nothing', async () => {
    const room = await f.room(owner, 'private');
    const thread = await f.thread(owner, room);
    for (const answer of [await start(ada, room), await post(ada, thread)])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect(await f.ok('GET', `/api/v1/threads/${thread}`, { key: owner.key })).toMatchObject({
      messageCount: 1,
    });
  });
});

describe('the list of members', () => {
  it('[member.list] has the five members of each, the oldest first', async () => {
    const room = await f.room(owner);
    const since = new Date(app.clock()).toISOString();
    app.clock.advance(1000);
    await f.ok('PUT', '/api/v1/me', { key: ada.key, body: { displayName: 'Ada L.' } });
    const { createdAt: joinedAt } = await f.join(ada, room);
    expect(await f.ok('GET', `/api/v1/rooms/${room}/members`, { key: outsider.key })).toEqual([
      {
        agentId: owner.id,
        handle: owner.handle,
        displayName: null,
        role: 'owner',
        joinedAt: since,
      },
      { agentId: ada.id, handle: ada.handle, displayName: 'Ada L.', role: 'member', joinedAt },
    ]);
  });

  it('[member.list] is for any agent in a public room, for members in a private one, for nobody without a key', async () => {
    const list = (room: string, key?: string) =>
      f.outcome('GET', `/api/v1/rooms/${room}/members`, { key });
    const [open, closed] = [await f.room(owner), await f.room(owner, 'private')];
    await f.invite(owner, closed, ada);
    expect([await list(open), await list(closed)]).toEqual([
      '401 unauthenticated',
      '401 unauthenticated',
    ]);
    expect([await list(open, outsider.key), await list(closed, outsider.key)]).toEqual([
      '200',
      '404 not_found',
    ]);
    expect(await list(closed, ada.key)).toBe('200');
  });

  it('[member.list] is walked by its links, everyone once, with the exact count on every page', async () => {
    const room = await f.room(owner);
    const guests = await together(9, () => f.agent());
    for (const [n, guest] of guests.entries()) {
      // Some join at the same moment.
      app.clock.advance(n % 3 === 0 ? 1000 : 0);
      await f.join(guest, room);
    }
    const pages = await f.walk(`/api/v1/rooms/${room}/members?limit=4`, { key: outsider.key });
    expect(pages.map((page) => page.length)).toEqual([4, 4, 2]);
    expect(pages.flat()).toEqual(await members(room));
    expect(
      (await f.walk(`/api/v1/rooms/${room}/members?limit=5`, { key: outsider.key })).map(
        (page) => page.length,
      ),
    ).toEqual([5, 5]);
    expect(new Set(pages.flat().map(({ agentId }) => agentId)).size).toBe(10);
    const beyond = await f.send('GET', `/api/v1/rooms/${room}/members?offset=10`, {
      key: outsider.key,
    });
    expect([beyond.body, beyond.headers.get('x-total-count'), beyond.headers.get('link')]).toEqual([
      [],
      '10',
      null,
    ]);
  });
});

describe('ending a membership', () => {
  it.each(['public', 'private'] as const)(
    '[member.remove] by the owner of a %s room stops writes, and reads of what is private, at once',
    async (visibility) => {
      const room = await f.room(owner, visibility);
      await f.invite(owner, room, ada);
      const thread = await f.thread(ada, room);
      const hidden = await f.thread(ada, room, { visibility: 'private' });
      expect(await remove(owner, room, ada)).toBe('200');

      const open = visibility === 'public';
      expect((await start(ada, room)).body.code).toBe(open ? 'membership_required' : 'not_found');
      expect((await post(ada, thread)).body.code).toBe(open ? 'membership_required' : 'not_found');
      expect((await post(ada, hidden)).body.code).toBe('not_found');
      const reads = [
        `/rooms/${room}`,
        `/rooms/${room}/members`,
        `/threads/${thread}`,
        `/threads/${thread}/messages`,
      ];
      for (const path of reads)
        expect(await f.outcome('GET', `/api/v1${path}`, { key: ada.key }), path).toBe(
          open ? '200' : '404 not_found',
        );
      for (const path of ['', '/messages'])
        expect(await f.outcome('GET', `/api/v1/threads/${hidden}${path}`, { key: ada.key })).toBe(
          '404 not_found',
        );
      const listed = await f.ok('GET', `/api/v1/threads?roomId=${room}`, { key: ada.key });
      expect(listed.map(({ id }: Loose) => id)).toEqual(open ? [thread] : []);
      expect(await memberIds(room)).toEqual([owner.id]);
    },
  );

  it('[member.remove] answers with the id of the removed; others are refused and remove nobody', async () => {
    const [room, closed] = [await f.room(owner), await f.room(owner, 'private')];
    for (const guest of [ada, bob]) await f.join(guest, room);
    expect(await remove(ada, room, bob)).toBe('403 forbidden');
    expect(await remove(ada, room, owner)).toBe('403 forbidden');
    expect(await remove(outsider, room, ada)).toBe('403 forbidden');
    expect(await remove(outsider, room, outsider)).toBe('404 not_found');
    expect(await remove(owner, room, outsider)).toBe('404 not_found');
    expect(await remove(outsider, closed, owner)).toBe('404 not_found');
    expect((await memberIds(room)).sort()).toEqual([owner.id, ada.id, bob.id].sort());
    expect(
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: owner.key }),
    ).toEqual({ id: ada.id });
    expect(await remove(owner, room, ada)).toBe('404 not_found');
  });

  it('[member.removed-rejoin] is refused until an invitation, and again after the next removal', async () => {
    const room = await f.room(owner);
    await f.join(ada, room);
    for (let round = 0; round < 2; round++) {
      await remove(owner, room, ada);
      expect(await join(ada, room)).toBe('403 removed_from_room');
      expect(await memberIds(room)).toEqual([owner.id]);
      await f.invite(owner, room, ada);
    }
    expect(await memberIds(room)).toHaveLength(2);
  });

  it('[member.leave] by oneself lets one join a public room again, also after an earlier removal was forgiven', async () => {
    const room = await f.room(owner);
    await f.join(ada, room);
    await remove(owner, room, ada);
    await f.invite(owner, room, ada);
    expect(await remove(ada, room, ada)).toBe('200');
    expect(await memberIds(room)).toEqual([owner.id]);
    expect(
      (await f.events(ada)).events.filter(
        ({ kind, roomId }: Loose) => kind === 'member_removed' && roomId === room,
      ),
    ).toHaveLength(1);
    expect(await join(ada, room)).toBe('200');

    const closed = await f.room(owner, 'private');
    await f.invite(owner, closed, ada);
    expect([await remove(ada, closed, ada), await join(ada, closed)]).toEqual([
      '200',
      '404 not_found',
    ]);
  });

  it('[member.owner-stays]', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const room = await f.room(owner, visibility);
      const answer = await f.send('DELETE', `/api/v1/rooms/${room}/members/${owner.id}`, {
        key: owner.key,
      });
      expect([answer.status, answer.body.code]).toEqual([409, 'state_conflict']);
      expect(await memberIds(room)).toEqual([owner.id]);
    }
  });

  it('[member.leave] [member.removed-rejoin] joins, leaves and removals at once leave everyone either in or out', async () => {
    const room = await f.room(owner);
    const agents = await together(10, () => f.agent());
    for (const agent of agents) await f.join(agent, room);
    const outcomes = await Promise.all(
      agents.flatMap((agent) => [
        join(agent, room),
        remove(owner, room, agent),
        remove(agent, room, agent),
        join(agent, room),
      ]),
    );
    expect(
      outcomes.filter(
        (outcome) => !['200', '404 not_found', '403 removed_from_room'].includes(outcome),
      ),
    ).toEqual([]);

    const left = await memberIds(room);
    const removed = await app.app.env.db.rows<{ id: string }>(
      sql`SELECT agent_id AS id FROM removals WHERE room_id = ${room}`,
    );
    expect(removed.filter(({ id }) => left.includes(id))).toEqual([]);
    for (const { id, key, handle } of agents.filter((agent) => !left.includes(agent.id))) {
      expect(await join({ id, key, handle }, room)).toBe(
        removed.some((row) => row.id === id) ? '403 removed_from_room' : '200',
      );
    }
  });
});
