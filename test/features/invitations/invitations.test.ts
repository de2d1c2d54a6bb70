import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const ada = await f.createAgent();
const bob = await f.createAgent();
const outsider = await f.createAgent();
const privateRoom = await f.createRoom(owner, 'private');

const createInvitation = (room: string, body?: unknown, who = owner) =>
  f.send('POST', `/api/v1/rooms/${room}/invitations`, { key: who.key, body });
const invite = async (room: string, body?: unknown): Promise<Json> =>
  (await createInvitation(room, body)).body;
const accept = (who: TestAgent, token: string) =>
  f.send('POST', '/api/v1/invitations/accept', { key: who.key, body: { token } });
const getOutcomeOfAccept = async (who: TestAgent, token: string) => {
  const { status, body } = await accept(who, token);
  return status === 200 ? 'joined' : `${status} ${body.code} ${body.reason ?? ''}`.trim();
};
const revoke = (who: TestAgent, room: string, id: string) =>
  f.sendForOutcome('DELETE', `/api/v1/rooms/${room}/invitations/${id}`, { key: who.key });
const memberCount = async (room: string) =>
  (await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key })).memberCount;

describe('createInvitation', () => {
  it.each([
    ['no body', undefined, 172_800],
    ['an empty body', {}, 172_800],
    ['null', { expiresInSeconds: null }, 172_800],
    ['a minute', { expiresInSeconds: 60 }, 60],
    ['thirty days', { expiresInSeconds: 2_592_000 }, 2_592_000],
  ])(
    '[invite.create] with %s returns a token that works until it expires',
    async (_, body, seconds) => {
      const room = await f.createRoom(owner, 'private');
      const at = app.clock();
      const answer = await createInvitation(room, body);
      const other = await invite(room, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        id: expect.any(String),
        roomId: room,
        token: expect.stringMatching(/^stoa_inv_[\w-]{43}_[\w-]{6}$/),
        createdAt: new Date(at).toISOString(),
        expiresAt: new Date(at + seconds * 1000).toISOString(),
      });
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(other.token).not.toBe(answer.body.token);

      app.clock.advance(seconds * 1000 - 1);
      expect(await getOutcomeOfAccept(ada, answer.body.token)).toBe('joined');
      app.clock.advance(1);
      expect(await getOutcomeOfAccept(bob, other.token)).toBe('410 gone expired');
      expect(await memberCount(room)).toBe(2);
    },
  );

  it.each([59, 2_592_001, 60.5, -1, '3600'])(
    '[invite.create] rejects a lifetime of %j seconds',
    async (expiresInSeconds) => {
      const answer = await createInvitation(privateRoom, { expiresInSeconds });
      expect({
        status: answer.status,
        code: answer.body.code,
        pointer: answer.body.errors[0].pointer,
      }).toEqual({
        status: 400,
        code: 'invalid_request',
        pointer: '/body/expiresInSeconds',
      });
    },
  );

  it('[invite.owner-only] is for the owner of the room', async () => {
    const open = await f.createRoom(owner);
    await f.joinRoom(ada, open);
    await f.addMember(owner, privateRoom, ada);
    for (const [who, room, outcome] of [
      [ada, open, '403 forbidden'],
      [ada, privateRoom, '403 forbidden'],
      [outsider, open, '403 forbidden'],
      [outsider, privateRoom, '404 not_found'],
    ] as const) {
      const { id, token } = await invite(room);
      const answer = await createInvitation(room, undefined, who);
      expect(`${answer.status} ${answer.body.code}`).toBe(outcome);
      expect(answer.text).not.toContain('stoa_inv_');
      expect(await revoke(who, room, id)).toBe(outcome);
      expect(await getOutcomeOfAccept(await f.createAgent(), token)).toBe('joined');
    }
  });
});

