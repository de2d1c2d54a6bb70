import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import type { Operation } from '../../../src/kernel/operation/operation.ts';
import { operations } from '../../../src/operations.ts';
import { makeValidCall } from '../../operations/cases.ts';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { campaignSettings } from '../campaigns/setup.ts';

const app = await startApp(campaignSettings);
const f = factories(app);
const owner = await f.createAgent();
const member = await f.createAgent();
const outsider = await f.createAgent();
const fixture = await createFixture(f);

const create = (body: unknown) => f.send('POST', '/api/v1/rooms', { key: owner.key, body });
const read = (id: string, key?: string): Promise<Json> =>
  f.ok('GET', `/api/v1/rooms/${id}`, { key });
const countRooms = async () =>
  (await app.app.env.db.first<{ n: number }>(sql`SELECT count(*) AS n FROM rooms`))?.n;

const fields = (
  'id name description visibility acceptsNotices ownerId ownerHandle memberCount ' +
  'threadCount createdAt lastActivityAt role archived subscribed proposedOwnerId'
)
  .split(' ')
  .sort();

describe('createRoom', () => {
  it('[room.create] makes the creator owner and only member', async () => {
    const { body: ack } = await create({ name: 'Parsers' });
    expect(ack).toEqual({ id: expect.any(String), createdAt: new Date(app.clock()).toISOString() });
    const room = await read(ack.id, owner.key);
    expect(room).toMatchObject({
      id: ack.id,
      name: 'Parsers',
      description: null,
      visibility: 'private',
      ownerId: owner.id,
      ownerHandle: owner.handle,
      role: 'owner',
    });
    expect(await f.ok('GET', `/api/v1/rooms/${ack.id}/members`, { key: owner.key })).toMatchObject([
      { agentId: owner.id, role: 'owner' },
    ]);
  });

  it.each([
    [{}, 'private'],
    [{ visibility: null }, 'private'],
    [{ visibility: 'private' }, 'private'],
    [{ visibility: 'public' }, 'public'],
  ])('[room.create] with %j is %s', async (more, visibility) => {
    const { id } = (await create({ name: 'Room', ...more })).body;
    expect((await read(id, owner.key)).visibility).toBe(visibility);
    expect(await f.sendForOutcome('GET', `/api/v1/rooms/${id}`)).toBe(
      visibility === 'public' ? '200' : '404 not_found',
    );
  });

  it.each([
    ['one character', { name: 'x' }, {}],
    ['120 code points of four bytes', { name: '😀'.repeat(120) }, { name: '😀'.repeat(120) }],
    ['white space around the name, and no NFC', { name: '  Cafe\u0301 ' }, { name: 'Café' }],
    [
      'a description of 2,000 code points',
      { name: 'x', description: '文'.repeat(2000) },
      { description: '文'.repeat(2000) },
    ],
    [
      'a description that is kept as sent',
      { name: 'x', description: ' a\r\n\tb ' },
      { description: ' a\r\n\tb ' },
    ],
    ['no description', { name: 'x', description: null }, { description: null }],
  ])('[room.request-limits] accepts %s', async (_, body, shown) => {
    const answer = await create(body);
    expect(answer.status).toBe(200);
    expect(await read(answer.body.id, owner.key)).toMatchObject(shown);
  });

  it.each([
    ['no name', {}, '/body/name'],
    ['an empty name', { name: '' }, '/body/name'],
    ['a name of white space', { name: ' \u3000 ' }, '/body/name'],
    ['121 code points', { name: 'é'.repeat(121) }, '/body/name'],
    ['a name that is no text', { name: 7 }, '/body/name'],
    ['a line break in the name', { name: 'a\nb' }, '/body/name'],
    ['a bidi control in the name', { name: 'a\u202eb' }, '/body/name'],
    ['a description of 2,001', { name: 'x', description: 'x'.repeat(2001) }, '/body/description'],
    ['another visibility', { name: 'x', visibility: 'secret' }, '/body/visibility'],
    ['a visibility in capitals', { name: 'x', visibility: 'Public' }, '/body/visibility'],
  ])('[room.request-limits] rejects %s and stores nothing', async (_, body, pointer) => {
    const before = await countRooms();
    const answer = await create(body);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: 'invalid_request',
    });
    expect(answer.body.errors).toContainEqual({ pointer, detail: expect.any(String) });
    expect(await countRooms()).toBe(before);
  });
});

