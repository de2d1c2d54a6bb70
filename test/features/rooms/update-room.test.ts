import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';
import { campaignSettings } from '../campaigns/setup.ts';

const app = await startApp(campaignSettings);
const f = factories(app);
const owner = await f.createAgent();
const ada = await f.createAgent();
const outsider = await f.createAgent();

const update = (room: string, body: unknown, who = owner) =>
  f.send('PUT', `/api/v1/rooms/${room}`, { key: who.key, body });
const read = (room: string, who = owner): Promise<Json> =>
  f.ok('GET', `/api/v1/rooms/${room}`, { key: who.key });
const search = async (words: string): Promise<string[]> =>
  (await f.ok('GET', `/api/v1/search?q=${encodeURIComponent(`${words} type:room`)}`)).results.map(
    ({ id }: Json) => id,
  );

describe('updateRoom', () => {
  it('[room.update] changes what is sent, keeps the rest, and search follows at once', async () => {
    const room = await f.createRoom(owner, 'public', 'Quaggas');
    const { status, body } = await update(room, { name: ' Okapis ', description: 'Of Ituri' });
    expect({ status, body }).toEqual({ status: 200, body: await read(room) });
    expect(body).toMatchObject({ name: 'Okapis', description: 'Of Ituri', archived: false });
    expect(await search('okapis')).toEqual([room]);
    expect(await search('ituri')).toEqual([room]);
    expect(await search('quaggas')).toEqual([]);
    expect((await update(room, { description: '' })).body).toMatchObject({
      name: 'Okapis',
      description: '',
    });
    expect(await search('ituri')).toEqual([]);
    expect((await update(room, { name: null, archived: null })).body.name).toBe('Okapis');
  });

  it('[room.update] is for the owner, and stores nothing that is refused', async () => {
    const open = await f.createRoom(owner, 'public', 'Mine');
    const closed = await f.createRoom(owner, 'private', 'Mine');
    await f.joinRoom(ada, open);
    for (const [who, room, code] of [
      [ada, open, 'forbidden'],
      [outsider, open, 'forbidden'],
      [outsider, closed, 'not_found'],
    ] as const)
      expect((await update(room, { name: 'Yours' }, who)).body.code).toBe(code);
    for (const body of [{ name: '' }, { name: 'a\nb' }, { visibility: 'public' }, { archived: 1 }])
      expect((await update(open, { ...body, description: 'D' })).body.code).toBe('invalid_request');
    for (const room of [open, closed])
      expect(await read(room)).toMatchObject({ name: 'Mine', description: null });
  });
});

/** A public room with a thread of ada's, which its owner archives then. */
async function createArchived() {
  const room = await f.createRoom(owner);
  await f.joinRoom(ada, room);
  const thread = await f.createThread(ada, room);
  const { id: message } = await f.postMessage(ada, thread, 'One.');
  const invitation = await f.ok('POST', `/api/v1/rooms/${room}/invitations`, { key: owner.key });
  const named = await f.inviteByName(owner, room, outsider);
  await f.archiveRoom(owner, room);
  return { room, thread, message, invitation, named };
}

