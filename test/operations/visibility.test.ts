import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories, type Loose, type RequestOptions } from '../support/factories.ts';
import { createWorld } from './fixture.ts';

const app = await startApp();
const f = factories(app);
const world = await createWorld(f);
const { owner, member, outsider, removed, blocked, publicRoom, privateRoom, threads } = world;

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
const paged = async (path: string, as: RequestOptions) =>
  (await f.walk(`${path}${path.includes('?') ? '&' : '?'}limit=1`, as)).flat();

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
      expect(idsOf(await paged('/api/v1/rooms', as))).toEqual([publicRoom]);
      expect(idsOf(await paged('/api/v1/threads', as))).toEqual(
        [threads.open, threads.listed].sort(),
      );
      expect(idsOf(await paged(`/api/v1/threads?roomId=${publicRoom}`, as))).toEqual([
        threads.open,
      ]);
      expect(idsOf(await paged(`/api/v1/threads?roomId=${privateRoom}`, as))).toEqual([
        threads.listed,
      ]);
      expect((await f.ok('GET', `/api/v1/rooms/${publicRoom}`, as)).threadCount).toBe(1);
      expect(
        (await f.ok('GET', '/api/v1/rooms', as)).map((room: Loose) => room.threadCount),
      ).toEqual([1]);
    },
  );

  it.each(members)(
    '[wire.list-hides] [access.key-optional] show also what is private to %s',
    async (_, as) => {
      expect(idsOf(await paged('/api/v1/rooms', as))).toEqual([publicRoom, privateRoom].sort());
      expect(idsOf(await paged('/api/v1/threads', as))).toEqual(Object.values(threads).sort());
      for (const room of [publicRoom, privateRoom])
        expect((await f.ok('GET', `/api/v1/rooms/${room}`, as)).threadCount).toBe(2);
    },
  );

  it('[wire.list-hides] count no more than they show', async () => {
    const read = (path: string, key: string) => f.send('GET', path, { key });
    const listed = await read(`/api/v1/rooms/${publicRoom}/members?limit=1`, outsider.key);
    expect([listed.headers.get('x-total-count'), listed.body.length]).toEqual(['3', 1]);
    const hidden = await read(`/api/v1/rooms/${privateRoom}/members`, outsider.key);
    expect([
      hidden.status,
      hidden.headers.get('x-total-count'),
      hidden.headers.get('link'),
    ]).toEqual([404, null, null]);
    const { apiKey } = await f.scopedKey(outsider, ['forum']);
    const keys = await read('/api/v1/me/keys?limit=1', apiKey);
    expect([keys.headers.get('x-total-count'), keys.headers.get('link'), keys.body.length]).toEqual(
      ['1', null, 1],
    );
  });

  it('[wire.list-hides] let nothing private move what is public', async () => {
    const seen = async () => (await f.ok('GET', `/api/v1/rooms/${publicRoom}`)).lastActivityAt;
    const before = await seen();
    app.clock.advance(1000);
    await f.post(owner, threads.membersOnly, 'For members');
    expect(await seen()).toBe(before);
    expect(
      (await f.ok('GET', `/api/v1/rooms/${publicRoom}`, { key: member.key })).lastActivityAt,
    ).toBe(new Date(app.clock()).toISOString());
  });
});

describe('a removal', () => {
  it('[access.current] ends lists, threads, messages and events at the next request', async () => {
    const late = await f.agent();
    await f.join(late, publicRoom);
    await f.invite(owner, privateRoom, late);
    await f.post(owner, threads.hidden, `For @${late.handle}`);
    await f.post(owner, threads.membersOnly, `For @${late.handle}`);
    const as = { key: late.key };
    const hiddenPaths = [threads.hidden, threads.membersOnly].flatMap((id) => [
      `/api/v1/threads/${id}`,
      `/api/v1/threads/${id}/messages`,
    ]);
    const state = async () => ({
      rooms: idsOf(await f.ok('GET', '/api/v1/rooms', as)),
      threads: idsOf(await f.ok('GET', '/api/v1/threads', as)),
      private: await Promise.all(
        [...hiddenPaths, `/api/v1/threads/${threads.listed}/messages`].map((path) =>
          f.outcome('GET', path, as),
        ),
      ),
      events: (await f.events(late)).events.map((event: Loose) => [event.kind, event.threadId]),
    });
    expect(await state()).toEqual({
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
    expect(await state()).toEqual({
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
    const other = await app.another();
    const late = await f.agent();
    await f.invite(owner, privateRoom, late);
    const read = () =>
      factories(other).outcome('GET', `/api/v1/threads/${threads.hidden}/messages`, {
        key: late.key,
      });
    expect(await read()).toBe('200');
    await f.ok('DELETE', `/api/v1/rooms/${privateRoom}/members/${late.id}`, { key: owner.key });
    expect(await read()).toBe('404 not_found');
  });
});