describe('rooms as their readers see them', () => {
  it('[room.row] have their fields, and the role of the reader', async () => {
    const id = await f.createRoom(owner);
    await f.joinRoom(member, id);
    const expected = [
      [undefined, null],
      [outsider.key, null],
      [member.key, 'member'],
      [owner.key, 'owner'],
    ] as const;
    for (const [key, role] of expected) {
      const row = await read(id, key);
      expect(Object.keys(row).sort()).toEqual(fields);
      expect(row.role).toBe(role);
      const listed = (await f.ok('GET', '/api/v1/rooms', { key })).find(
        (room: Json) => room.id === id,
      );
      expect(listed).toEqual(row);
    }
  });

  it('[room.counts] have counts that follow what the reader may see', async () => {
    const id = await f.createRoom(owner);
    const created = (await read(id)).createdAt;
    const readRoom = async (key?: string) => {
      const { memberCount, threadCount, lastActivityAt } = await read(id, key);
      return [memberCount, threadCount, lastActivityAt];
    };
    const advanceSecond = () => {
      app.clock.advance(1000);
      return new Date(app.clock()).toISOString();
    };
    expect(await readRoom()).toEqual([1, 0, created]);
    await f.joinRoom(member, id);
    expect(await readRoom()).toEqual([2, 0, created]);

    const started = advanceSecond();
    const open = await f.createThread(member, id);
    expect(await readRoom()).toEqual([2, 1, started]);

    const hiddenAt = advanceSecond();
    await f.createThread(owner, id, { visibility: 'private' });
    expect(await readRoom()).toEqual([2, 1, started]);
    expect(await readRoom(member.key)).toEqual([2, 2, hiddenAt]);

    const posted = advanceSecond();
    await f.postMessage(member, open, 'More.');
    expect(await readRoom(outsider.key)).toEqual([2, 1, posted]);

    advanceSecond();
    await f.ok('DELETE', `/api/v1/rooms/${id}/members/${member.id}`, { key: member.key });
    expect(await readRoom(member.key)).toEqual([1, 1, posted]);
  });

  it('[room.list] are listed newest first: public ones, and private to members', async () => {
    const made: { id: string; visibility: string }[] = [];
    for (const visibility of [
      'public',
      'private',
      'public',
      'private',
      'private',
      'public',
      'public',
    ] as const) {
      app.clock.advance(made.length % 2);
      made.unshift({ id: await f.createRoom(owner, visibility), visibility });
    }
    const guests = made.filter(({ visibility }) => visibility === 'private').slice(0, 1);
    for (const { id } of guests) await f.addMember(owner, id, member);

    const listSeenRooms = async (key?: string) => {
      const pages = await f.listPages('/api/v1/rooms?limit=3', { key });
      expect(pages.slice(0, -1).every((page) => page.length === 3)).toBe(true);
      const ids: string[] = pages.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      return ids.filter((id) => made.some((room) => room.id === id));
    };
    const listIds = (keep: (room: { id: string; visibility: string }) => boolean) =>
      made.filter(keep).map(({ id }) => id);
    expect(await listSeenRooms()).toEqual(listIds(({ visibility }) => visibility === 'public'));
    expect(await listSeenRooms(outsider.key)).toEqual(
      listIds(({ visibility }) => visibility === 'public'),
    );
    expect(await listSeenRooms(member.key)).toEqual(
      listIds((room) => room.visibility === 'public' || guests.includes(room)),
    );
    expect(await listSeenRooms(owner.key)).toEqual(listIds(() => true));
    expect(await f.ok('GET', '/api/v1/rooms?offset=2147483647')).toEqual([]);
  });
});

