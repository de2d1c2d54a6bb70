import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';
import { waitForLocks, whileLocked } from '../../support/locks.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent('first-owner');
const outsider = await f.createAgent();
const bystander = await f.createAgent();

const propose = (room: string, agentId: string, who = owner) =>
  f.sendForOutcome('PUT', `/api/v1/rooms/${room}/owner`, { key: who.key, body: { agentId } });
const withdraw = (room: string, who = owner) =>
  f.sendForOutcome('DELETE', `/api/v1/rooms/${room}/owner`, { key: who.key });
const accept = (room: string, who: TestAgent) =>
  f.sendForOutcome('POST', `/api/v1/rooms/${room}/owner/accept`, { key: who.key });
const read = (room: string, key?: string): Promise<Json> =>
  f.ok('GET', `/api/v1/rooms/${room}`, { key });
const block = (who: TestAgent, blocked = true) =>
  f.ok('PUT', `/api/v1/admin/agents/${who.id}/block`, { admin: true, body: { blocked } });
const listRoles = async (room: string): Promise<Record<string, string>> => {
  const members: Json[] = await f.ok('GET', `/api/v1/rooms/${room}/members`, {
    key: bystander.key,
  });
  return Object.fromEntries(members.map(({ agentId, role }) => [agentId, role]));
};

/** A public room of the owner with two members. */
async function createRoom() {
  const room = await f.createRoom(owner);
  const member = await f.createAgent();
  for (const guest of [member, bystander]) await f.joinRoom(guest, room);
  return { room, member };
}

it('[attack.58-1] (API1) a proposal that cannot be made waits for nobody', async () => {
  const { room, member } = await createRoom();
  const lock = sql`SELECT 1 FROM agents WHERE id = ${member.id} FOR UPDATE`;
  await whileLocked(app.app.env.db, lock, async () => {
    expect(await propose(room, member.id, outsider)).toBe('403 forbidden');
    expect(await propose(randomUUID(), member.id, outsider)).toBe('404 not_found');
  });
  const other = sql`SELECT 1 FROM agents WHERE id = ${outsider.id} FOR UPDATE`;
  await whileLocked(app.app.env.db, other, async () => {
    expect(await propose(room, outsider.id)).toBe('404 not_found');
  });
});

