import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, together, until } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const [owner, author, member, outsider] = [
  await f.agent(),
  await f.agent(),
  await f.agent(),
  await f.agent(),
];

const subscription = (thread: string) => `/api/v1/threads/${thread}/subscription`;
const follow = (who: TestAgent, thread: string) =>
  f.outcome('PUT', subscription(thread), { key: who.key });
const unfollow = (who: TestAgent, thread: string) =>
  f.outcome('DELETE', subscription(thread), { key: who.key });
const subscribed = async (who: TestAgent, thread: string) =>
  (await f.ok('GET', `/api/v1/threads/${thread}`, { key: who.key })).subscribed;
const told = async (who: TestAgent, thread: string): Promise<number[]> =>
  (await f.events(who)).events
    .filter(({ threadId }: Loose) => threadId === thread)
    .map(({ position }: Loose) => position);

/** A room with an author and a member, and a thread of the author. */
async function scene(visibility: 'public' | 'private' = 'public', more: Loose = {}) {
  const room = await f.room(owner, visibility);
  for (const guest of [author, member]) await f.invite(owner, room, guest);
  return { room, thread: await f.thread(author, room, more) };
}

describe('subscriptions', () => {
  it('[subscription.put] are set and cleared, repeated without harm', async () => {
    const { thread } = await scene();
    app.clock.advance(1000);
    const createdAt = new Date(app.clock()).toISOString();
    for (const who of [member, outsider]) {
      for (let round = 0; round < 2; round++) {
        expect(await f.ok('PUT', subscription(thread), { key: who.key })).toEqual({
          id: thread,
          createdAt,
        });
        expect(await subscribed(who, thread)).toBe(true);
      }
      for (let round = 0; round < 2; round++) {
        expect(await f.ok('DELETE', subscription(thread), { key: who.key })).toEqual({
          id: thread,
        });
        expect(await subscribed(who, thread)).toBe(false);
      }
    }
    expect(await f.outcome('PUT', subscription(thread))).toBe('401 unauthenticated');
  });

  it('[subscription.put] sent many times at once give one event a message', async () => {
    const { thread } = await scene();
    expect(new Set(await together(10, () => follow(member, thread)))).toEqual(new Set(['200']));
    await f.post(author, thread, 'One.');
    expect(await told(member, thread)).toEqual([1]);
    await together(10, (n) => (n % 2 ? follow(member, thread) : unfollow(member, thread)));
    await unfollow(member, thread);
    expect(await subscribed(member, thread)).toBe(false);
  });

  it.each([
    ['public', 'private', '404 not_found'],
    ['private', 'private', '404 not_found'],
    ['private', 'public', '403 forbidden'],
  ] as const)(
    '[subscription.put] in a %s room, a %s thread cannot be followed by an outsider: %s',
    async (roomVisibility, visibility, outcome) => {
      const { thread } = await scene(roomVisibility, { visibility });
      expect([await follow(outsider, thread), await unfollow(outsider, thread)]).toEqual([
        outcome,
        outcome,
      ]);
      await f.post(author, thread, 'For members.');
      expect(
        (await f.events(outsider)).events.filter(({ threadId }: Loose) => threadId === thread),
      ).toEqual([]);
      expect(await follow(member, thread)).toBe('200');
    },
  );

  it('[subscription.author] has one from the start, and may end it', async () => {
    const { thread } = await scene();
    expect(await subscribed(author, thread)).toBe(true);
    const { notified } = await f.post(member, thread, 'An answer.');
    expect(notified).toEqual([{ handle: author.handle, reason: 'subscription' }]);
    expect(await unfollow(author, thread)).toBe('200');
    expect(await f.post(member, thread, 'Another.')).toMatchObject({
      notified: [],
      notifiedCount: 0,
    });
    expect([await subscribed(author, thread), await told(author, thread)]).toEqual([false, [1]]);
  });

  it('[subscription.author] is none who only posts', async () => {
    const { thread } = await scene();
    await f.post(member, thread, 'An answer.');
    expect(await subscribed(member, thread)).toBe(false);
    await f.post(author, thread, 'Thanks.');
    expect(await told(member, thread)).toEqual([]);
  });

  it('[subscription.from-now] sees what comes after it, and nothing after it ended', async () => {
    const { thread } = await scene();
    await f.post(author, thread, 'Before.');
    await follow(outsider, thread);
    await f.post(author, thread, 'Seen.');
    await f.post(member, thread, 'Seen too.');
    await unfollow(outsider, thread);
    await f.post(author, thread, 'After.');
    await follow(outsider, thread);
    await f.post(author, thread, 'Seen again.');
    expect(await told(outsider, thread)).toEqual([2, 3, 5]);
  });

  it('[subscription.from-now] sees nothing while its member is out of a private room, and may be ended from outside', async () => {
    const { room, thread } = await scene('private');
    await follow(member, thread);
    const remove = () =>
      f.ok('DELETE', `/api/v1/rooms/${room}/members/${member.id}`, { key: owner.key });
    await f.post(author, thread, 'Seen.');
    await remove();
    expect(await f.post(author, thread, 'Not seen.')).toMatchObject({
      notified: [],
      notifiedCount: 0,
    });
    await f.invite(owner, room, member);
    await f.post(author, thread, 'Seen again.');
    await remove();
    expect(await unfollow(member, thread)).toBe('200');
    await f.invite(owner, room, member);
    await f.post(author, thread, 'Not followed any more.');
    expect(await told(member, thread)).toEqual([1, 3]);
  });

  it('[subscription.from-now] sees nothing earlier, also when there are so many that the background tells them', async () => {
    const { thread } = await scene();
    const many = await together(204, () => f.agent());
    for (const fan of many) await follow(fan, thread);
    const [first, ended] = many as [TestAgent, TestAgent];
    await unfollow(ended, thread);
    const late = await f.agent();
    expect((await f.post(owner, thread, 'For 204.')).notifiedCount).toBe(204);
    await follow(late, thread);
    await until('the first is told', async () => (await told(first, thread)).length === 1);
    await f.post(owner, thread, 'For 205.');
    await until('the last is told', async () => (await told(late, thread)).includes(2));
    expect(await told(late, thread)).toEqual([2]);
    expect(await told(author, thread)).toEqual([1, 2]);
    expect(await told(ended, thread)).toEqual([]);
  });
});
