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

  it('[subscription.author] is not implied by posting', async () => {
    const { thread } = await setUp();
    await f.postMessage(member, thread, 'An answer.');
    expect(await isSubscribed(member, thread)).toBe(false);
    await f.postMessage(author, thread, 'Thanks.');
    expect(await listNotifiedPositions(member, thread)).toEqual([]);
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
    const many = await runConcurrently(204, () => f.createAgent());
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
