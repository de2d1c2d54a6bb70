import { describe, expect, it } from 'vitest';
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
const private_ = await f.room(owner, 'private');

const make = (room: string, body?: unknown, who = owner) =>
  f.send('POST', `/api/v1/rooms/${room}/invitations`, { key: who.key, body });
const invite = async (room: string, body?: unknown): Promise<Loose> =>
  (await make(room, body)).body;
const accept = (who: TestAgent, token: string) =>
  f.send('POST', '/api/v1/invitations/accept', { key: who.key, body: { token } });
const accepted = async (who: TestAgent, token: string) => {
  const { status, body } = await accept(who, token);
  return status === 200 ? 'joined' : `${status} ${body.code} ${body.reason ?? ''}`.trim();
};
const revoke = (who: TestAgent, room: string, id: string) =>
  f.outcome('DELETE', `/api/v1/rooms/${room}/invitations/${id}`, { key: who.key });
const memberCount = async (room: string) =>
  (await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key })).memberCount;

describe('inviting', () => {
  it.each([
    ['no body', undefined, 172_800],
    ['an empty body', {}, 172_800],
    ['null', { expiresInSeconds: null }, 172_800],
    ['a minute', { expiresInSeconds: 60 }, 60],
    ['thirty days', { expiresInSeconds: 2_592_000 }, 2_592_000],
  ])(
    '[invite.create] with %s gives a token that works until it expires',
    async (_, body, seconds) => {
      const room = await f.room(owner, 'private');
      const at = app.clock();
      const [answer, other] = [await make(room, body), await invite(room, body)];
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
      expect(await accepted(ada, answer.body.token)).toBe('joined');
      app.clock.advance(1);
      expect(await accepted(bob, other.token)).toBe('410 gone expired');
      expect(await memberCount(room)).toBe(2);
    },
  );

  it.each([59, 2_592_001, 60.5, -1, '3600'])(
    '[invite.create] refuses %j seconds',
    async (expiresInSeconds) => {
      const answer = await make(private_, { expiresInSeconds });
      expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([
        400,
        'invalid_request',
        '/body/expiresInSeconds',
      ]);
    },
  );

  it('[invite.owner-only]', async () => {
    const open = await f.room(owner);
    await f.join(ada, open);
    await f.invite(owner, private_, ada);
    for (const [who, room, outcome] of [
      [ada, open, '403 forbidden'],
      [ada, private_, '403 forbidden'],
      [outsider, open, '403 forbidden'],
      [outsider, private_, '404 not_found'],
    ] as const) {
      const { id, token } = await invite(room);
      const answer = await make(room, undefined, who);
      expect(`${answer.status} ${answer.body.code}`).toBe(outcome);
      expect(answer.text).not.toContain('stoa_inv_');
      expect(await revoke(who, room, id)).toBe(outcome);
      expect(await accepted(await f.agent(), token)).toBe('joined');
    }
  });
});

