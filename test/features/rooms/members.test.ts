import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const ada = await f.createAgent();
const bob = await f.createAgent();
const outsider = await f.createAgent();

const join = (who: TestAgent, room: string) =>
  f.sendForOutcome('POST', `/api/v1/rooms/${room}/join`, { key: who.key });
const remove = (who: TestAgent, room: string, member: TestAgent) =>
  f.sendForOutcome('DELETE', `/api/v1/rooms/${room}/members/${member.id}`, { key: who.key });
const start = (who: TestAgent, room: string) =>
  f.send('POST', `/api/v1/rooms/${room}/threads`, {
    key: who.key,
    body: { title: 'T', body: 'B' },
  });
const post = (who: TestAgent, thread: string) =>
  f.send('POST', `/api/v1/threads/${thread}/messages`, { key: who.key, body: { body: 'B' } });
const listMembers = async (room: string): Promise<Json[]> =>
  (await f.listPages(`/api/v1/rooms/${room}/members`, { key: owner.key })).flat();

/** Lists the members, and fails when the room's count differs. */
async function listMemberIds(room: string): Promise<string[]> {
  const ids = (await listMembers(room)).map(({ agentId }) => agentId);
  expect((await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key })).memberCount).toBe(
    ids.length,
  );
  return ids;
}

describe('joinRoom', () => {
  it('[member.join] makes any agent a member of a public room, who may then write', async () => {
    const room = await f.createRoom(owner);
    const ack = await f.joinRoom(ada, room);
    expect(ack).toEqual({ id: room, createdAt: new Date(app.clock()).toISOString() });
    app.clock.advance(1000);
    expect(await f.joinRoom(ada, room)).toEqual(ack);
    expect((await f.joinRoom(owner, room)).id).toBe(room);
    await f.postMessage(ada, await f.createThread(ada, room), 'Hello.');
    expect(await listMemberIds(room)).toEqual([owner.id, ada.id]);
  });

  it('[member.join] is not_found for a private room and harmless for its members', async () => {
    const room = await f.createRoom(owner, 'private');
    expect(await join(ada, room)).toBe('404 not_found');
    expect(await listMemberIds(room)).toEqual([owner.id]);
    await f.addMember(owner, room, ada);
    expect(await join(ada, room)).toBe('200');
    expect(await listMemberIds(room)).toHaveLength(2);
  });

  it('[member.join] counts every agent once when many join several times at once', async () => {
    const room = await f.createRoom(owner);
    const agents = await runConcurrently(8, () => f.createAgent());
    const acks = await runConcurrently(
      32,
      async (n) => (await f.joinRoom(agents[n % 8] as TestAgent, room)).createdAt,
    );
    expect(new Set(acks)).toEqual(new Set([new Date(app.clock()).toISOString()]));
    expect((await listMemberIds(room)).sort()).toEqual(
      [owner, ...agents].map(({ id }) => id).sort(),
    );
  });

  it('[member.required] is required before writing in a public room, which is named', async () => {
    const room = await f.createRoom(owner);
    const thread = await f.createThread(owner, room);
    for (const answer of [await start(ada, room), await post(ada, thread)]) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: 'membership_required', roomId: room });
    }
    expect(await f.ok('GET', `/api/v1/rooms/${room}`)).toMatchObject({ threadCount: 1 });
    expect(await f.ok('GET', `/api/v1/threads/${thread}`)).toMatchObject({ messageCount: 1 });
  });

  it('[member.required] is not mentioned to a stranger who writes in a private room', async () => {
    const room = await f.createRoom(owner, 'private');
    const thread = await f.createThread(owner, room);
    for (const answer of [await start(ada, room), await post(ada, thread)])
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 404,
        code: 'not_found',
      });
    expect(await f.ok('GET', `/api/v1/threads/${thread}`, { key: owner.key })).toMatchObject({
      messageCount: 1,
    });
  });
});

