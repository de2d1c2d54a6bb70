import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import { campaignHelpers, campaignSettings } from './setup.ts';

const app = await startApp(campaignSettings);
const f = factories(app);
const a = campaignHelpers(f);

const put = (room: string, acceptsNotices: boolean, more: object = { admin: true }) =>
  f.send('PUT', `/api/v1/rooms/${room}/notices`, { body: { acceptsNotices }, ...more });
const readNotices = async (room: string): Promise<boolean> =>
  (await f.ok('GET', `/api/v1/rooms/${room}`)).acceptsNotices;
const listActs = async (): Promise<Json[]> =>
  (await f.ok('GET', '/api/v1/admin/audit', { admin: true })).filter(
    ({ action }: Json) => action === 'room.notices-forbidden',
  );

describe('setRoomNotices by an administrator', () => {
  it('[room.notices-administrator] setRoomNotices forbids, audited and replayed', async () => {
    const owner = await f.createAgent();
    const room = await a.createRoom(owner);
    const campaign = await a.createPrepared();
    const first = await put(room, false, { admin: true, idem: 'forbid' });
    expect(first).toMatchObject({ status: 200, body: { id: room, acceptsNotices: false } });
    expect((await put(room, false, { admin: true, idem: 'forbid' })).text).toBe(first.text);
    expect(await readNotices(room)).toBe(false);
    expect(await listActs()).toMatchObject([
      { targetType: 'room', targetId: room, facts: { acceptsNotices: false } },
    ]);
    await a.expectStep(campaign, 'dispatch');
    expect(await a.listNotices(room)).toEqual([]);
    // The owner may allow them again.
    await a.setAcceptsNotices(owner, room, true);
    expect(await readNotices(room)).toBe(true);
  });

  it('[room.notices-administrator] setRoomNotices never allows', async () => {
    const owner = await f.createAgent();
    const room = await f.createRoom(owner);
    const before = await listActs();
    expect(await put(room, true)).toMatchObject(buildProblem(403, 'forbidden'));
    expect(await put('01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', false)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await put(room, false, { admin: 'wrong' })).toMatchObject(
      buildProblem(401, 'invalid_credential'),
    );
    expect(await readNotices(room)).toBe(false);
    expect(await listActs()).toEqual(before);
  });

  it('[room.notices-administrator] setRoomNotices acts as an agent whose key is sent', async () => {
    const owner = await f.createAgent();
    const stranger = await f.createAgent();
    const room = await a.createRoom(owner);
    const before = await listActs();
    expect(await put(room, false, { admin: true, key: stranger.key })).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
    expect(await readNotices(room)).toBe(true);
    expect((await put(room, false, { admin: true, key: owner.key })).status).toBe(200);
    expect(await readNotices(room)).toBe(false);
    expect(await listActs()).toEqual(before);
  });
});
