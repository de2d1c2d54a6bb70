import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectHeader,
  expectOk,
  expectProblem,
  expectThat,
  expectTime,
  expectUuidV7,
} from '../support/expectations.ts';
import { attachFile, getRoom, postMessage, startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const UUID_V7 = 'UUIDv7 for every new resource, so that ids sort by creation.';
const ANY_UUID = 'Any RFC 9562 UUID is accepted as input.';
const TIMES = 'ISO 8601 UTC with milliseconds and `Z`.';

/** Makes one resource of a kind; returns its id. */
const creations: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  agent: async (w) => (await getAgent(w, 'owner')).id,
  room: async (w) => (await getRoom(w, 'public')).id,
  thread: async (w) => (await startThread(w)).id,
  message: async (w) => (await startThread(w)).messageId,
  receipt: async (w) => (await startThread(w)).receiptId,
  file: async (w) => {
    const { messageId, owner } = await startThread(w);
    return (await attachFile(w, messageId, owner)).id;
  },
};

const foreignUuids = {
  v1: 'c232ab00-9414-11ec-b3c8-9f6bdeced846',
  v4: '919108f7-52d1-4320-9bac-f847db4148a8',
  v8: '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0',
  'upper-case': '919108F7-52D1-4320-9BAC-F847DB4148A8',
};

/** Nests a value in as many arrays. */
const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const listMemberNames = (value: Json): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, member]) => [
        ...(Array.isArray(value) ? [] : [name]),
        ...listMemberNames(member),
      ]);

export const wireJson = buildArea('json', 'core 1', [
  check('utf-8', 'UTF-8', async (w) => {
    const answer = await w.get('/api/v1/version');
    expectOk(answer);
    expectHeader(answer, 'content-type', /^application\/json(; ?charset=utf-8)?$/i);
  }),
  check('camel-case', 'camelCase', async (w) => {
    const names = listMemberNames(await w.read(`/api/v1/rooms/${(await getRoom(w, 'public')).id}`));
    expectThat(names.length > 5, 'expected a room to have members');
    const others = names.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name));
    expectEqual(others, [], 'the list of members in another case');
  }),
  check('nulls', 'Absent optional values are `null`, never missing, in responses.', async (w) => {
    const { id } = await getRoom(w, 'public');
    const answer = await w.get(`/api/v1/rooms/${id}`);
    const { description, role } = expectOk(answer);
    expectEqual({ description, role }, { description: null, role: null }, 'members', answer);
  }),
  check(
    'unknown-members',
    'Unknown members in a request body are an error that names them.',
    async (w) => {
      const body = { name: 'Kit', nmae: 'Kit' };
      const answer = await w.post('/api/v1/rooms', body, { as: await getAgent(w, 'owner') });
      expectProblem(answer, 400, 'invalid_request', '/body/nmae');
    },
  ),
  check('duplicates', 'Duplicate … is an error.', async (w) => {
    const answer = await w.send(
      { method: 'POST', path: '/api/v1/rooms', raw: '{"name":"One","name":"Two"}' },
      { as: await getAgent(w, 'owner'), headers: { 'content-type': 'application/json' } },
    );
    expectProblem(answer, 400, 'invalid_request');
  }),
  check('nesting', 'deep nesting (> 32) is an error', async (w) => {
    const send = (depth: number) =>
      w.send(
        { method: 'POST', path: '/api/v1/rooms', raw: `{"name":"Kit","other":${nest(depth)}}` },
        { as: ownerKey, headers: { 'content-type': 'application/json' } },
      );
    const ownerKey = (await getAgent(w, 'owner')).key;
    // Both are refused. Only the deep one is refused for its depth, before its members are named.
    expectProblem(await send(20), 400, 'invalid_request', '/body/other');
    const deep = await send(40);
    const { errors = [] } = expectProblem(deep, 400, 'invalid_request');
    const named = errors.some(({ pointer }: Json) => pointer === '/body/other');
    expectThat(!named, 'expected the depth to be refused, not the member', deep);
  }),
  ...Object.entries(creations).map(([kind, create]) =>
    check(`uuid-v7-${kind}`, UUID_V7, async (w) =>
      expectUuidV7(await create(w), `the id of a new ${kind}`),
    ),
  ),
  check('ids-sort', 'ids sort by creation', async (w) => {
    const { id, owner } = await startThread(w);
    const ids: string[] = [];
    for (const body of ['1', '2', '3', '4']) ids.push((await postMessage(w, id, owner, body)).id);
    expectEqual(ids.toSorted(), ids, 'the order of ids');
  }),
  ...Object.entries(foreignUuids).map(([name, id]) =>
    check(`any-uuid-${name}`, ANY_UUID, async (w) => {
      expectProblem(await w.get(`/api/v1/rooms/${id}`), 404, 'not_found');
    }),
  ),
  check(
    'bad-uuid',
    'bad UUID',
    async (w) => {
      const answer = await w.get('/api/v1/rooms/not-a-uuid');
      expectProblem(answer, 400, 'invalid_request', '/path/id');
    },
    { source: 'core 2' },
  ),
  ...['createdAt', 'lastActivityAt'].map((member) =>
    check(`time-room-${member.toLowerCase()}`, TIMES, async (w) => {
      const answer = await w.get(`/api/v1/rooms/${(await getRoom(w, 'public')).id}`);
      expectTime(expectOk(answer)[member], member, answer);
    }),
  ),
  check('time-message', TIMES, async (w) => {
    const { messageId } = await startThread(w);
    expectTime((await w.read(`/api/v1/messages/${messageId}`)).createdAt, 'createdAt');
  }),
  check('int64', 'Cursors and counts are JSON integers, never above 2^53-1.', async (w) => {
    const { key } = await getAgent(w, 'owner');
    const answer = await w.get('/api/v1/events?cursor=0', { as: key });
    const { nextCursor, unreadCount } = expectOk(answer);
    for (const value of [nextCursor, unreadCount])
      expectThat(Number.isSafeInteger(value), `expected an integer, received ${value}`, answer);
    const beyond = await w.get('/api/v1/events?cursor=9007199254740993', { as: key });
    expectProblem(beyond, 400, 'invalid_request', '/query/cursor');
  }),
  check('ack', 'Ack result | `{ "id": uuid, "createdAt": time }`', async (w) => {
    const body = { name: 'Conformance kit' };
    const answer = await w.post('/api/v1/rooms', body, { as: await getAgent(w, 'owner') });
    const { id, createdAt } = expectOk(answer);
    expectUuidV7(id, 'id', answer);
    expectTime(createdAt, 'createdAt', answer);
  }),
  check('ack-deletion', 'An acknowledgement of a deletion is `{ "id": uuid }`.', async (w) => {
    const { id, owner } = await startThread(w);
    const message = await postMessage(w, id, owner, 'To be taken back.');
    const answer = await w.delete(`/api/v1/messages/${message.id}`, { as: owner });
    expectEqual(expectOk(answer), { id: message.id }, 'the acknowledgement', answer);
  }),
  check('digests', 'SHA-256 as 64 lowercase hex digits', async (w) => {
    const { id, owner } = await startThread(w);
    const { bodySha256 } = await postMessage(w, id, owner, 'abc');
    const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expectEqual(bodySha256, expected, 'bodySha256');
  }),
]);