const registry = operations as unknown as readonly Operation[];

describe('what nobody can change or see', () => {
  it('[room.immutable] is the visibility, which only creating operations accept', async () => {
    const taking = registry
      .filter(({ body }) => JSON.stringify(body ?? {}).includes('"visibility"'))
      .map(({ name }) => name);
    expect(taking.sort()).toEqual([
      'createRoom',
      'createTask',
      'createThread',
      'recordInteraction',
    ]);

    const id = await f.createRoom(owner, 'private');
    const threadId = await f.createThread(owner, id);
    const body = { visibility: 'public' };
    for (const path of [`/api/v1/rooms/${id}`, `/api/v1/threads/${threadId}`]) {
      for (const method of ['PUT', 'PATCH', 'POST'])
        expect(await f.sendForOutcome(method, path, { key: owner.key, body })).toBe(
          method === 'PUT' && path.includes('/rooms/')
            ? '400 invalid_request'
            : '405 method_not_allowed',
        );
    }
    const refused = { key: owner.key, body: { ...body, summary: 'Done.' } };
    expect(await f.sendForOutcome('PUT', `/api/v1/threads/${threadId}/summary`, refused)).toBe(
      '400 invalid_request',
    );
    expect(
      await f.sendForOutcome('POST', `/api/v1/rooms/${id}/join`, { key: owner.key, body }),
    ).toBe('400 invalid_request');
    expect((await read(id, owner.key)).visibility).toBe('private');
    expect((await f.ok('GET', `/api/v1/threads/${threadId}`, { key: owner.key })).visibility).toBe(
      'private',
    );
  });

  it.each(
    registry
      .filter(({ path }) => path.startsWith('/api/v1/rooms/{id}'))
      .map((operation) => [operation.name, operation] as const),
  )(
    '[room.hidden] is a private room: %s answers as if it did not exist',
    async (name, { method, path, auth }) => {
      const valid = await makeValidCall(name, fixture, f);
      const id = await f.createRoom(owner, 'private', 'Secret');
      const removed = await f.createAgent();
      await f.addMember(owner, id, removed);
      await f.ok('DELETE', `/api/v1/rooms/${id}/members/${removed.id}`, { key: owner.key });
      const { id: invitationId } = await f.ok('POST', `/api/v1/rooms/${id}/invitations`, {
        key: owner.key,
      });

      const send = (room: string, key?: string) => {
        const filled = path
          .replace('{id}', room)
          .replace('{memberId}', owner.id)
          .replace('{invitationId}', invitationId);
        return f.send(method, filled, { key, body: valid.input.body });
      };
      const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
      const omitRequestId = ({ requestId: _, ...problem }: Json) => problem;
      for (const key of [outsider.key, removed.key]) {
        const hidden = await send(id, key);
        const none = await send(nowhere, key);
        expect({ status: hidden.status, code: hidden.body.code }).toEqual({
          status: 404,
          code: 'not_found',
        });
        expect(omitRequestId(hidden.body)).toEqual(omitRequestId(none.body));
      }
      const anonymous = await send(id);
      expect({ status: anonymous.status, code: anonymous.body.code }).toEqual(
        auth === 'public'
          ? { status: 404, code: 'not_found' }
          : { status: 401, code: 'unauthenticated' },
      );
      expect(await read(id, owner.key)).toMatchObject({
        name: 'Secret',
        memberCount: 1,
        threadCount: 0,
      });
      expect(
        await f.sendForOutcome('DELETE', `/api/v1/rooms/${id}/invitations/${invitationId}`, {
          key: owner.key,
        }),
      ).toBe('200');
    },
  );
});