describe('accepting', () => {
  it('[invite.accept] makes a member once, and gives that member the same ack again', async () => {
    const room = await f.room(owner, 'private');
    const { token } = await invite(room);
    const first = await accept(ada, token);
    expect(first.body).toEqual({ id: room, createdAt: new Date(app.clock()).toISOString() });
    app.clock.advance(3 * 24 * 3600 * 1000);
    expect((await accept(ada, token)).body).toEqual(first.body);
    expect(await memberCount(room)).toBe(2);
    expect(await f.ok('GET', `/api/v1/rooms/${room}`, { key: ada.key })).toMatchObject({
      role: 'member',
    });
    await f.post(ada, await f.thread(owner, room), 'Here I am.');
  });

  it('[invite.accept] by a member changes nothing and leaves the invitation to another', async () => {
    const room = await f.room(owner, 'private');
    const { token } = await invite(room);
    expect([await accepted(owner, token), await memberCount(room)]).toEqual(['joined', 1]);
    expect([await accepted(ada, token), await memberCount(room)]).toEqual(['joined', 2]);
    expect(await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key })).toMatchObject({
      role: 'owner',
    });
  });

  it('[invite.one-use] ten agents race on one token: exactly one joins', async () => {
    const agents = await together(10, () => f.agent());
    for (const visibility of ['public', 'private'] as const) {
      const room = await f.room(owner, visibility);
      const { token } = await invite(room);
      const outcomes = await Promise.all(agents.map((agent) => accepted(agent, token)));
      expect(outcomes.sort()).toEqual([...Array(9).fill('410 gone used'), 'joined']);
      expect(await memberCount(room)).toBe(2);
    }
  });

  it('[invite.accept] [invite.one-use] one agent races with itself, on one token and on several', async () => {
    const room = await f.room(owner, 'private');
    const { token } = await invite(room);
    const acks = await together(6, async () => (await accept(ada, token)).text);
    expect([new Set(acks).size, await memberCount(room)]).toEqual([1, 2]);

    const tokens = await together(4, async () => (await invite(room)).token as string);
    expect(await Promise.all(tokens.map((each) => accepted(bob, each)))).toEqual(
      Array(4).fill('joined'),
    );
    expect(await memberCount(room)).toBe(3);
    // One of them made the member; three are still open.
    const others = await together(4, () => f.agent());
    const outcomes = await Promise.all(
      tokens.map((each, n) => accepted(others[n] as TestAgent, each)),
    );
    expect(outcomes.sort()).toEqual(['410 gone used', 'joined', 'joined', 'joined']);
  });

  it('[invite.gone] used, revoked or expired, with the reason; unknown is not_found', async () => {
    const room = await f.room(owner, 'private');
    const [used, revoked, expired] = [
      await invite(room),
      await invite(room),
      await invite(room, { expiresInSeconds: 60 }),
    ];
    await accept(ada, used.token);
    await revoke(owner, room, revoked.id);
    app.clock.advance(60_000);
    expect(await accepted(bob, used.token)).toBe('410 gone used');
    expect(await accepted(bob, revoked.token)).toBe('410 gone revoked');
    expect(await accepted(bob, expired.token)).toBe('410 gone expired');
    for (const unknown of [
      'nonsense',
      expired.token.slice(0, -1),
      `stoa_inv_${'A'.repeat(43)}_AAAAAA`,
      ada.key,
    ]) {
      expect(await accepted(bob, unknown)).toBe('404 not_found');
    }
    expect(
      await f.outcome('POST', '/api/v1/invitations/accept', { body: { token: used.token } }),
    ).toBe('401 unauthenticated');
    expect(await memberCount(room)).toBe(2);
  });

  it('[invite.gone] the member that it made cannot come back with it after leaving or being removed', async () => {
    const room = await f.room(owner, 'private');
    for (const who of [ada, owner]) {
      const { token } = await invite(room);
      await accept(ada, token);
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: who.key });
      expect(await accepted(ada, token)).toBe('410 gone used');
    }
    expect(await memberCount(room)).toBe(1);
  });

  it.each(['public', 'private'] as const)(
    '[invite.readmits] a removed member of a %s room',
    async (visibility) => {
      const room = await f.room(owner, visibility);
      await f.invite(owner, room, ada);
      const thread = await f.thread(owner, room);
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: owner.key });
      const { token } = await invite(room);
      expect(await accepted(ada, token)).toBe('joined');
      await f.post(ada, thread, 'Back again.');
      expect(await memberCount(room)).toBe(2);
    },
  );
});

describe('revoking', () => {
  it('[invite.revoke] stops the token, repeated without harm, and only in its own room', async () => {
    const [room, another] = [await f.room(owner), await f.room(owner)];
    const { id, token } = await invite(room);
    expect(await revoke(owner, another, id)).toBe('404 not_found');
    expect(await revoke(owner, room, '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f')).toBe('404 not_found');
    expect(
      await f.ok('DELETE', `/api/v1/rooms/${room}/invitations/${id}`, { key: owner.key }),
    ).toEqual({ id });
    expect(await revoke(owner, room, id)).toBe('200');
    expect(await accepted(ada, token)).toBe('410 gone revoked');
    expect(await memberCount(room)).toBe(1);
  });

  it('[invite.revoke] an invitation of another room stays open there', async () => {
    const [room, another] = [await f.room(owner), await f.room(owner)];
    const { id, token } = await invite(room);
    await revoke(owner, another, id);
    expect(await accepted(ada, token)).toBe('joined');
    const answer = await f.send('DELETE', `/api/v1/rooms/${room}/invitations/${id}`, {
      key: owner.key,
    });
    expect([answer.status, answer.body.code, answer.body.state]).toEqual([
      409,
      'state_conflict',
      'used',
    ]);
  });

  it('[invite.revoke] [invite.one-use] races with an agent that accepts: one of the two wins', async () => {
    for (let round = 0; round < 8; round++) {
      const room = await f.room(owner, 'private');
      const { id, token } = await invite(room);
      const [joined, revoked] = await Promise.all([accepted(ada, token), revoke(owner, room, id)]);
      expect(['joined, 409 state_conflict', '410 gone revoked, 200']).toContain(
        `${joined}, ${revoked}`,
      );
      expect(await memberCount(room)).toBe(joined === 'joined' ? 2 : 1);
    }
  });
});
