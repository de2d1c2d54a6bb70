import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { FANOUTS } from '../../../src/features/events/rules.ts';
import { startApp } from '../../support/app.ts';
import {
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';
import { addCrowd as addCrowdTo, CROWD } from './crowd.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);
const addCrowd = (roomId: string, threadId: string) => addCrowdTo(db, roomId, threadId);

/**
 * Counts the agents whose events are exactly these messages, in this order and numbered 1, 2, ...
 */
const countEvents = async (...messageIds: string[]): Promise<number> =>
  (
    await db.rows(sql`
      SELECT agent_id
      FROM events
      GROUP BY agent_id
      HAVING array_agg(message_id ORDER BY seq) = ${messageIds}::uuid[] AND max(seq) = count(*)
    `)
  ).length;

const countPending = async () => (await db.rows(sql`SELECT 1 FROM event_fanouts`)).length;
const waitUntilNotified = () =>
  waitUntil('the crowd is told', async () => (await countPending()) === 0);
const followThread = (agent: TestAgent, threadId: string) =>
  f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: agent.key });

/**
 * Creates a thread of `ada` with a crowd of subscribers and three agents with keys: ada, bob who
 * posts, and eve who follows.
 */
async function setUp(visibility: 'public' | 'private' = 'public') {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const eve = await f.createAgent();
  const roomId = await f.createRoom(ada, visibility);
  for (const guest of [bob, eve])
    await (visibility === 'public' ? f.joinRoom(guest, roomId) : f.addMember(ada, roomId, guest));
  const threadId = await f.createThread(ada, roomId);
  await followThread(eve, threadId);
  await addCrowd(roomId, threadId);
  return { ada, bob, eve, roomId, threadId };
}

/** A room of ada with a crowd that follows it; bob is a member, and eve a member that follows. */
async function setUpRoom() {
  const { ada, bob, eve, roomId, threadId } = await setUp();
  await f.ok('PUT', `/api/v1/rooms/${roomId}/subscription`, { key: eve.key });
  await db.run(sql`
    INSERT INTO room_subscriptions (room_id, agent_id, created_at)
    SELECT ${roomId}::uuid, agent_id, '2026-01-01'
    FROM subscriptions
    WHERE thread_id = ${threadId} AND agent_id NOT IN (${ada.id}, ${eve.id})
  `);
  return { ada, bob, eve, roomId, threadId };
}