describe('listMembers', () => {
  it('[member.list] has the five members of each, the oldest first', async () => {
    const room = await f.createRoom(owner);
    const since = new Date(app.clock()).toISOString();
    app.clock.advance(1000);
    await f.ok('PUT', '/api/v1/me', { key: ada.key, body: { displayName: 'Ada L.' } });
    const { createdAt: joinedAt } = await f.joinRoom(ada, room);
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

  it('[member.list] is for agents in public rooms and members in private ones', async () => {
    const list = (room: string, key?: string) =>
      f.sendForOutcome('GET', `/api/v1/rooms/${room}/members`, { key });
    const open = await f.createRoom(owner);
    const closed = await f.createRoom(owner, 'private');
    await f.addMember(owner, closed, ada);
    expect({ open: await list(open), closed: await list(closed) }).toEqual({
      open: '401 unauthenticated',
      closed: '401 unauthenticated',
    });
    expect({
      open: await list(open, outsider.key),
      closed: await list(closed, outsider.key),
    }).toEqual({ open: '200', closed: '404 not_found' });
    expect(await list(closed, ada.key)).toBe('200');
  });

  it('[member.list] has every member once by its links, and the exact count', async () => {
    const room = await f.createRoom(owner);
    const guests = await runConcurrently(9, () => f.createAgent());
    for (const [n, guest] of guests.entries()) {
      // Some agents join at the same moment.
      app.clock.advance(n % 3 === 0 ? 1000 : 0);
      await f.joinRoom(guest, room);
    }
    const pages = await f.listPages(`/api/v1/rooms/${room}/members?limit=4`, { key: outsider.key });
    expect(pages.map((page) => page.length)).toEqual([4, 4, 2]);
    expect(pages.flat()).toEqual(await listMembers(room));
    expect(
      (await f.listPages(`/api/v1/rooms/${room}/members?limit=5`, { key: outsider.key })).map(
        (page) => page.length,
      ),
    ).toEqual([5, 5]);
    expect(new Set(pages.flat().map(({ agentId }) => agentId)).size).toBe(10);
    const beyond = await f.send('GET', `/api/v1/rooms/${room}/members?offset=10`, {
      key: outsider.key,
    });
    expect({
      body: beyond.body,
      totalCount: beyond.headers.get('x-total-count'),
      link: beyond.headers.get('link'),
    }).toEqual({ body: [], totalCount: '10', link: null });
  });
});

describe('removeMember', () => {
  it.each(['public', 'private'] as const)(
    '[member.remove] by the owner of a %s room stops writes and private reads at once',
    async (visibility) => {
      const room = await f.createRoom(owner, visibility);
      await f.addMember(owner, room, ada);
      const thread = await f.createThread(ada, room);
      const hidden = await f.createThread(ada, room, { visibility: 'private' });
      expect(await remove(owner, room, ada)).toBe('200');

      const open = visibility === 'public';
      const refusal = open ? 'removed_from_room' : 'not_found';
      expect((await start(ada, room)).body.code).toBe(refusal);
      expect((await post(ada, thread)).body.code).toBe(refusal);
      expect((await post(ada, hidden)).body.code).toBe('not_found');
      const reads = [
        `/rooms/${room}`,
        `/rooms/${room}/members`,
        `/threads/${thread}`,
        `/threads/${thread}/messages`,
      ];
      for (const path of reads)
        expect(await f.sendForOutcome('GET', `/api/v1${path}`, { key: ada.key }), path).toBe(
          open ? '200' : '404 not_found',
        );
      for (const path of ['', '/messages'])
        expect(
          await f.sendForOutcome('GET', `/api/v1/threads/${hidden}${path}`, { key: ada.key }),
        ).toBe('404 not_found');
      const listed = await f.ok('GET', `/api/v1/threads?roomId=${room}`, { key: ada.key });
      expect(listed.map(({ id }: Json) => id)).toEqual(open ? [thread] : []);
      expect(await listMemberIds(room)).toEqual([owner.id]);
    },
  );

  it('[member.remove] answers with the id of the removed agent, for the owner only', async () => {
    const room = await f.createRoom(owner);
    const closed = await f.createRoom(owner, 'private');
    for (const guest of [ada, bob]) await f.joinRoom(guest, room);
    expect(await remove(ada, room, bob)).toBe('403 forbidden');
    expect(await remove(ada, room, owner)).toBe('403 forbidden');
    expect(await remove(outsider, room, ada)).toBe('403 forbidden');
    expect(await remove(outsider, room, outsider)).toBe('404 not_found');
    expect(await remove(owner, room, outsider)).toBe('404 not_found');
    expect(await remove(outsider, closed, owner)).toBe('404 not_found');
    expect((await listMemberIds(room)).sort()).toEqual([owner.id, ada.id, bob.id].sort());
    expect(
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: owner.key }),
    ).toEqual({ id: ada.id });
    expect(await remove(owner, room, ada)).toBe('404 not_found');
  });

  it('[member.removed-rejoin] stops rejoining until invited, after every removal', async () => {
    const room = await f.createRoom(owner);
    await f.joinRoom(ada, room);
    for (let round = 0; round < 2; round++) {
      await remove(owner, room, ada);
      expect(await join(ada, room)).toBe('403 removed_from_room');
      expect(await listMemberIds(room)).toEqual([owner.id]);
      await f.addMember(owner, room, ada);
    }
    expect(await listMemberIds(room)).toHaveLength(2);
  });

  it('[member.leave] by oneself allows rejoining a public room', async () => {
    const room = await f.createRoom(owner);
    await f.joinRoom(ada, room);
    await remove(owner, room, ada);
    await f.addMember(owner, room, ada);
    expect(await remove(ada, room, ada)).toBe('200');
    expect(await listMemberIds(room)).toEqual([owner.id]);
    expect(
      (await f.listEvents(ada)).events.filter(
        ({ kind, roomId }: Json) => kind === 'member_removed' && roomId === room,
      ),
    ).toHaveLength(1);
    expect(await join(ada, room)).toBe('200');

    const closed = await f.createRoom(owner, 'private');
    await f.addMember(owner, closed, ada);
    expect({
      removed: await remove(ada, closed, ada),
      joined: await join(ada, closed),
    }).toEqual({ removed: '200', joined: '404 not_found' });
  });

  it('[member.owner-stays] does not remove the owner', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const room = await f.createRoom(owner, visibility);
      const answer = await f.send('DELETE', `/api/v1/rooms/${room}/members/${owner.id}`, {
        key: owner.key,
      });
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 409,
        code: 'state_conflict',
      });
      expect(await listMemberIds(room)).toEqual([owner.id]);
    }
  });

  it('[member.leave] [member.removed-rejoin] races with joins consistently', async () => {
    const room = await f.createRoom(owner);
    const agents = await runConcurrently(10, () => f.createAgent());
    for (const agent of agents) await f.joinRoom(agent, room);
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

    const left = await listMemberIds(room);
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
