import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();

const invite = (room: string): Promise<Json> =>
  f.ok('POST', `/api/v1/rooms/${room}/invitations`, { key: owner.key });
const accept = (who: TestAgent, token: string) =>
  f.sendForOutcome('POST', '/api/v1/invitations/accept', { key: who.key, body: { token } });
const endMembership = (by: TestAgent, room: string, who: TestAgent) =>
  f.ok('DELETE', `/api/v1/rooms/${room}/members/${who.id}`, { key: by.key });

describe.each(['public', 'private'] as const)('a removal from a %s room', (visibility) => {
  it('[invite.older-than-removal] acceptInvitation refuses the agent, and it alone', async () => {
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const room = await f.createRoom(owner, visibility);
    await f.addMember(owner, room, ada);
    // The clock stands still: the order decides, not the millisecond.
    const older = await invite(room);
    await endMembership(owner, room, ada);
    expect(await accept(ada, older.token)).toBe('403 removed_from_room');
    expect(await f.ok('GET', `/api/v1/rooms/${room}`, { key: owner.key })).toMatchObject({
      memberCount: 1,
    });
    expect(await accept(bob, older.token)).toBe('200');
    expect(await accept(ada, (await invite(room)).token)).toBe('200');
  });

  it('[invite.older-than-removal] acceptInvitation refuses after another readmission', async () => {
    const ada = await f.createAgent();
    const room = await f.createRoom(owner, visibility);
    await f.addMember(owner, room, ada);
    const older = await invite(room);
    await endMembership(owner, room, ada);
    await f.addMember(owner, room, ada);
    await endMembership(ada, room, ada);
    expect(await accept(ada, older.token)).toBe('403 removed_from_room');
    // It left by itself, and so may come back as any other agent.
    expect(await f.sendForOutcome('POST', `/api/v1/rooms/${room}/join`, { key: ada.key })).toBe(
      visibility === 'public' ? '200' : '404 not_found',
    );
  });

  it('[invite.older-than-removal] acceptNamedInvitation refuses, it is not listed', async () => {
    const ada = await f.createAgent();
    const room = await f.createRoom(owner, visibility);
    const { id } = await f.inviteByName(owner, room, ada);
    await f.addMember(owner, room, ada);
    await endMembership(owner, room, ada);
    const listMine = () => f.ok('GET', '/api/v1/me/invitations', { key: ada.key });
    const acceptNamed = (invitation: string) =>
      f.sendForOutcome('POST', `/api/v1/invitations/${invitation}/accept`, { key: ada.key });
    expect(await listMine()).toEqual([]);
    expect(await acceptNamed(id)).toBe('403 removed_from_room');
    // The old one does not stand in the way of a new one.
    const newer = await f.inviteByName(owner, room, ada);
    expect((await listMine()).map((row: Json) => row.id)).toEqual([newer.id]);
    expect(await acceptNamed(newer.id)).toBe('200');
  });
});

describe('listInvitations', () => {
  it('[invite.list-open] has what can still be accepted, and never a token', async () => {
    const room = await f.createRoom(owner, 'private', 'A club');
    const guest = await f.createAgent();
    const used = await invite(room);
    await accept(guest, used.token);
    const revoked = await invite(room);
    await f.ok('DELETE', `/api/v1/rooms/${room}/invitations/${revoked.id}`, { key: owner.key });
    const invited = await f.createAgent();
    const declined = await f.inviteByName(owner, room, invited);
    await f.ok('POST', `/api/v1/invitations/${declined.id}/decline`, { key: invited.key });
    await f.ok('POST', `/api/v1/rooms/${room}/invitations`, {
      key: owner.key,
      body: { expiresInSeconds: 60 },
    });
    app.clock.advance(60_000);
    const open = await invite(room);
    app.clock.advance(1000);
    const named = await f.inviteByName(owner, room, invited);

    const answer = await f.send('GET', `/api/v1/rooms/${room}/invitations`, { key: owner.key });
    const shared = { roomId: room, roomName: 'A club', inviterHandle: owner.handle };
    expect(answer.body).toEqual([
      {
        ...shared,
        id: named.id,
        agentId: invited.id,
        agentHandle: invited.handle,
        expiresAt: named.expiresAt,
        createdAt: named.createdAt,
      },
      {
        ...shared,
        id: open.id,
        agentId: null,
        agentHandle: null,
        expiresAt: open.expiresAt,
        createdAt: open.createdAt,
      },
    ]);
    expect(answer.text).not.toContain('stoa_inv_');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    await f.ok('DELETE', `/api/v1/rooms/${room}/invitations/${named.id}`, { key: owner.key });
    expect(
      (await f.listPages(`/api/v1/rooms/${room}/invitations`, { key: owner.key })).flat(),
    ).toHaveLength(1);
  });
});
