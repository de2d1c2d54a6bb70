import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);

const invite = (owner: TestAgent, room: string): Promise<Json> =>
  f.ok('POST', `/api/v1/rooms/${room}/invitations`, {
    key: owner.key,
    body: { expiresInSeconds: 2_592_000 },
  });
const accept = (who: TestAgent, token: string) =>
  f.send('POST', '/api/v1/invitations/accept', { key: who.key, body: { token } });
const acceptNamed = (who: TestAgent, id: string) =>
  f.send('POST', `/api/v1/invitations/${id}/accept`, { key: who.key });
const block = (who: TestAgent, blocked: boolean) =>
  f.ok('PUT', `/api/v1/admin/agents/${who.id}/block`, { admin: true, body: { blocked } });
const handOver = (room: string, to: TestAgent) =>
  f.ok('PUT', `/api/v1/admin/rooms/${room}/owner`, {
    admin: true,
    body: { agentId: to.id, reason: 'Its owner is blocked.' },
  });
const propose = async (room: string, owner: TestAgent, to: TestAgent) => {
  const path = `/api/v1/rooms/${room}/owner`;
  await f.ok('PUT', path, { key: owner.key, body: { agentId: to.id } });
  await f.ok('POST', `${path}/accept`, { key: to.key });
};
const listOpen = async (owner: TestAgent, room: string): Promise<string[]> => {
  const rows = await f.ok('GET', `/api/v1/rooms/${room}/invitations`, { key: owner.key });
  return rows.map(({ id }: Json) => id);
};
const revoked = buildProblem(410, 'gone', { reason: 'revoked' });

async function setUp() {
  const [owner, heir, guest] = await Promise.all([1, 2, 3].map(() => f.createAgent()));
  if (!owner || !heir || !guest) throw new Error('There are three agents.');
  const room = await f.createRoom(owner, 'private');
  await f.addMember(owner, room, heir);
  return { owner, heir, guest, room };
}

it('[attack.6-2] an owner that was blocked and replaced lets nobody in', async () => {
  const { owner, heir, guest, room } = await setUp();
  const { token } = await invite(owner, room);
  await block(owner, true);
  expect(await accept(guest, token)).toMatchObject(revoked);
  await handOver(room, heir);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${owner.id}`, { key: heir.key });
  expect(await accept(guest, token)).toMatchObject(revoked);
  expect(await f.sendForOutcome('GET', `/api/v1/rooms/${room}`, { key: guest.key })).toBe(
    '404 not_found',
  );
});

it('[attack.6-2] a room that is handed over and back has no invitation from before', async () => {
  const { owner, heir, guest, room } = await setUp();
  const { token } = await invite(owner, room);
  const named = await f.inviteByName(owner, room, guest);
  await propose(room, owner, heir);
  const listMine = () => f.ok('GET', '/api/v1/me/invitations', { key: guest.key });
  expect([await listOpen(heir, room), await listMine()]).toEqual([[], []]);
  // Nothing stands in the way of an invitation of the new owner.
  const { id } = await f.inviteByName(heir, room, guest);
  await propose(room, heir, owner);
  expect([await listOpen(owner, room), await listMine()]).toEqual([[], []]);
  for (const old of [named.id, id]) expect(await acceptNamed(guest, old)).toMatchObject(revoked);
  expect(await accept(guest, token)).toMatchObject(revoked);
});

it('[attack.6-2] invitations of a blocked owner count again when it is unblocked', async () => {
  const { owner, guest, room } = await setUp();
  const { id, token } = await invite(owner, room);
  const named = await f.inviteByName(owner, room, guest);
  const listMine = () => f.ok('GET', '/api/v1/me/invitations', { key: guest.key });
  await block(owner, true);
  expect(await listMine()).toEqual([]);
  expect(await acceptNamed(guest, named.id)).toMatchObject(revoked);
  await block(owner, false);
  expect(await listMine()).toMatchObject([{ id: named.id }]);
  expect(await listOpen(owner, room)).toEqual([named.id, id]);
  expect((await accept(guest, token)).status).toBe(200);
});

it('[attack.6-2] a recovery revokes what somebody else made with the old key', async () => {
  const { owner, heir, guest, room } = await setUp();
  const made = await runConcurrently(4, () => invite(owner, room));
  const later = runConcurrently(8, () =>
    f.send('POST', `/api/v1/rooms/${room}/invitations`, { key: owner.key }),
  );
  const recovered = await f.ok('POST', `/api/v1/admin/agents/${owner.id}/recovery`, {
    admin: true,
    body: { reason: 'Somebody else has the key.' },
  });
  const meanwhile = (await later).filter(({ status }) => status === 200);
  const back = { ...owner, key: recovered.apiKey };
  expect(await listOpen(back, room)).toEqual([]);
  for (const { token } of [...made, ...meanwhile.map(({ body }) => body as Json)])
    expect(await accept(guest, token)).toMatchObject(revoked);
  const fresh = await invite(back, room);
  expect((await accept(guest, fresh.token)).status).toBe(200);
  expect(await f.sendForOutcome('GET', `/api/v1/rooms/${room}`, { key: heir.key })).toBe('200');
});

it('[attack.6-2] an invitation of a former owner from before does not count', async () => {
  const { owner, heir, guest, room } = await setUp();
  const { id, token } = await invite(owner, room);
  await propose(room, owner, heir);
  await app.app.env.db.run(sql`UPDATE invitations SET revoked_at = NULL WHERE id = ${id}`);
  expect(await listOpen(heir, room)).toEqual([]);
  expect(await accept(guest, token)).toMatchObject(revoked);
});
