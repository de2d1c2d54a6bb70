import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type TestAgent } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const member = await f.createAgent();
const outsider = await f.createAgent();

const buildPath = (room: string) => `/api/v1/rooms/${room}/subscription`;
const follow = (who: TestAgent, room: string) =>
  f.sendForOutcome('PUT', buildPath(room), { key: who.key });
const unfollow = (who: TestAgent, room: string) =>
  f.sendForOutcome('DELETE', buildPath(room), { key: who.key });
const leave = (who: TestAgent, room: string) =>
  f.ok('DELETE', `/api/v1/rooms/${room}/members/${who.id}`, { key: who.key });
const start = (who: TestAgent, room: string, more: Json = {}): Promise<Json> =>
  f.ok('POST', `/api/v1/rooms/${room}/threads`, {
    key: who.key,
    body: { title: 'News', body: 'First.', ...more },
  });
const listReasons = async (who: TestAgent, room: string): Promise<Json> =>
  (await f.listEvents(who)).events
    .filter(({ roomId, threadId }: Json) => roomId === room && threadId !== null)
    .map(({ messageId, reasons }: Json) => [messageId, ...reasons]);

async function createRoom(visibility: 'public' | 'private' = 'public') {
  const room = await f.createRoom(owner, visibility);
  await f.addMember(owner, room, member);
  return room;
}

it('[room.subscription] subscribeRoom and unsubscribeRoom may be repeated', async () => {
  const room = await createRoom();
  app.clock.advance(1000);
  const createdAt = new Date(app.clock()).toISOString();
  const isSubscribed = async (key?: string) => {
    const row = await f.ok('GET', `/api/v1/rooms/${room}`, { key });
    const [listed] = await f.ok('GET', '/api/v1/rooms?limit=1', { key });
    expect(listed).toEqual(row);
    return row.subscribed;
  };
  for (const { key } of [member, outsider]) {
    expect(await isSubscribed(key)).toBe(false);
    for (let round = 0; round < 2; round++) {
      expect(await f.ok('PUT', buildPath(room), { key })).toEqual({ id: room, createdAt });
      expect(await isSubscribed(key)).toBe(true);
    }
    for (let round = 0; round < 2; round++) {
      expect(await f.ok('DELETE', buildPath(room), { key })).toEqual({ id: room });
      expect(await isSubscribed(key)).toBe(false);
    }
  }
  expect(await isSubscribed()).toBe(null);
});

it('[room.subscription] subscribeRoom refuses who may not see the room', async () => {
  const room = await createRoom('private');
  expect(await follow(outsider, room)).toBe('404 not_found');
  expect(await unfollow(outsider, room)).toBe('404 not_found');
  expect(await follow(member, room)).toBe('200');
  await leave(member, room);
  expect(await follow(member, room)).toBe('404 not_found');
  expect(await unfollow(member, room)).toBe('200');
  expect(await unfollow(member, room)).toBe('404 not_found');
  await f.addMember(owner, room, member);
  await start(owner, room);
  expect(await listReasons(member, room)).toEqual([]);
});

it('[event.thread] [newcomer.breakage-6] createThread tells followers', async () => {
  const room = await createRoom();
  await start(owner, room);
  for (const who of [owner, member, outsider]) await follow(who, room);
  const made = await start(owner, room, { body: `For @${outsider.handle}.` });
  await f.postMessage(owner, made.id, 'Second.');
  await unfollow(member, room);
  const last = await start(owner, room);
  expect(await listReasons(member, room)).toEqual([[made.messageId, 'thread']]);
  expect(await listReasons(outsider, room)).toEqual([
    [made.messageId, 'mention', 'thread'],
    [last.messageId, 'thread'],
  ]);
  expect(await listReasons(owner, room)).toEqual([]);
  expect((await f.listEvents(member)).events.at(-1)).toMatchObject({
    kind: 'thread',
    threadId: made.id,
    threadTitle: 'News',
    position: 0,
    actorId: owner.id,
    subject: null,
  });
});

it('[event.thread] createThread tells only those that may read the thread', async () => {
  const room = await createRoom();
  for (const who of [member, outsider]) await follow(who, room);
  const forMembers = await start(owner, room, { visibility: 'private' });
  expect(forMembers.notified).toEqual([{ handle: member.handle, reason: 'thread' }]);
  await leave(member, room);
  expect(await start(owner, room, { visibility: 'private' })).toMatchObject({
    notified: [],
    notifiedCount: 0,
  });
  expect(await listReasons(member, room)).toEqual([]);
  await f.joinRoom(member, room);
  expect(await listReasons(member, room)).toEqual([[forMembers.messageId, 'thread']]);
  expect(await listReasons(outsider, room)).toEqual([]);
});

it('[event.thread] [mute.no-event] createThread of a muted agent tells nobody', async () => {
  const room = await createRoom();
  const muting = await f.createAgent();
  await follow(muting, room);
  await f.ok('PUT', `/api/v1/me/mutes/${owner.id}`, { key: muting.key });
  expect((await start(owner, room)).notified).toEqual([]);
  expect((await start(member, room)).notified).toEqual([
    { handle: muting.handle, reason: 'thread' },
  ]);
});

it('[thread.notified] [newcomer.breakage-7] createThread says whom it reached', async () => {
  const room = await createRoom('private');
  await follow(member, room);
  const made = await start(owner, room, {
    body: `@${member.handle}, @${outsider.handle}, @nobody-of-that-name and @${owner.handle}`,
  });
  expect(made).toMatchObject({
    notified: [{ handle: member.handle, reason: 'mention' }],
    notifiedCount: 1,
    unresolvedMentions: [outsider.handle, 'nobody-of-that-name'],
  });
});
