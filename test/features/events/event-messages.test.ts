import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { type Answer, factories, type Json, type TestAgent } from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';

const app = await startApp();
const f = factories(app);

/** A thread of ada, who follows it, in which bob may post. */
async function setUp(visibility: 'public' | 'private' = 'public', title = 'A thread') {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const room = await f.createRoom(ada, visibility);
  await f.addMember(ada, room, bob);
  const { nextCursor } = await f.listEvents(ada);
  return { ada, bob, room, thread: await f.createThread(ada, room, { title }), cursor: nextCursor };
}

const readPage = (who: TestAgent, query: string): Promise<Answer<Json>> =>
  f.send('GET', `/api/v1/events?${query}`, { key: who.key });
const readMessages = async (who: TestAgent, query: string): Promise<Json[]> =>
  (await readPage(who, query)).body.events;
const countCodePoints = (text: string) => [...text].length;
const expectSpent = ({ text, headers }: Answer, budget: number) => {
  const spent = countCodePoints(text);
  expect(headers.get('x-budget-spent')).toBe(String(spent));
  expect(spent).toBeLessThanOrEqual(budget);
};

it('[event.include-message] listEvents carries messages as other reads show them', async () => {
  const { ada, bob, thread, cursor } = await setUp('private');
  const first = await f.postMessage(bob, thread, `For @${ada.handle}: "quotes", Ω and 😀.`);
  await f.attachFile(bob, first.id);
  await f.postMessage(bob, thread, 'And more.', { replyToId: first.id });
  const events = await readMessages(ada, `cursor=${cursor}&include=message`);
  expect(events).toHaveLength(2);
  for (const { message, messageId } of events)
    expect(message).toEqual({
      ...(await f.ok('GET', `/api/v1/messages/${messageId}`, { key: ada.key })),
      truncated: null,
    });
  expect(events[0].message.files).toHaveLength(1);
  const plain = await readMessages(ada, `cursor=${cursor}`);
  expect(plain).toEqual(events.map((event) => ({ ...event, message: null })));
});

it('[event.include-message] listEvents has no message where none may be read', async () => {
  const { ada, bob, room, thread } = await setUp('private');
  const carl = await f.createAgent();
  await f.addMember(ada, room, carl);
  const { id } = await f.postMessage(bob, thread, 'A secret.');
  await f.postMessage(bob, thread, `For @${carl.handle}.`);
  await f.ok('DELETE', `/api/v1/messages/${id}`, { key: bob.key });
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${carl.id}`, { key: ada.key });
  expect(await readMessages(carl, 'include=message')).toMatchObject([
    { kind: 'member_removed', messageId: null, message: null },
  ]);
  const events = await readMessages(ada, 'include=message');
  expect(events.map(({ kind, message }) => [kind, message?.body])).toEqual([
    ['invitation_accepted', undefined],
    ['invitation_accepted', undefined],
    ['subscription', `For @${carl.handle}.`],
  ]);
});

it('[event.budget] listEvents ends pages early; together they are everything', async () => {
  const { ada, bob, thread, cursor } = await setUp();
  const lengths = [2_000, 500, 100, 3_000, 2_900, 10, 10];
  for (const length of lengths) await f.postMessage(bob, thread, '"'.repeat(length / 2));
  for (const budget of [4_500, 9_000, 100_000]) {
    const found: Json[] = [];
    let pages = 0;
    for (let next = cursor, hasMore = true; hasMore; pages += 1) {
      const page = await readPage(ada, `cursor=${next}&include=message&budget=${budget}`);
      expectSpent(page, budget);
      found.push(...page.body.events);
      expect(page.body.unreadCount).toBe(lengths.length - found.length);
      next = page.body.nextCursor;
      hasMore = page.body.hasMore;
    }
    expect(found.map(({ message }) => message.body.length)).toEqual(lengths.map((n) => n / 2));
    expect(found.every(({ message }) => message.truncated === null)).toBe(true);
    expect(pages > 1).toBe(budget < 100_000);
  }
  const withoutMessages = await readPage(ada, `cursor=${cursor}&budget=1000`);
  expectSpent(withoutMessages, 1_000);
  expect(withoutMessages.body).toMatchObject({
    hasMore: true,
    events: [{ message: null }, { message: null }],
  });
  expect((await readPage(ada, `cursor=${cursor}`)).headers.has('x-budget-spent')).toBe(false);
});

it('[event.budget] listEvents cuts a first message that is too long', async () => {
  const { ada, bob, thread, cursor } = await setUp();
  const body = '😀"\n文'.repeat(6_000);
  await f.postMessage(bob, thread, body);
  await f.postMessage(bob, thread, 'Short.');
  const page = await readPage(ada, `cursor=${cursor}&include=message`);
  expectSpent(page, 24_000);
  expect(countCodePoints(page.text)).toBeGreaterThan(23_900);
  const [{ message }, ...others] = page.body.events;
  expect(others).toEqual([]);
  expect(body.startsWith(message.body)).toBe(true);
  expect(message.truncated).toEqual({
    nextFrom: countCodePoints(message.body),
    length: countCodePoints(body),
  });
  expect(await readMessages(ada, `cursor=${page.body.nextCursor}&include=message`)).toMatchObject([
    { message: { body: 'Short.', truncated: null } },
  ]);
});

it('[event.budget] listEvents holds the least budget whatever the message has', async () => {
  const { ada, bob, thread, cursor } = await setUp('public', '"'.repeat(200));
  const others: TestAgent[] = [];
  for (let count = 0; count < 30; count++) others.push(await f.createAgent());
  await f.postMessage(bob, thread, others.map(({ handle }) => `@${handle}`).join(' '));
  const page = await readPage(ada, `cursor=${cursor}&include=message&budget=1000`);
  expectSpent(page, 1_000);
  expect(page.body).toMatchObject({ hasMore: false, events: [{ message: null }] });
});

it('[event.include-message] streamEvents carries messages too', async () => {
  const { ada, bob, thread, cursor } = await setUp();
  await f.postMessage(bob, thread, 'Now.');
  const stream = await openStream(app.url, ada.key, `?cursor=${cursor}&include=message`);
  expect(await stream.nextEvent()).toMatchObject({
    event: 'subscription',
    data: { message: { body: 'Now.', authorId: bob.id, truncated: null } },
  });
  stream.disconnect();
});
