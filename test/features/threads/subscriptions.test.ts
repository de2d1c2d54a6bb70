import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import {
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const author = await f.createAgent();
const member = await f.createAgent();
const outsider = await f.createAgent();

const subscriptionPath = (thread: string) => `/api/v1/threads/${thread}/subscription`;
const follow = (who: TestAgent, thread: string) =>
  f.sendForOutcome('PUT', subscriptionPath(thread), { key: who.key });
const unfollow = (who: TestAgent, thread: string) =>
  f.sendForOutcome('DELETE', subscriptionPath(thread), { key: who.key });
const isSubscribed = async (who: TestAgent, thread: string) =>
  (await f.ok('GET', `/api/v1/threads/${thread}`, { key: who.key })).subscribed;
const listNotifiedPositions = async (who: TestAgent, thread: string): Promise<number[]> =>
  (await f.listEvents(who)).events
    .filter(({ threadId }: Json) => threadId === thread)
    .map(({ position }: Json) => position);

/** Creates a room with an author and a member, and a thread of the author. */
async function setUp(visibility: 'public' | 'private' = 'public', more: Json = {}) {
  const room = await f.createRoom(owner, visibility);
  for (const guest of [author, member]) await f.addMember(owner, room, guest);
  return { room, thread: await f.createThread(author, room, more) };
}

describe('subscribeThread', () => {
  it('[subscription.put] and unsubscribeThread may be repeated', async () => {
    const { thread } = await setUp();
    app.clock.advance(1000);
    const createdAt = new Date(app.clock()).toISOString();
    for (const who of [member, outsider]) {
      for (let round = 0; round < 2; round++) {
        expect(await f.ok('PUT', subscriptionPath(thread), { key: who.key })).toEqual({
          id: thread,
          createdAt,
        });
        expect(await isSubscribed(who, thread)).toBe(true);
      }
      for (let round = 0; round < 2; round++) {
        expect(await f.ok('DELETE', subscriptionPath(thread), { key: who.key })).toEqual({
          id: thread,
        });
        expect(await isSubscribed(who, thread)).toBe(false);
      }
    }
    expect(await f.sendForOutcome('PUT', subscriptionPath(thread))).toBe('401 unauthenticated');
  });

  it('[subscription.put] sent many times at once yields one event a message', async () => {
    const { thread } = await setUp();
    expect(new Set(await runConcurrently(10, () => follow(member, thread)))).toEqual(
      new Set(['200']),
    );
    await f.postMessage(author, thread, 'One.');
    expect(await listNotifiedPositions(member, thread)).toEqual([1]);
    await runConcurrently(10, (n) => (n % 2 ? follow(member, thread) : unfollow(member, thread)));
    await unfollow(member, thread);
    expect(await isSubscribed(member, thread)).toBe(false);
  });

  it.each([
    ['public', 'private', '404 not_found'],
    ['private', 'private', '404 not_found'],
    ['private', 'public', '403 forbidden'],
  ] as const)(
    '[subscription.put] in a %s room, a %s thread refuses an outsider: %s',
    async (roomVisibility, visibility, outcome) => {
      const { thread } = await setUp(roomVisibility, { visibility });
      expect({
        followed: await follow(outsider, thread),
        unfollowed: await unfollow(outsider, thread),
      }).toEqual({ followed: outcome, unfollowed: outcome });
      await f.postMessage(author, thread, 'For members.');
      expect(
        (await f.listEvents(outsider)).events.filter(({ threadId }: Json) => threadId === thread),
      ).toEqual([]);
      expect(await follow(member, thread)).toBe('200');
    },
  );

  it('[subscription.author] is implied for the author, who may unsubscribe', async () => {
    const { thread } = await setUp();
    expect(await isSubscribed(author, thread)).toBe(true);
    const { notified } = await f.postMessage(member, thread, 'An answer.');
    expect(notified).toEqual([{ handle: author.handle, reason: 'subscription' }]);
    expect(await unfollow(author, thread)).toBe('200');
    expect(await f.postMessage(member, thread, 'Another.')).toMatchObject({
      notified: [],
      notifiedCount: 0,
    });
    expect({
      subscribed: await isSubscribed(author, thread),
      positions: await listNotifiedPositions(author, thread),
    }).toEqual({ subscribed: false, positions: [1] });
  });

  it('[subscription.posting] [newcomer.breakage-6] postMessage subscribes its author', async () => {
    const { thread } = await setUp();
    await f.postMessage(author, thread, 'Before.');
    await f.postMessage(member, thread, 'An answer.');
    expect(await isSubscribed(member, thread)).toBe(true);
    await f.postMessage(member, thread, 'One more.');
    const { notified } = await f.postMessage(author, thread, 'Thanks.');
    expect(notified).toEqual([{ handle: member.handle, reason: 'subscription' }]);
    expect(await listNotifiedPositions(member, thread)).toEqual([4]);
    expect(
      await f.ok('GET', '/api/v1/threads?subscribed=true', { key: member.key }),
    ).toContainEqual(expect.objectContaining({ id: thread, subscribed: true }));
  });

  it('[subscription.posting] postMessage and createThread do not with follow: false', async () => {
    const { room, thread } = await setUp();
    await f.postMessage(member, thread, 'An answer.', { follow: false });
    expect(await isSubscribed(member, thread)).toBe(false);
    await f.postMessage(author, thread, 'Thanks.', { follow: false });
    expect(await isSubscribed(author, thread)).toBe(true);
    const started = await f.createThread(author, room, { follow: false });
    expect(await isSubscribed(author, started)).toBe(false);
    expect((await f.postMessage(member, started, 'Hello.', { follow: true })).notified).toEqual([]);
    expect(await isSubscribed(member, started)).toBe(true);
    await f.postMessage(author, started, 'Now I follow.');
    expect(await isSubscribed(author, started)).toBe(true);
  });

  it('[subscription.stays-ended] unsubscribeThread holds when its agent posts', async () => {
    const { room, thread } = await setUp();
    const other = await f.createThread(author, room);
    await f.postMessage(member, thread, 'I follow.');
    await unfollow(member, thread);
    await unfollow(member, other);
    for (const id of [thread, other]) {
      await f.postMessage(member, id, 'I do not follow.');
      await f.postMessage(member, id, 'Nor now.', { follow: true });
      expect((await f.postMessage(author, id, 'For nobody.')).notified).toEqual([]);
      expect(await isSubscribed(member, id)).toBe(false);
      expect(await follow(member, id)).toBe('200');
      expect(await isSubscribed(member, id)).toBe(true);
      await f.postMessage(author, id, 'For one.');
    }
    expect(await listNotifiedPositions(member, thread)).toEqual([5]);
    expect(await listNotifiedPositions(member, other)).toEqual([4]);
  });

  it('[subscription.stays-ended] unsubscribeThread wins over posts at the same time', async () => {
    const { thread } = await setUp();
    await runConcurrently(12, (n) =>
      n === 6 ? unfollow(member, thread) : f.postMessage(member, thread, `Number ${n}`),
    );
    expect(await isSubscribed(member, thread)).toBe(false);
  });

  it('[subscription.from-now] notifies of later messages until it ends', async () => {
    const { thread } = await setUp();
    await f.postMessage(author, thread, 'Before.');
    await follow(outsider, thread);
    await f.postMessage(author, thread, 'Seen.');
    await f.postMessage(member, thread, 'Seen too.');
    await unfollow(outsider, thread);
    await f.postMessage(author, thread, 'After.');
    await follow(outsider, thread);
    await f.postMessage(author, thread, 'Seen again.');
    expect(await listNotifiedPositions(outsider, thread)).toEqual([2, 3, 5]);
  });

  it('[subscription.from-now] pauses while its agent is out of a private room', async () => {
    const { room, thread } = await setUp('private');
    await follow(member, thread);
    const remove = () =>
      f.ok('DELETE', `/api/v1/rooms/${room}/members/${member.id}`, { key: owner.key });
    await f.postMessage(author, thread, 'Seen.');
    await remove();
    expect(await f.postMessage(author, thread, 'Not seen.')).toMatchObject({
      notified: [],
      notifiedCount: 0,
    });
    await f.addMember(owner, room, member);
    await f.postMessage(author, thread, 'Seen again.');
    await remove();
    expect(await unfollow(member, thread)).toBe('200');
    await f.addMember(owner, room, member);
    await f.postMessage(author, thread, 'Not followed any more.');
    expect(await listNotifiedPositions(member, thread)).toEqual([1, 3]);
  });

  it('[subscription.from-now] ignores earlier messages that are still being sent', async () => {
    const { thread } = await setUp();
    const many: TestAgent[] = [];
    while (many.length < 204) many.push(...(await runConcurrently(12, () => f.createAgent())));
    for (const fan of many) await follow(fan, thread);
    const [first, ended] = many as [TestAgent, TestAgent];
    await unfollow(ended, thread);
    const late = await f.createAgent();
    expect((await f.postMessage(owner, thread, 'For 204.')).notifiedCount).toBe(204);
    await follow(late, thread);
    await waitUntil(
      'the first is told',
      async () => (await listNotifiedPositions(first, thread)).length === 1,
    );
    await f.postMessage(owner, thread, 'For 205.');
    await waitUntil('the last is told', async () =>
      (await listNotifiedPositions(late, thread)).includes(2),
    );
    expect(await listNotifiedPositions(late, thread)).toEqual([2]);
    expect(await listNotifiedPositions(author, thread)).toEqual([1, 2]);
    expect(await listNotifiedPositions(ended, thread)).toEqual([]);
  });
});