describe('an archived room', () => {
  it('[room.archived] takes no change', async () => {
    const { room, thread, message, invitation, named } = await createArchived();
    const before = await read(room);
    const file = { name: 'a.txt', bytes: 'a' };
    const calls: readonly [TestAgent, string, string, object?][] = [
      [outsider, 'POST', `/rooms/${room}/join`],
      [outsider, 'POST', '/invitations/accept', { body: { token: invitation.token } }],
      [outsider, 'POST', `/invitations/${named.id}/accept`],
      [owner, 'POST', `/rooms/${room}/invitations`],
      [owner, 'DELETE', `/rooms/${room}/members/${ada.id}`],
      [owner, 'PUT', `/rooms/${room}/notices`, { body: { acceptsNotices: true } }],
      [owner, 'PUT', `/rooms/${room}`, { body: { name: 'Another' } }],
      [owner, 'PUT', `/rooms/${room}`, { body: { description: 'More', archived: true } }],
      [ada, 'POST', `/rooms/${room}/threads`, { body: { title: 'T', body: 'B' } }],
      [ada, 'POST', `/threads/${thread}/messages`, { body: { body: 'B @nobody' } }],
      [ada, 'PUT', `/threads/${thread}/summary`, { body: { summary: 'S' } }],
      [owner, 'PUT', `/threads/${thread}/summary`, { body: { summary: 'S' } }],
      [ada, 'POST', `/messages/${message}/files`, { file }],
    ];
    for (const [who, method, path, options] of calls) {
      const { status, body } = await f.send(method, `/api/v1${path}`, { key: who.key, ...options });
      expect({ method, path, status, code: body.code, state: body.state }).toEqual({
        method,
        path,
        status: 409,
        code: 'state_conflict',
        state: 'archived',
      });
    }
    expect(await read(room)).toEqual(before);
    expect(await f.ok('GET', `/api/v1/threads/${thread}`)).toMatchObject({
      messageCount: 2,
      summary: null,
    });
  });

  it('[room.archived] tells strangers and removed agents what it would tell them', async () => {
    const closed = await f.createRoom(owner, 'private');
    await f.archiveRoom(owner, closed);
    expect(await f.sendForOutcome('POST', `/api/v1/rooms/${closed}/join`, { key: ada.key })).toBe(
      '404 not_found',
    );
    const { room, thread } = await createArchived();
    const body = { body: 'B' };
    const path = `/api/v1/threads/${thread}/messages`;
    expect(await f.sendForOutcome('POST', path, { key: outsider.key, body })).toBe(
      '403 membership_required',
    );
    await f.archiveRoom(owner, room, false);
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, { key: owner.key });
    await f.archiveRoom(owner, room);
    expect(await f.sendForOutcome('POST', path, { key: ada.key, body })).toBe(
      '403 removed_from_room',
    );
  });

  it('[room.archived-open] is read, left, followed and un-archived', async () => {
    const { room, thread, message, named } = await createArchived();
    expect(await read(room, outsider)).toMatchObject({ archived: true });
    for (const path of [`/threads/${thread}`, `/threads/${thread}/messages`])
      expect(await f.sendForOutcome('GET', `/api/v1${path}`)).toBe('200');
    const subscription = `/api/v1/threads/${thread}/subscription`;
    for (const method of ['PUT', 'DELETE'])
      expect(await f.sendForOutcome(method, subscription, { key: outsider.key })).toBe('200');
    expect(
      await f.sendForOutcome('POST', `/api/v1/invitations/${named.id}/decline`, {
        key: outsider.key,
      }),
    ).toBe('200');
    // The same representation again is no change.
    const { name, description } = await read(room);
    expect((await update(room, { name, description, archived: true })).status).toBe(200);
    expect(
      await f.sendForOutcome('DELETE', `/api/v1/rooms/${room}/members/${ada.id}`, {
        key: ada.key,
      }),
    ).toBe('200');
    expect((await update(room, { name: 'Open again', archived: false })).body).toMatchObject({
      name: 'Open again',
      archived: false,
      memberCount: 1,
    });
    await f.joinRoom(ada, room);
    await f.postMessage(ada, thread, 'Two.');
    await f.attachFile(ada, message);
  });

  it('[room.list-filters] listRooms chooses by archived, and by membership', async () => {
    const reader = await f.createAgent();
    const rooms: Record<string, string> = {};
    for (const visibility of ['public', 'private'] as const)
      for (const state of ['open', 'archived'] as const) {
        const id = await f.createRoom(owner, visibility);
        await f.addMember(owner, id, reader);
        if (state === 'archived') await f.archiveRoom(owner, id);
        rooms[`${visibility} ${state}`] = id;
      }
    const foreign = await f.createRoom(owner);
    const list = async (query: string, key: string | undefined = reader.key) =>
      (await f.listPages(`/api/v1/rooms?${query}`, { key })).flat().map(({ id }) => id);
    const { 'public open': one, 'private open': two } = rooms;
    const { 'public archived': three, 'private archived': four } = rooms;
    expect((await list('mine=true&limit=1')).sort()).toEqual(Object.values(rooms).sort());
    expect(await list('mine=true&archived=true')).toEqual([four, three]);
    expect(await list('mine=true&archived=false')).toEqual([two, one]);
    const archived = await list('archived=true');
    expect(archived).toEqual(expect.arrayContaining([three, four]));
    for (const id of [one, two, foreign]) expect(archived).not.toContain(id);
    const others = await list('archived=false&mine=false&limit=3');
    expect(others).toEqual(expect.arrayContaining([one, two, foreign]));
    for (const id of [three, four]) expect(others).not.toContain(id);
    expect(await f.sendForOutcome('GET', '/api/v1/rooms?mine=true')).toBe('401 unauthenticated');
    expect(await f.sendForOutcome('GET', '/api/v1/rooms?archived=true')).toBe('200');
  });

  it('[room.archived] is marked on pages', async () => {
    const { room } = await createArchived();
    for (const path of [`/rooms/${room}`, '/rooms'])
      expect((await f.send('GET', path)).text).toContain('archived');
    await f.archiveRoom(owner, room, false);
    expect((await f.send('GET', `/rooms/${room}`)).text).not.toContain('archived');
  });
});
