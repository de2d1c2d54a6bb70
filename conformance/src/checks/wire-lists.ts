import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMatch,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { createRoom, startThreadIn } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const LIMITS = '`offset` (int32 >= 0, default 0) and `limit` (1..100, default 50)';
const BEYOND = 'An offset beyond the end is answered without a walk';
const BARE = 'The body is a bare array, as the spec says.';

const refusedQueries = [
  ['offset-negative', 'offset=-1', '/query/offset'],
  ['offset-int32', 'offset=2147483648', '/query/offset'],
  ['offset-word', 'offset=one', '/query/offset'],
  ['limit-zero', 'limit=0', '/query/limit'],
  ['limit-101', 'limit=101', '/query/limit'],
  ['limit-fraction', 'limit=1.5', '/query/limit'],
] as const;

const publicLists = ['/api/v1/rooms', '/api/v1/threads', '/api/v1/agents'];

const getLastName = (path: string): string => path.split('/').at(-1) ?? '';

/** A room with three threads of its own, oldest first. */
const getListedRoom = (world: World) =>
  world.share('room with three threads', async () => {
    const room = await createRoom(world, 'public');
    const ids: string[] = [];
    for (const title of ['One', 'Two', 'Three'])
      ids.push((await startThreadIn(world, room, { title })).id);
    return { ...room, threads: ids };
  });

const listIds = (rows: readonly Json[]) => rows.map(({ id }) => id);

/** The address of the next page that a `Link` names, or null. */
const findNext = (link: string | null): string | null =>
  /<([^>]+)>;\s*rel="?next"?/.exec(link ?? '')?.[1] ?? null;

export const wireLists = buildArea('lists', 'core 1', [
  ...refusedQueries.map(([name, query, pointer]) =>
    check(name, LIMITS, async (w) => {
      expectProblem(await w.get(`/api/v1/rooms?${query}`), 400, 'invalid_request', pointer);
    }),
  ),
  check('limit-100', LIMITS, async (w) => {
    expectOk(await w.get('/api/v1/rooms?limit=100&offset=0'));
  }),
  check('limit-holds', LIMITS, async (w) => {
    const room = await getListedRoom(w);
    const rows = await w.read(`/api/v1/threads?roomId=${room.id}&limit=2`);
    expectEqual(rows.length, 2, 'the number of rows');
  }),
  check('default', LIMITS, async (w) => {
    const rows = await w.read('/api/v1/agents');
    expectThat(rows.length <= 50, `expected at most 50 rows, received ${rows.length}`);
  }),
  ...publicLists.map((path) =>
    check(`bare-${getLastName(path)}`, BARE, async (w) => {
      const answer = await w.get(path);
      expectThat(Array.isArray(expectOk(answer)), 'expected a bare array', answer);
    }),
  ),
  ...publicLists.map((path) =>
    check(`beyond-${getLastName(path)}`, BEYOND, async (w) => {
      const answer = await w.get(`${path}?offset=2000000000`);
      expectEqual(expectOk(answer), [], 'the page', answer);
    }),
  ),
  check('newest-first', 'Order: newest first by `createdAt`, then `id`', async (w) => {
    const room = await getListedRoom(w);
    const rows = await w.read(`/api/v1/threads?roomId=${room.id}`);
    expectEqual(listIds(rows), room.threads.toReversed(), 'the order of threads');
  }),
  check('offset', LIMITS, async (w) => {
    const room = await getListedRoom(w);
    const rows = await w.read(`/api/v1/threads?roomId=${room.id}&offset=1&limit=1`);
    expectEqual(listIds(rows), [room.threads[1]], 'the second page');
  }),
  check('link', 'an RFC 8288 `Link: <...>; rel="next"` while more remains', async (w) => {
    const room = await getListedRoom(w);
    const first = await w.get(`/api/v1/threads?roomId=${room.id}&limit=2`);
    expectOk(first);
    const next = findNext(first.headers.get('link'));
    expectMatch(next, /./, 'the next page', first);
    const { pathname, search } = new URL(next ?? '', w.ground.base);
    const second = await w.get(`${pathname}${search}`);
    expectEqual(listIds(expectOk(second)), [room.threads[0]], 'the next page', second);
    expectEqual(findNext(second.headers.get('link')), null, 'what follows the end', second);
  }),
  check('before', '`before`, the `id` of the last row seen', async (w) => {
    const room = await getListedRoom(w);
    const rows = await w.read(`/api/v1/threads?roomId=${room.id}&before=${room.threads[1]}`);
    expectEqual(listIds(rows), [room.threads[0]], 'the page before');
  }),
  check('hidden', 'A list never shows what its reader may not know exists.', async (w) => {
    const hidden = await createRoom(w, 'private');
    const stranger = await getAgent(w, 'stranger');
    for (const as of [undefined, stranger]) {
      const rooms = await w.read('/api/v1/rooms?limit=100', as ? { as } : {});
      expectThat(!listIds(rooms).includes(hidden.id), 'expected no private room in the list');
    }
    const own = await w.read('/api/v1/rooms?limit=100&mine=true', { as: hidden.owner });
    expectThat(listIds(own).includes(hidden.id), 'expected the owner to see its room');
  }),
  check('messages', 'Oldest first. `offset` is a position in the thread', async (w) => {
    const room = await getListedRoom(w);
    const thread = await startThreadIn(w, room);
    for (const body of ['1', '2', '3'])
      await w.make(`/api/v1/threads/${thread.id}/messages`, { body }, thread.owner);
    const path = `/api/v1/threads/${thread.id}/messages?offset=1&limit=2`;
    const { messages, offset, total, nextOffset } = await w.read(path);
    expectEqual(
      { bodies: messages.map(({ body }: Json) => body), offset, total, nextOffset },
      { bodies: ['1', '2'], offset: 1, total: 4, nextOffset: 3 },
      'the page of messages',
    );
  }),
]);
