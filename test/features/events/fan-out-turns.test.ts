import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { createNotifySubscribers } from '../../../src/features/events/notify-subscribers.job.ts';
import { MAX_WAITING_FANOUTS } from '../../../src/features/messages/waiting-fanouts.rules.ts';
import { startApp } from '../../support/app.ts';
import { factories, type TestAgent } from '../../support/factories.ts';
import { addCrowd, CROWD } from './crowd.ts';

const app = await startApp({}, { manualJobs: true });
const { db } = app.app.env;
const f = factories(app);
const author = await f.createAgent();
const roomId = await f.createRoom(author);

/** Starts a thread that its author does not follow, with a crowd that needs two slices. */
async function startCrowdedThread(): Promise<string> {
  const { id } = await f.ok('POST', `/api/v1/rooms/${roomId}/threads`, {
    key: author.key,
    body: { title: 'A crowd', body: 'Hello.', follow: false },
  });
  await addCrowd(db, roomId, id);
  return id;
}

/** Creates another member of the room. */
async function createMember(): Promise<TestAgent> {
  const member = await f.createAgent();
  await f.joinRoom(member, roomId);
  return member;
}

/** Posts messages in a thread, and returns their ids. */
async function post(threadId: string, count: number, by = author): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count)
    ids.push((await f.postMessage(by, threadId, 'x', { follow: false })).id);
  return ids;
}

/** Finds the thread whose subscribers a slice notified. */
async function findThread([agentId]: readonly string[]): Promise<string | undefined> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT thread_id AS id
    FROM subscriptions
    WHERE agent_id = ${agentId ?? null}
  `);
  return rows[0]?.id;
}

/** Counts the followers of a thread whose events are these messages, in this order from 1 on. */
const countTold = async (threadId: string, messageIds: readonly string[]): Promise<number> =>
  (
    await db.rows(sql`
      SELECT agent_id
      FROM events
      JOIN subscriptions USING (agent_id)
      WHERE thread_id = ${threadId}
      GROUP BY agent_id
      HAVING array_agg(message_id ORDER BY seq) = ${[...messageIds]}::uuid[]
        AND max(seq) = count(*)
    `)
  ).length;

/** Serves all who wait, and returns the thread of each slice. */
async function serveAll(notifySubscribers = createNotifySubscribers()): Promise<string[]> {
  const served: string[] = [];
  for (;;) {
    const threadId = await findThread((await notifySubscribers(db)) ?? []);
    if (threadId === undefined) return served;
    served.push(threadId);
  }
}

it('[attack.9-4] (API4) authors who wait in different threads are served in turns', async () => {
  const busy = await startCrowdedThread();
  const calm = await startCrowdedThread();
  const busyPosts = await post(busy, 3);
  const calmPosts = await post(calm, 1, await createMember());
  const notifySubscribers = createNotifySubscribers();
  const first = await findThread((await notifySubscribers(db)) ?? []);
  const late = await startCrowdedThread();
  const latePosts = await post(late, 1, await createMember());
  const served = [first, ...(await serveAll(notifySubscribers))];
  expect(served).toEqual([busy, calm, late, busy, calm, late, busy, busy, busy, busy]);
  expect(await countTold(busy, busyPosts)).toBe(CROWD);
  expect(await countTold(calm, calmPosts)).toBe(CROWD);
  expect(await countTold(late, latePosts)).toBe(CROWD);
});

it('[attack.48-1] (API4) whoever posts in many threads has one turn for all', async () => {
  const many: string[] = [];
  while (many.length < 4) many.push(await startCrowdedThread());
  for (const threadId of many) await post(threadId, 1);
  const calm = await startCrowdedThread();
  const calmPosts = await post(calm, 1, await createMember());
  const [first, ...others] = many;
  const served = await serveAll();
  expect(served.slice(0, 4)).toEqual([first, calm, first, calm]);
  expect(served.slice(4)).toEqual(others.flatMap((threadId) => [threadId, threadId]));
  expect(await countTold(calm, calmPosts)).toBe(CROWD);
});

it('[attack.48-1] (API4) a message behind one of somebody else has its own turns', async () => {
  const many = [await startCrowdedThread(), await startCrowdedThread()];
  const shared = await startCrowdedThread();
  for (const threadId of many) await post(threadId, 1);
  const [earlier] = await post(shared, 1);
  const [later] = await post(shared, 1, await createMember());
  const served = await serveAll();
  // Its own turns tell of the message before it.
  expect(served).toEqual(many.flatMap((threadId) => [threadId, shared, threadId, shared]));
  expect(await countTold(shared, [earlier ?? '', later ?? ''])).toBe(CROWD);
});

it('[attack.48-1] fan-outs without an author have one turn for all', async () => {
  const old = [await startCrowdedThread(), await startCrowdedThread()];
  for (const threadId of old) await post(threadId, 1);
  await db.run(sql`UPDATE event_fanouts SET author_id = NULL`);
  const calm = await startCrowdedThread();
  await post(calm, 1);
  expect(await serveAll()).toEqual([calm, old[0], calm, old[0], old[1], old[1]]);
});

it('[attack.9-4] [event.exactly-once] several nodes take turns at once', async () => {
  const threads = [await startCrowdedThread(), await startCrowdedThread()];
  const posts = [await post(threads[0] as string, 3), await post(threads[1] as string, 3)];
  const countWaiting = async () => (await db.rows(sql`SELECT 1 FROM event_fanouts`)).length;
  const walk = async () => {
    const notifySubscribers = createNotifySubscribers();
    while ((await countWaiting()) > 0) await notifySubscribers(db);
  };
  await Promise.all([walk(), walk(), walk()]);
  for (const [index, threadId] of threads.entries())
    expect(await countTold(threadId, posts[index] ?? [])).toBe(CROWD);
});

it('[attack.9-4] (API4) an author has a limited number of messages to tell of', async () => {
  const threadId = await startCrowdedThread();
  const calm = await f.createThread(author, roomId);
  const other = await f.createAgent();
  await f.joinRoom(other, roomId);
  const send = ({ key }: TestAgent, id: string) =>
    f.send('POST', `/api/v1/threads/${id}/messages`, {
      key,
      headers: { 'idempotency-key': `${key}-${id}` },
      body: { body: 'x' },
    });
  // They stand for messages in other threads: a limit by thread would count none of them.
  const [messageId] = await post(calm, 1);
  const waitForOthers = (count: number) =>
    db.run(sql`
      INSERT INTO event_fanouts (thread_id, message_id, author_id, served, created_at)
      SELECT thread_id, id, author_id, '{}', created_at
      FROM messages, generate_series(1, ${count})
      WHERE id = ${messageId ?? null}
    `);
  await waitForOthers(MAX_WAITING_FANOUTS - 1);
  await post(threadId, 1);
  const refused = await send(author, threadId);
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.body.detail).toContain(`${MAX_WAITING_FANOUTS} of your messages`);
  expect(refused.headers.get('retry-after')).toBe('5');
  // Whoever is notified at once waits for nothing, and others have a count of their own.
  expect((await send(author, await f.createThread(author, roomId))).status).toBe(200);
  expect((await send(other, threadId)).status).toBe(200);
  await db.run(sql`DELETE FROM event_fanouts`);
  expect((await send(author, threadId)).status).toBe(200);
});