it('[attack.66-3] (API1) nobody waits for a room to be told that it is not theirs', async () => {
  const { room, member } = await createRoom();
  const send = (method: string, path: string, body?: object) =>
    f.sendForOutcome(method, `/api/v1/rooms/${room}${path}`, {
      key: outsider.key,
      ...(body && { body }),
    });
  const removed = await f.createAgent();
  await f.joinRoom(removed, room);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${removed.id}`, { key: owner.key });
  const join = (who: TestAgent) =>
    f.sendForOutcome('POST', `/api/v1/rooms/${room}/join`, { key: who.key });
  const lock = sql`SELECT 1 FROM rooms WHERE id = ${room} FOR UPDATE`;
  await whileLocked(app.app.env.db, lock, async () => {
    expect(await join(removed)).toBe('403 removed_from_room');
    expect(await join(member)).toBe('200');
    expect([
      await send('PUT', '', { name: 'mine' }),
      await send('DELETE', '/owner'),
      await send('DELETE', `/members/${member.id}`),
      await send('POST', '/invitations', {}),
    ]).toEqual(Array(4).fill('403 forbidden'));
    expect(await send('DELETE', `/members/${outsider.id}`)).toBe('404 not_found');
  });
});

it('[attack.60-3] (API4) a proposal keeps its successor only shortly for a busy room', async () => {
  const { room, member } = await createRoom();
  const { db } = app.app.env;
  let answer = Promise.resolve('');
  await whileLocked(db, sql`SELECT 1 FROM rooms WHERE id = ${room} FOR UPDATE`, async () => {
    answer = propose(room, member.id);
    await waitForLocks(db, 1);
    await sleep(2_000);
  });
  expect(await answer).toBe('503 unavailable');
  expect(await propose(room, member.id)).toBe('200');
});

describe('handing over a room', () => {
  it('[owner.propose] acceptOwnership makes the proposed member the owner', async () => {
    const { room, member } = await createRoom();
    const name = `relay${room.slice(-6)}`;
    await f.ok('PUT', `/api/v1/rooms/${room}`, { key: owner.key, body: { name } });
    expect(await propose(room, member.id)).toBe('200');
    expect(await read(room, member.key)).toMatchObject({ ownerId: owner.id, role: 'member' });
    const ack = await f.ok('POST', `/api/v1/rooms/${room}/owner/accept`, { key: member.key });
    expect(ack).toEqual({ id: room, createdAt: new Date(app.clock()).toISOString() });
    expect(await read(room, owner.key)).toMatchObject({
      ownerId: member.id,
      ownerHandle: member.handle,
      role: 'member',
      memberCount: 3,
      proposedOwnerId: null,
    });
    expect(await listRoles(room)).toEqual({
      [owner.id]: 'member',
      [member.id]: 'owner',
      [bystander.id]: 'member',
    });
    expect(
      await f.sendForOutcome('PUT', `/api/v1/rooms/${room}`, { key: owner.key, body: {} }),
    ).toBe('403 forbidden');
    const found = await f.ok('GET', `/api/v1/search?q=${name}%20from:${member.handle}`);
    expect(found.results.map(({ id }: Json) => id)).toEqual([room]);
    // The old owner may leave now, and the new one may not.
    for (const [who, outcome] of [
      [owner, '200'],
      [member, '409 state_conflict'],
    ] as const)
      expect(
        await f.sendForOutcome('DELETE', `/api/v1/rooms/${room}/members/${who.id}`, {
          key: who.key,
        }),
      ).toBe(outcome);
  });

  it('[owner.propose] proposeOwner takes only members that can act, from the owner', async () => {
    const { room, member } = await createRoom();
    const blocked = await f.createAgent();
    await f.joinRoom(blocked, room);
    await block(blocked);
    const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
    expect(await propose(room, outsider.id)).toBe('404 not_found');
    expect(await propose(room, nowhere)).toBe('404 not_found');
    expect(await propose(room, owner.id)).toBe('409 state_conflict');
    expect(await propose(room, blocked.id)).toBe('409 state_conflict');
    expect(await propose(room, member.id, member)).toBe('403 forbidden');
    expect((await read(room, owner.key)).proposedOwnerId).toBeNull();
    expect(await accept(room, member)).toBe('404 not_found');
  });

  it('[owner.propose] a later proposeOwner replaces the earlier one', async () => {
    const { room, member } = await createRoom();
    await propose(room, member.id);
    await propose(room, bystander.id);
    expect(await accept(room, member)).toBe('404 not_found');
    expect(await accept(room, bystander)).toBe('200');
  });

  it('[owner.proposal-hidden] getRoom shows it to the two only', async () => {
    const { room, member } = await createRoom();
    await propose(room, member.id);
    for (const key of [owner.key, member.key])
      expect((await read(room, key)).proposedOwnerId).toBe(member.id);
    for (const key of [undefined, bystander.key, outsider.key]) {
      expect((await read(room, key)).proposedOwnerId).toBeNull();
      const listed: Json[] = await f.ok('GET', '/api/v1/rooms', { key });
      expect(listed.find(({ id }) => id === room)?.proposedOwnerId).toBeNull();
    }
    for (const who of [bystander, outsider, owner])
      expect(await accept(room, who)).toBe('404 not_found');
    for (const who of [bystander, outsider, member])
      expect(await withdraw(room, who)).toBe('403 forbidden');
    expect(await accept(room, member)).toBe('200');
  });

  it('[owner.withdraw] withdrawOwnerProposal ends it, and repeats harmlessly', async () => {
    const { room, member } = await createRoom();
    await propose(room, member.id);
    expect(await f.ok('DELETE', `/api/v1/rooms/${room}/owner`, { key: owner.key })).toEqual({
      id: room,
    });
    expect(await withdraw(room)).toBe('200');
    expect(await accept(room, member)).toBe('404 not_found');
    expect((await read(room, member.key)).proposedOwnerId).toBeNull();
  });

  it.each(['leaves', 'is removed'])(
    '[owner.withdraw] the proposal ends when the member %s, for ever',
    async (exit) => {
      const { room, member } = await createRoom();
      await propose(room, member.id);
      const { key } = exit === 'leaves' ? member : owner;
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${member.id}`, { key });
      expect(await accept(room, member)).toBe('404 not_found');
      expect((await read(room, owner.key)).proposedOwnerId).toBeNull();
      await f.addMember(owner, room, member);
      expect(await accept(room, member)).toBe('404 not_found');
      expect((await listRoles(room))[owner.id]).toBe('owner');
    },
  );

  it('[owner.withdraw] a blocked member cannot accept, and others may be proposed', async () => {
    const { room, member } = await createRoom();
    await propose(room, member.id);
    await block(member);
    expect(await accept(room, member)).toBe('403 agent_blocked');
    expect(await propose(room, bystander.id)).toBe('200');
    await block(member, false);
    expect(await accept(room, member)).toBe('404 not_found');
  });

  it('[owner.withdraw] accepting races with withdrawing, leaving and another accept', async () => {
    for (let round = 0; round < 6; round++) {
      const { room, member } = await createRoom();
      await propose(room, member.id);
      const [accepted, , withdrawn] = await Promise.all([
        accept(room, member),
        accept(room, member),
        round % 2
          ? withdraw(room)
          : f.sendForOutcome('DELETE', `/api/v1/rooms/${room}/members/${member.id}`, {
              key: member.key,
            }),
      ]);
      const roles = await listRoles(room);
      const ownerId = (await read(room, owner.key)).ownerId;
      expect(Object.entries(roles).filter(([, role]) => role === 'owner')).toEqual([
        [ownerId, 'owner'],
      ]);
      expect((await read(room, owner.key)).memberCount).toBe(Object.keys(roles).length);
      if (ownerId === owner.id) expect({ accepted, withdrawn }).toMatchObject({ withdrawn: '200' });
      else expect(withdrawn).toBe(round % 2 ? '403 forbidden' : '409 state_conflict');
    }
  });

  it('[room.archived-open] works in an archived room', async () => {
    const { room, member } = await createRoom();
    await f.archiveRoom(owner, room);
    expect(await propose(room, member.id)).toBe('200');
    expect(await accept(room, member)).toBe('200');
    expect((await f.archiveRoom(member, room, false)).archived).toBe(false);
  });

  it('[invite.accept] a former owner that left may return by an invitation', async () => {
    const { room, member } = await createRoom();
    await propose(room, member.id);
    await accept(room, member);
    const invitations = `/api/v1/rooms/${room}/invitations`;
    const { token } = await f.ok('POST', invitations, { key: member.key });
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${owner.id}`, { key: owner.key });
    await f.ok('POST', '/api/v1/invitations/accept', { key: owner.key, body: { token } });
    expect(
      (await f.listEvents(owner)).events.filter(({ roomId }: Json) => roomId === room),
    ).toEqual([]);
  });
});

describe('handOverRoom', () => {
  const handOver = (room: string, agentId: string) =>
    f.send('PUT', `/api/v1/admin/rooms/${room}/owner`, {
      admin: true,
      body: { agentId, reason: 'Its owner is gone.' },
    });
  const readAudit = async (): Promise<Json> =>
    (await f.ok('GET', '/api/v1/admin/audit', { admin: true }))[0];

  it('[owner.by-administrator] makes any agent the owner at once, and is audited', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const room = await f.createRoom(owner, visibility);
      const successor = await f.createAgent();
      await f.addMember(owner, room, successor);
      await propose(room, successor.id);
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${successor.id}`, { key: owner.key });
      const { body } = await handOver(room, successor.id);
      expect(body).toEqual({ id: room, createdAt: new Date(app.clock()).toISOString() });
      expect(await read(room, successor.key)).toMatchObject({
        ownerId: successor.id,
        role: 'owner',
        memberCount: 2,
        proposedOwnerId: null,
      });
      expect(await readAudit()).toMatchObject({
        action: 'room.handed-over',
        targetType: 'room',
        targetId: room,
        reason: 'Its owner is gone.',
        facts: { ownerId: successor.id, formerOwnerId: owner.id, repeated: false },
      });
      expect((await handOver(room, successor.id)).status).toBe(200);
      expect((await readAudit()).facts.repeated).toBe(true);
      expect(await propose(room, owner.id, successor)).toBe('200');
    }
  });

  it('[owner.by-administrator] refuses blocked and unknown agents and rooms', async () => {
    const room = await f.createRoom(owner);
    const blocked = await f.createAgent();
    await block(blocked);
    const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
    expect((await handOver(room, blocked.id)).body.code).toBe('state_conflict');
    expect((await handOver(room, nowhere)).body.code).toBe('not_found');
    expect((await handOver(nowhere, owner.id)).body.code).toBe('not_found');
    expect((await read(room)).ownerId).toBe(owner.id);
  });
});