describe('acceptInvitation', () => {
  it('[invite.accept] makes a member once and repeats the same answer', async () => {
    const room = await f.createRoom(owner, 'private');
    const { token } = await invite(room);
    const first = await accept(ada, token);
    expect(first.body).toEqual({ id: room, createdAt: new Date(app.clock()).toISOString() });
    app.clock.advance(3 * 24 * 3600 * 1000);
    expect((await accept(ada, token)).body).toEqual(first.body);
    expect(await memberCount(room)).toBe(2);
    expect(await f.ok('GET', `/api/v1/rooms/${room}`, { key: ada.key })).toMatchObject({
      role: 'member',
    });
    await f.postMessage(ada, await f.createThread(owner, room), 'Here I am.');
  });

  it('[invite.accept] by a member changes nothing and leaves the token usable', async () => {
    const room = await f.createRoom(owner, 'private');
    const { token } = await invite(room);
    expect({
      outcome: await getOutcomeOfAccept(owner, token),
      members: await memberCount(room),
    }).toEqual({ outcome: 'joined', members: 1 });
    expect({
      outcome: await getOutcomeOfAccept(ada, token),
      members: await memberCount(room),
    }).toEqual({ outcome: 'joined', members: 2 });
    expect(await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key })).toMatchObject({
      role: 'owner',
    });
  });

  it('[invite.one-use] lets one of ten racing agents join with a token', async () => {
    const agents = await runConcurrently(10, () => f.createAgent());
    for (const visibility of ['public', 'private'] as const) {
      const room = await f.createRoom(owner, visibility);
      const { token } = await invite(room);
      const outcomes = await Promise.all(agents.map((agent) => getOutcomeOfAccept(agent, token)));
      expect(outcomes.sort()).toEqual([...Array(9).fill('410 gone used'), 'joined']);
      expect(await memberCount(room)).toBe(2);
    }
  });

  it('[invite.accept] [invite.one-use] admits a racing agent once', async () => {
    const room = await f.createRoom(owner, 'private');
    const { token } = await invite(room);
    const acks = await runConcurrently(6, async () => (await accept(ada, token)).text);
    expect({ answers: new Set(acks).size, members: await memberCount(room) }).toEqual({
      answers: 1,
      members: 2,
    });

    const tokens = await runConcurrently(4, async () => (await invite(room)).token as string);
    expect(await Promise.all(tokens.map((each) => getOutcomeOfAccept(bob, each)))).toEqual(
      Array(4).fill('joined'),
    );
    expect(await memberCount(room)).toBe(3);
    // One token admitted the member, and three are still open.
    const others = await runConcurrently(4, () => f.createAgent());
    const outcomes = await Promise.all(
      tokens.map((each, n) => getOutcomeOfAccept(others[n] as TestAgent, each)),
    );
    expect(outcomes.sort()).toEqual(['410 gone used', 'joined', 'joined', 'joined']);
  });

  it('[invite.gone] says whether a token was used, revoked or expired', async () => {
    const room = await f.createRoom(owner, 'private');
    const used = await invite(room);
    const revoked = await invite(room);
    const expired = await invite(room, { expiresInSeconds: 60 });
    await accept(ada, used.token);
    await revoke(owner, room, revoked.id);
    app.clock.advance(60_000);
    expect(await getOutcomeOfAccept(bob, used.token)).toBe('410 gone used');
    expect(await getOutcomeOfAccept(bob, revoked.token)).toBe('410 gone revoked');
    expect(await getOutcomeOfAccept(bob, expired.token)).toBe('410 gone expired');
    for (const unknown of [
      'nonsense',
      expired.token.slice(0, -1),
      `stoa_inv_${'A'.repeat(43)}_AAAAAA`,
      ada.key,
    ]) {
      expect(await getOutcomeOfAccept(bob, unknown)).toBe('404 not_found');
    }
    expect(
      await f.sendForOutcome('POST', '/api/v1/invitations/accept', { body: { token: used.token } }),
    ).toBe('401 unauthenticated');
    expect(await memberCount(room)).toBe(2);
  });

  it('[invite.gone] does not readmit the member that it already admitted', async () => {
    const room = await f.createRoom(owner, 'private');
    for (const who of [ada, owner]) {
      const { token } = await invite(room);
      await accept(ada, token);
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: who.key });
      expect(await getOutcomeOfAccept(ada, token)).toBe('410 gone used');
    }
    expect(await memberCount(room)).toBe(1);
  });

  it.each(['public', 'private'] as const)(
    '[invite.readmits] readmits a removed member of a %s room',
    async (visibility) => {
      const room = await f.createRoom(owner, visibility);
      await f.addMember(owner, room, ada);
      const thread = await f.createThread(owner, room);
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: owner.key });
      const { token } = await invite(room);
      expect(await getOutcomeOfAccept(ada, token)).toBe('joined');
      await f.postMessage(ada, thread, 'Back again.');
      expect(await memberCount(room)).toBe(2);
    },
  );
});

describe('revokeInvitation', () => {
  it('[invite.revoke] stops the token, may be repeated, and is limited to its room', async () => {
    const room = await f.createRoom(owner);
    const another = await f.createRoom(owner);
    const { id, token } = await invite(room);
    expect(await revoke(owner, another, id)).toBe('404 not_found');
    expect(await revoke(owner, room, '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f')).toBe('404 not_found');
    expect(
      await f.ok('DELETE', `/api/v1/rooms/${room}/invitations/${id}`, { key: owner.key }),
    ).toEqual({ id });
    expect(await revoke(owner, room, id)).toBe('200');
    expect(await getOutcomeOfAccept(ada, token)).toBe('410 gone revoked');
    expect(await memberCount(room)).toBe(1);
  });

  it('[invite.revoke] leaves an invitation of another room open', async () => {
    const room = await f.createRoom(owner);
    const another = await f.createRoom(owner);
    const { id, token } = await invite(room);
    await revoke(owner, another, id);
    expect(await getOutcomeOfAccept(ada, token)).toBe('joined');
    const answer = await f.send('DELETE', `/api/v1/rooms/${room}/invitations/${id}`, {
      key: owner.key,
    });
    expect({
      status: answer.status,
      code: answer.body.code,
      state: answer.body.state,
    }).toEqual({ status: 409, code: 'state_conflict', state: 'used' });
  });

  it('[invite.revoke] [invite.one-use] and acceptInvitation race safely', async () => {
    for (let round = 0; round < 8; round++) {
      const room = await f.createRoom(owner, 'private');
      const { id, token } = await invite(room);
      const [joined, revoked] = await Promise.all([
        getOutcomeOfAccept(ada, token),
        revoke(owner, room, id),
      ]);
      expect(['joined, 409 state_conflict', '410 gone revoked, 200']).toContain(
        `${joined}, ${revoked}`,
      );
      expect(await memberCount(room)).toBe(joined === 'joined' ? 2 : 1);
    }
  });
});
