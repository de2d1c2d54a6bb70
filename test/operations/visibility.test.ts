import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories, type Json, type RequestOptions } from '../support/factories.ts';
import { createFixture } from './fixture.ts';

const app = await startApp();
const f = factories(app);
const fixture = await createFixture(f);
const { owner, member, outsider, removed, blocked, publicRoom, privateRoom, threads } = fixture;

const listIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
const listAllPages = async (path: string, as: RequestOptions) =>
  (await f.listPages(`${path}${path.includes('?') ? '&' : '?'}limit=1`, as)).flat();

const strangers: readonly (readonly [string, RequestOptions])[] = [
  ['anonymous', {}],
  ['an outsider', { key: outsider.key }],
  ['a removed member', { key: removed.key }],
  ['a blocked member', { key: blocked.key }],
  ['an administrator', { admin: true }],
];
const members: readonly (readonly [string, RequestOptions])[] = [
  ['a member', { key: member.key }],
  ['the owner', { key: owner.key }],
];

describe('lists', () => {
  it.each(strangers)(
    '[wire.list-hides] [access.key-optional] show what is public to %s',
    async (_, as) => {
      expect(listIds(await listAllPages('/api/v1/rooms', as))).toEqual([publicRoom]);
      expect(listIds(await listAllPages('/api/v1/threads', as))).toEqual(
        [threads.open, threads.listed].sort(),
      );
      expect(listIds(await listAllPages(`/api/v1/threads?roomId=${publicRoom}`, as))).toEqual([
        threads.open,
      ]);
      expect(listIds(await listAllPages(`/api/v1/threads?roomId=${privateRoom}`, as))).toEqual([
        threads.listed,
      ]);
      expect((await f.ok('GET', `/api/v1/rooms/${publicRoom}`, as)).threadCount).toBe(1);
      expect(
        (await f.ok('GET', '/api/v1/rooms', as)).map((room: Json) => room.threadCount),
      ).toEqual([1]);
    },
  );

  it.each(members)(
    '[wire.list-hides] [access.key-optional] show also what is private to %s',
    async (_, as) => {
      expect(listIds(await listAllPages('/api/v1/rooms', as))).toEqual(
        [publicRoom, privateRoom].sort(),
      );
      expect(listIds(await listAllPages('/api/v1/threads', as))).toEqual(
        Object.values(threads).sort(),
      );
      for (const room of [publicRoom, privateRoom])
        expect((await f.ok('GET', `/api/v1/rooms/${room}`, as)).threadCount).toBe(2);
    },
  );

  it('[wire.list-hides] count no more than they show', async () => {
    const read = (path: string, key: string) => f.send('GET', path, { key });
    const listed = await read(`/api/v1/rooms/${publicRoom}/members?limit=1`, outsider.key);
    expect({ total: listed.headers.get('x-total-count'), length: listed.body.length }).toEqual({
      total: '3',
      length: 1,
    });
    const hidden = await read(`/api/v1/rooms/${privateRoom}/members`, outsider.key);
    expect({
      status: hidden.status,
      total: hidden.headers.get('x-total-count'),
      link: hidden.headers.get('link'),
    }).toEqual({ status: 404, total: null, link: null });
    const { apiKey } = await f.createScopedKey(outsider, ['forum']);
    const keys = await read('/api/v1/me/keys?limit=1', apiKey);
    expect({
      total: keys.headers.get('x-total-count'),
      link: keys.headers.get('link'),
      length: keys.body.length,
    }).toEqual({ total: '1', link: null, length: 1 });
  });

  it('[wire.list-hides] let nothing private move what is public', async () => {
    const getLastActivity = async () =>
      (await f.ok('GET', `/api/v1/rooms/${publicRoom}`)).lastActivityAt;
    const before = await getLastActivity();
    app.clock.advance(1000);
    await f.postMessage(owner, threads.membersOnly, 'For members');
    expect(await getLastActivity()).toBe(before);
    expect(
      (await f.ok('GET', `/api/v1/rooms/${publicRoom}`, { key: member.key })).lastActivityAt,
    ).toBe(new Date(app.clock()).toISOString());
  });
});

describe('a removal', () => {
  it('[access.current] ends lists, threads, messages and events at the next request', async () => {
    const late = await f.createAgent();
    await f.joinRoom(late, publicRoom);
    await f.addMember(owner, privateRoom, late);
    await f.postMessage(owner, threads.hidden, `For @${late.handle}`);
    await f.postMessage(owner, threads.membersOnly, `For @${late.handle}`);
    const as = { key: late.key };
    const hiddenPaths = [threads.hidden, threads.membersOnly].flatMap((id) => [
      `/api/v1/threads/${id}`,
      `/api/v1/threads/${id}/messages`,
    ]);
    const readState = async () => ({
      rooms: listIds(await f.ok('GET', '/api/v1/rooms', as)),
      threads: listIds(await f.ok('GET', '/api/v1/threads', as)),
      private: await Promise.all(
        [...hiddenPaths, `/api/v1/threads/${threads.listed}/messages`].map((path) =>
          f.sendForOutcome('GET', path, as),
        ),
      ),
      events: (await f.listEvents(late)).events.map((event: Json) => [event.kind, event.threadId]),
    });
    expect(await readState()).toEqual({
      rooms: [publicRoom, privateRoom].sort(),
      threads: Object.values(threads).sort(),
      private: ['200', '200', '200', '200', '200'],
      events: [
        ['mention', threads.hidden],
        ['mention', threads.membersOnly],
      ],
    });
    for (const room of [publicRoom, privateRoom])
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${late.id}`, { key: owner.key });
    expect(await readState()).toEqual({
      rooms: [publicRoom],
      threads: [threads.open, threads.listed].sort(),
      private: [
        '404 not_found',
        '404 not_found',
        '404 not_found',
        '404 not_found',
        '403 forbidden',
      ],
      events: [
        ['member_removed', null],
        ['member_removed', null],
      ],
    });
  });

  it('[access.current] ends them on another node too', async () => {
    const other = await app.startNode();
    const late = await f.createAgent();
    await f.addMember(owner, privateRoom, late);
    const read = () =>
      factories(other).sendForOutcome('GET', `/api/v1/threads/${threads.hidden}/messages`, {
        key: late.key,
      });
    expect(await read()).toBe('200');
    await f.ok('DELETE', `/api/v1/rooms/${privateRoom}/members/${late.id}`, { key: owner.key });
    expect(await read()).toBe('404 not_found');
  });
});
