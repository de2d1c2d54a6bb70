import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { DIRECT_SUBSCRIBERS } from '../../../src/features/messages/store.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, together, until } from '../../support/factories.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);
/** More than the background tells in one slice. */
const CROWD = DIRECT_SUBSCRIBERS + 400;

/** Lets agents that nobody plays follow a thread and join its room. */
const addCrowd = (roomId: string, threadId: string) =>
  db.run(sql`WITH crowd AS (INSERT INTO agents (id, handle, created_at, last_active_on)
        SELECT gen_random_uuid(), 'crowd-' || substr(md5(n || ${threadId}::text), 1, 24), '2026-01-01', '2026-01-01' FROM generate_series(1, ${CROWD}) n RETURNING id),
      heads AS (INSERT INTO event_heads (agent_id) SELECT id FROM crowd),
      joined AS (INSERT INTO members (room_id, agent_id, role, joined_at) SELECT ${roomId}::uuid, id, 'member', '2026-01-01' FROM crowd),
      counted AS (UPDATE rooms SET member_count = member_count + ${CROWD} WHERE id = ${roomId})
    INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at) SELECT ${threadId}::uuid, id, 0, '2026-01-01' FROM crowd`);

/** How many agents have exactly these messages as their events, in this order and numbered 1, 2, ... */
const countWith = async (...messageIds: string[]): Promise<number> =>
  (
    await db.rows(
      sql`SELECT agent_id FROM events GROUP BY agent_id HAVING array_agg(message_id ORDER BY seq) = ${messageIds}::uuid[] AND max(seq) = count(*)`,
    )
  ).length;

const pending = async () => (await db.rows(sql`SELECT 1 FROM event_fanouts`)).length;
const told = () => until('the crowd is told', async () => (await pending()) === 0);
const follow = (agent: TestAgent, threadId: string) =>
  f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: agent.key });

/** A thread of `ada` with a crowd of subscribers, and three agents that one can play: ada, bob who posts, eve who follows. */
async function scene(visibility: 'public' | 'private' = 'public') {
  const [ada, bob, eve] = [await f.agent(), await f.agent(), await f.agent()];
  const roomId = await f.room(ada, visibility);
  for (const guest of [bob, eve])
    await (visibility === 'public' ? f.join(guest, roomId) : f.invite(ada, roomId, guest));
  const threadId = await f.thread(ada, roomId);
  await follow(eve, threadId);
  await addCrowd(roomId, threadId);
  return { ada, bob, eve, roomId, threadId };
}

describe('a thread with a crowd of subscribers', () => {
  it('[event.kinds] [message.notified] counts them all in the answer and tells each once, in order', async () => {
    const { ada, bob, eve, threadId } = await scene();
    const posts: Loose[] = [];
    for (let count = 0; count < 3; count++)
      posts.push(await f.post(bob, threadId, 'To the crowd.'));
    for (const post of posts) {
      expect(post.notifiedCount).toBe(CROWD + 2);
      expect(post.notified).toHaveLength(50);
      expect(
        new Set(post.notified.map(({ handle, reason }: Loose) => `${handle} ${reason}`)).size,
      ).toBe(50);
    }
    await told();
    expect(await countWith(...posts.map(({ id }) => id))).toBe(CROWD + 2);
    for (const agent of [ada, eve])
      expect((await f.events(agent)).events).toMatchObject(
        posts.map(({ id }) => ({ kind: 'subscription', messageId: id })),
      );
    expect((await f.events(bob)).events).toEqual([]);
  });

  it('[event.one-each] [message.notified] tells the mentioned and the one replied to at once, with all reasons, and not again', async () => {
    const { ada, bob, eve, threadId } = await scene();
    const first = await f.post(eve, threadId, 'A question.');
    await told();
    const ack = await f.post(bob, threadId, `@${ada.handle} knows.`, { replyToId: first.id });
    expect(ack.notifiedCount).toBe(CROWD + 2);
    const named = ack.notified.map(({ handle, reason }: Loose) => `${handle} ${reason}`);
    expect(named.slice(0, 2).sort()).toEqual(
      [`${ada.handle} mention`, `${eve.handle} reply`].sort(),
    );
    expect(named.slice(2).every((text: string) => /^crowd-.* subscription$/.test(text))).toBe(true);
    for (const [agent, reasons] of [
      [ada, ['mention', 'subscription']] as const,
      [eve, ['reply', 'subscription']] as const,
    ]) {
      expect((await f.events(agent)).events.at(-1)).toMatchObject({
        messageId: ack.id,
        kind: reasons[0],
        reasons,
      });
    }
    await told();
    expect(await countWith(first.id, ack.id)).toBe(CROWD + 1);
    expect(await countWith(ack.id)).toBe(1);
  });

  it('[event.exactly-once] stays in order when the crowd shrinks before all of it is told', async () => {
    const { bob, eve, threadId } = await scene();
    const first = await f.post(bob, threadId, 'To the crowd.');
    const few = sql`SELECT agent_id FROM subscriptions WHERE thread_id = ${threadId} ORDER BY agent_id DESC LIMIT 20`;
    await db.run(
      sql`DELETE FROM subscriptions WHERE thread_id = ${threadId} AND agent_id <> ${eve.id} AND agent_id NOT IN (${few})`,
    );
    const second = await f.post(bob, threadId, 'To the few.');
    await told();
    const both = (await f.events(eve)).events.map(({ messageId }: Loose) => messageId);
    expect(both).toEqual([first.id, second.id]);
    const backwards = await db.rows(sql`SELECT 1 FROM events a JOIN events b USING (agent_id)
      WHERE a.message_id = ${second.id} AND b.message_id = ${first.id} AND a.seq < b.seq`);
    expect(backwards).toEqual([]);
  });

  it('[subscription.from-now] tells nobody who subscribed after the post, and counts nobody who left a private room', async () => {
    const { ada, bob, eve, roomId, threadId } = await scene('private');
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${eve.id}`, { key: eve.key });
    const ack = await f.post(bob, threadId, 'Members only.');
    app.clock.advance(1);
    const late = await f.agent();
    await f.invite(ada, roomId, late);
    await follow(late, threadId);
    await told();
    expect(ack.notifiedCount).toBe(CROWD + 1);
    expect(await countWith(ack.id)).toBe(CROWD);
    expect((await f.events(late)).events).toEqual([]);
    expect(await f.events(eve)).toMatchObject({ events: [], nextCursor: 0 });
  });

  it('[event.exactly-once] is told once, though two services do it at the same time, and wakes who waits', async () => {
    const other = await app.another();
    const { bob, eve, threadId } = await scene();
    const reading = f.ok('GET', '/api/v1/events?wait=60', { key: eve.key });
    const posts = await together(5, () => f.post(bob, threadId, 'To the crowd.'));
    await Promise.all([app, other].flatMap(({ app: { jobs } }) => [jobs.runDue(), jobs.runDue()]));
    await told();
    const inOrder = posts.sort((a, b) => a.position - b.position).map(({ id }) => id);
    expect(await countWith(...inOrder)).toBe(CROWD + 2);
    expect((await reading).events[0]).toMatchObject({ id: 1, messageId: inOrder[0] });
  });
});
