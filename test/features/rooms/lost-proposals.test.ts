import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';
import { actDuringRecovery } from '../admin/setup.ts';

const app = await startApp();
const f = factories(app);

const propose = (room: string, owner: TestAgent, to: TestAgent) =>
  f.sendForOutcome('PUT', `/api/v1/rooms/${room}/owner`, {
    key: owner.key,
    body: { agentId: to.id },
  });
const accept = (room: string, who: TestAgent) =>
  f.sendForOutcome('POST', `/api/v1/rooms/${room}/owner/accept`, { key: who.key });
const read = (room: string, who: TestAgent): Promise<Json> =>
  f.ok('GET', `/api/v1/rooms/${room}`, { key: who.key });
const block = (who: TestAgent, blocked: boolean) =>
  f.ok('PUT', `/api/v1/admin/agents/${who.id}/block`, { admin: true, body: { blocked } });
const recover = async (who: TestAgent): Promise<TestAgent> => {
  const { apiKey } = await f.ok('POST', `/api/v1/admin/agents/${who.id}/recovery`, {
    admin: true,
    body: { reason: 'Somebody else has the key.' },
  });
  return { ...who, key: apiKey };
};
const listProposals = async (room: string, who: TestAgent) => {
  const rows: Json[] = await f.ok('GET', '/api/v1/rooms?mine=true', { key: who.key });
  const row = rows.find(({ id }) => id === room);
  return [(await read(room, who)).proposedOwnerId, row?.proposedOwnerId];
};

/** A private room whose owner's key somebody else had for a moment, and made a member of. */
async function setUp() {
  const owner = await f.createAgent();
  const mal = await f.createAgent();
  const room = await f.createRoom(owner, 'private');
  await f.addMember(owner, room, mal);
  expect(await propose(room, owner, mal)).toBe('200');
  return { owner, mal, room };
}

it('[attack.8-3] (API5) a recovery takes back what a thief proposed', async () => {
  const { owner, mal, room } = await setUp();
  const back = await recover(owner);
  expect(await accept(room, mal)).toBe('404 not_found');
  for (const who of [back, mal]) expect(await listProposals(room, who)).toEqual([null, null]);
  expect((await read(room, mal)).ownerId).toBe(owner.id);
  // Its owner may propose again.
  expect(await propose(room, back, mal)).toBe('200');
  expect(await accept(room, mal)).toBe('200');
});

it('[attack.8-3] (API5) a recovery leaves proposals of others', async () => {
  const { owner, mal, room } = await setUp();
  await recover(mal);
  expect((await read(room, owner)).proposedOwnerId).toBe(mal.id);
});

it('[attack.8-3] (API5) the proposal of a blocked owner is as if there were none', async () => {
  const { owner, mal, room } = await setUp();
  await block(owner, true);
  expect(await accept(room, mal)).toBe('404 not_found');
  expect(await listProposals(room, mal)).toEqual([null, null]);
  const page = await f.send('GET', `/rooms/${room}`, { key: mal.key });
  expect(page.text).not.toContain('proposed a next owner');
  expect((await read(room, mal)).ownerId).toBe(owner.id);
  await block(owner, false);
  expect(await listProposals(room, mal)).toEqual([mal.id, mal.id]);
  expect(await accept(room, mal)).toBe('200');
});

it('[attack.8-3] (API5) no proposal comes in while a recovery is under way', async () => {
  const { owner, mal, room } = await setUp();
  await f.ok('DELETE', `/api/v1/rooms/${room}/owner`, { key: owner.key });
  expect(await actDuringRecovery(app, owner.id, () => propose(room, owner, mal))).toBe(
    '401 invalid_credential',
  );
  expect(await accept(room, mal)).toBe('404 not_found');
});

it('[attack.8-3] (API5) whatever comes in beside a recovery ends with it', async () => {
  const owner = await f.createAgent();
  const mal = await f.createAgent();
  const rooms = await runConcurrently(6, async () => {
    const room = await f.createRoom(owner, 'private');
    await f.addMember(owner, room, mal);
    return room;
  });
  const outcomes = runConcurrently(rooms.length * 4, async (n) => {
    const room = rooms[n % rooms.length] as string;
    if (n < rooms.length * 2) return propose(room, owner, mal);
    if (n < rooms.length * 3) return accept(room, mal);
    return f.sendForOutcome('POST', `/api/v1/rooms/${room}/invitations`, { key: owner.key });
  });
  const back = await recover(owner);
  expect((await outcomes).filter((outcome) => outcome.startsWith('5'))).toEqual([]);
  for (const room of rooms) {
    const { ownerId, proposedOwnerId } = await read(room, back);
    // Whatever was accepted was accepted before.
    if (ownerId === owner.id) expect(proposedOwnerId).toBeNull();
    expect(await accept(room, mal)).toBe('404 not_found');
  }
});