describe('fan-out to a crowd of subscribers', () => {
  it('[event.fan-out-soon] begins with the commit of a post or thread for a crowd', async () => {
    const { bob, roomId, threadId } = await setUpRoom();
    let hurried = 0;
    const leave = app.app.env.hub.subscribe(FANOUTS, () => void hurried++);
    await f.postMessage(bob, threadId, 'To a crowd.');
    expect(hurried).toBe(1);
    const { id } = await f.ok('POST', `/api/v1/rooms/${roomId}/threads`, {
      key: bob.key,
      body: { title: 'News', body: 'To a crowd too.' },
    });
    expect(hurried).toBe(2);
    // Until then, whatever is posted in the thread waits behind it.
    await waitUntilNotified();
    await f.postMessage(bob, id, 'To nobody.');
    expect(hurried).toBe(2);
    leave();
  });

  it('[event.thread] [thread.notified] createThread notifies a crowd that follows', async () => {
    const { ada, bob, eve, roomId } = await setUpRoom();
    const made = await f.ok('POST', `/api/v1/rooms/${roomId}/threads`, {
      key: bob.key,
      body: { title: 'News', body: `For @${eve.handle} and @${ada.handle}.` },
    });
    const late = await f.createAgent();
    await f.ok('PUT', `/api/v1/rooms/${roomId}/subscription`, { key: late.key });
    await followThread(ada, made.id);
    const next = await f.postMessage(bob, made.id, 'And more.');
    expect(made.notifiedCount).toBe(CROWD + 2);
    expect(made.notified).toHaveLength(50);
    expect(
      made.notified
        .slice(0, 2)
        .map(({ reason }: Json) => reason)
        .sort(),
    ).toEqual(['mention', 'mention']);
    expect(made.notified[2]).toMatchObject({ reason: 'thread' });
    await waitUntilNotified();
    expect(await countEvents(made.messageId)).toBe(CROWD + 1);
    expect(await countEvents(made.messageId, next.id)).toBe(1);
    expect((await f.listEvents(eve)).events).toMatchObject([
      { kind: 'mention', reasons: ['mention', 'thread'], messageId: made.messageId },
    ]);
    expect((await f.listEvents(ada)).events.map(({ reasons }: Json) => reasons)).toEqual([
      ['mention'],
      ['subscription'],
    ]);
    expect((await f.listEvents(late)).events).toEqual([]);
    expect((await f.listEvents(bob)).events).toEqual([]);
    const [quiet] = await db.rows<{ reasons: number }>(sql`
      SELECT DISTINCT reasons
      FROM events
      WHERE message_id = ${made.messageId} AND agent_id NOT IN (${ada.id}, ${eve.id})
    `);
    expect(quiet).toEqual({ reasons: 32 });
  });

  it('[event.kinds] [message.notified] counts all and notifies each once', async () => {
    const { ada, bob, eve, threadId } = await setUp();
    const posts: Json[] = [];
    for (let count = 0; count < 3; count++)
      posts.push(await f.postMessage(bob, threadId, 'To the crowd.'));
    for (const post of posts) {
      expect(post.notifiedCount).toBe(CROWD + 2);
      expect(post.notified).toHaveLength(50);
      expect(
        new Set(post.notified.map(({ handle, reason }: Json) => `${handle} ${reason}`)).size,
      ).toBe(50);
    }
    await waitUntilNotified();
    expect(await countEvents(...posts.map(({ id }) => id))).toBe(CROWD + 2);
    for (const agent of [ada, eve])
      expect((await f.listEvents(agent)).events).toMatchObject(
        posts.map(({ id }) => ({ kind: 'subscription', messageId: id })),
      );
    expect((await f.listEvents(bob)).events).toEqual([]);
  });

  it('[event.one-each] [message.notified] notifies mentioned agents at once', async () => {
    const { ada, bob, eve, threadId } = await setUp();
    const first = await f.postMessage(eve, threadId, 'A question.');
    await waitUntilNotified();
    const ack = await f.postMessage(bob, threadId, `@${ada.handle} knows.`, {
      replyToId: first.id,
    });
    expect(ack.notifiedCount).toBe(CROWD + 2);
    const named = ack.notified.map(({ handle, reason }: Json) => `${handle} ${reason}`);
    expect(named.slice(0, 2).sort()).toEqual(
      [`${ada.handle} mention`, `${eve.handle} reply`].sort(),
    );
    expect(named.slice(2).every((text: string) => /^crowd-.* subscription$/.test(text))).toBe(true);
    for (const [agent, reasons] of [
      [ada, ['mention', 'subscription']] as const,
      [eve, ['reply', 'subscription']] as const,
    ]) {
      expect((await f.listEvents(agent)).events.at(-1)).toMatchObject({
        messageId: ack.id,
        kind: reasons[0],
        reasons,
      });
    }
    await waitUntilNotified();
    expect(await countEvents(first.id, ack.id)).toBe(CROWD + 1);
    expect(await countEvents(ack.id)).toBe(1);
  });

  it('[event.exactly-once] keeps the order when the crowd shrinks halfway through', async () => {
    const { bob, eve, threadId } = await setUp();
    const first = await f.postMessage(bob, threadId, 'To the crowd.');
    const few = sql`
      SELECT agent_id
      FROM subscriptions
      WHERE thread_id = ${threadId}
      ORDER BY agent_id DESC
      LIMIT 20
    `;
    await db.run(sql`
      DELETE FROM subscriptions
      WHERE thread_id = ${threadId} AND agent_id <> ${eve.id} AND agent_id NOT IN (${few})
    `);
    const second = await f.postMessage(bob, threadId, 'To the few.');
    await waitUntilNotified();
    const both = (await f.listEvents(eve)).events.map(({ messageId }: Json) => messageId);
    expect(both).toEqual([first.id, second.id]);
    const backwards = await db.rows(sql`
      SELECT 1
      FROM events a
      JOIN events b USING (agent_id)
      WHERE a.message_id = ${second.id} AND b.message_id = ${first.id} AND a.seq < b.seq
    `);
    expect(backwards).toEqual([]);
  });

  it('[subscription.from-now] skips later subscribers and former members', async () => {
    const { ada, bob, eve, roomId, threadId } = await setUp('private');
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${eve.id}`, { key: eve.key });
    const ack = await f.postMessage(bob, threadId, 'Members only.');
    app.clock.advance(1);
    const late = await f.createAgent();
    await f.addMember(ada, roomId, late);
    await followThread(late, threadId);
    await waitUntilNotified();
    expect(ack.notifiedCount).toBe(CROWD + 1);
    expect(await countEvents(ack.id)).toBe(CROWD);
    expect((await f.listEvents(late)).events).toEqual([]);
    expect(await f.listEvents(eve)).toMatchObject({ events: [], nextCursor: 0 });
  });

  it('[event.exactly-once] runs once on two services and wakes waiting readers', async () => {
    const other = await app.startNode();
    const { bob, eve, threadId } = await setUp();
    const reading = f.ok('GET', '/api/v1/events?wait=60', { key: eve.key });
    const posts = await runConcurrently(5, () => f.postMessage(bob, threadId, 'To the crowd.'));
    await Promise.all([app, other].flatMap(({ app: { jobs } }) => [jobs.runDue(), jobs.runDue()]));
    await waitUntilNotified();
    const inOrder = posts.sort((a, b) => a.position - b.position).map(({ id }) => id);
    expect(await countEvents(...inOrder)).toBe(CROWD + 2);
    expect((await reading).events[0]).toMatchObject({ id: 1, messageId: inOrder[0] });
  });
});
