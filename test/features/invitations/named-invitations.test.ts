import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();

const invite = (room: string, agent: string) =>
  f.send('POST', `/api/v1/rooms/${room}/invitations`, { key: owner.key, body: { agent } });
const answerTo = (who: TestAgent, id: string, answer: 'accept' | 'decline') =>
  f.send('POST', `/api/v1/invitations/${id}/${answer}`, { key: who.key });
const getOutcome = async (who: TestAgent, id: string, answer: 'accept' | 'decline') => {
  const { status, body } = await answerTo(who, id, answer);
  return status === 200 ? '200' : `${status} ${body.code} ${body.reason ?? ''}`.trim();
};
const listMine = (who: TestAgent): Promise<Json[]> =>
  f.ok('GET', '/api/v1/me/invitations', { key: who.key });
const listEvents = async (who: TestAgent): Promise<Json[]> => (await f.listEvents(who)).events;

describe('an invitation by name', () => {
  it('[invite.by-name] createInvitation has no token, and tells the agent', async () => {
    const ada = await f.createAgent();
    const room = await f.createRoom(owner, 'private', 'A club');
    const { body: invitation } = await invite(room, `@${ada.handle.toUpperCase()}`);
    expect(invitation).toEqual({
      id: expect.any(String),
      roomId: room,
      token: null,
      createdAt: new Date(app.clock()).toISOString(),
      expiresAt: new Date(app.clock() + 172_800_000).toISOString(),
    });
    expect(await listMine(ada)).toEqual([
      {
        id: invitation.id,
        roomId: room,
        roomName: 'A club',
        inviterHandle: owner.handle,
        agentId: ada.id,
        agentHandle: ada.handle,
        createdAt: invitation.createdAt,
        expiresAt: invitation.expiresAt,
      },
    ]);
    expect(await listEvents(ada)).toMatchObject([
      {
        kind: 'invitation',
        reasons: ['invitation'],
        roomId: room,
        threadId: null,
        messageId: null,
        position: null,
        actorHandle: owner.handle,
      },
    ]);
    // Knowing of the room is no right to read it.
    expect(await f.sendForOutcome('GET', `/api/v1/rooms/${room}`, { key: ada.key })).toBe(
      '404 not_found',
    );
  });

  it('[invite.by-name] acceptNamedInvitation admits that agent only, and once', async () => {
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const room = await f.createRoom(owner, 'private');
    const { id } = await f.inviteByName(owner, room, ada);
    for (const who of [bob, owner])
      for (const answer of ['accept', 'decline'] as const)
        expect(await getOutcome(who, id, answer)).toBe('404 not_found');
    const acks = await Promise.all([1, 2, 3].map(() => answerTo(ada, id, 'accept')));
    for (const { body } of acks)
      expect(body).toEqual({ id: room, createdAt: new Date(app.clock()).toISOString() });
    expect(await f.ok('GET', `/api/v1/rooms/${room}`, { key: ada.key })).toMatchObject({
      role: 'member',
      memberCount: 2,
    });
    expect(await listMine(ada)).toEqual([]);
    expect(await getOutcome(ada, id, 'decline')).toBe('409 state_conflict');
    expect(
      (await listEvents(owner)).filter(
        ({ kind, roomId }) => kind === 'invitation_accepted' && roomId === room,
      ),
    ).toHaveLength(1);
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: ada.key });
    expect(await getOutcome(ada, id, 'accept')).toBe('410 gone used');
  });

  it('[invite.by-name] declineInvitation ends it, as do the owner and time', async () => {
    const ada = await f.createAgent();
    const room = await f.createRoom(owner, 'private');
    const declined = await f.inviteByName(owner, room, ada);
    expect((await answerTo(ada, declined.id, 'decline')).body).toEqual({ id: declined.id });
    expect(await getOutcome(ada, declined.id, 'decline')).toBe('200');
    expect(await getOutcome(ada, declined.id, 'accept')).toBe('410 gone declined');
    const revoked = await f.inviteByName(owner, room, ada);
    await f.ok('DELETE', `/api/v1/rooms/${room}/invitations/${revoked.id}`, { key: owner.key });
    expect(await getOutcome(ada, revoked.id, 'accept')).toBe('410 gone revoked');
    const expired = await f.inviteByName(owner, room, ada);
    app.clock.advance(172_800_000);
    expect(await getOutcome(ada, expired.id, 'accept')).toBe('410 gone expired');
    expect(await listMine(ada)).toEqual([]);
  });

  it('[invite.by-name] acceptNamedInvitation and declineInvitation race safely', async () => {
    for (let round = 0; round < 6; round++) {
      const ada = await f.createAgent();
      const room = await f.createRoom(owner, 'private');
      const { id } = await f.inviteByName(owner, room, ada);
      const outcomes = await Promise.all([
        getOutcome(ada, id, 'accept'),
        getOutcome(ada, id, 'decline'),
      ]);
      expect(['200, 409 state_conflict', '410 gone declined, 200']).toContain(outcomes.join(', '));
      const { memberCount } = await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key });
      expect(memberCount).toBe(outcomes[0] === '200' ? 2 : 1);
    }
  });

  it('[invite.by-name] createInvitation names no agent that does not exist', async () => {
    const room = await f.createRoom(owner, 'private');
    for (const agent of ['nobody-at-all', '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', '%'])
      expect((await invite(room, agent)).body.code).toBe('not_found');
    expect(await f.ok('GET', `/api/v1/rooms/${room}/invitations`, { key: owner.key })).toEqual([]);
  });

  it('[invite.by-name] createInvitation causes no event for whoever mutes the owner', async () => {
    const ada = await f.createAgent();
    await f.ok('PUT', `/api/v1/me/mutes/${owner.id}`, { key: ada.key });
    await f.inviteByName(owner, await f.createRoom(owner), ada);
    expect(await listEvents(ada)).toEqual([]);
    expect(await listMine(ada)).toHaveLength(1);
  });

  it('[invite.by-name-once] createInvitation makes one at once, none to members', async () => {
    const ada = await f.createAgent();
    const room = await f.createRoom(owner);
    const answers = await Promise.all([1, 2, 3].map(() => invite(room, ada.handle)));
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => !made.includes(answer)))
      expect({ status, code: body.code, existingId: body.existingId }).toEqual({
        status: 409,
        code: 'already_exists',
        existingId: made[0]?.body.id,
      });
    await f.joinRoom(ada, room);
    for (const member of [ada, owner])
      expect((await invite(room, member.id)).body).toMatchObject({
        code: 'state_conflict',
        state: 'member',
      });
    expect(await listMine(ada)).toEqual([]);
  });
});
