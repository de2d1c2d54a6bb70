import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { raw, sql } from '../../src/db/sql.ts';
import { startApp } from '../support/app.ts';
import {
  type Answer,
  buildProblem,
  factories,
  type Json,
  type TestAgent,
  waitUntil,
} from '../support/factories.ts';

const app = await startApp();
const { db, newId, groupCommit: share } = app.app.env;
const f = factories(app);
/** A connection of the test's own: with it, a test holds a thread until everyone else waits. */
const ownClient = new pg.Client({ ...db.connection, application_name: 'test' });
await ownClient.connect();
afterAll(() => ownClient.end());

const owner = await f.createAgent();
const roomId = await f.createRoom(owner);
const gate = await f.createThread(owner, roomId);

async function createMembers(count: number): Promise<TestAgent[]> {
  const agents = await f.createAgents(count);
  await Promise.all(agents.map((agent) => f.joinRoom(agent, roomId)));
  return agents;
}

/**
 * Sends all requests so that they share a transaction: a first one, which waits for a lock, keeps
 * them until all are there.
 */
async function sendInOneBatch(
  requests: readonly { path: string; key?: string; body: unknown; idem?: string }[],
): Promise<Answer<Json>[]> {
  // A second call with one idempotency key waits for the first.
  const twins = requests.filter(
    ({ idem }, nr) => idem && requests.findIndex((one) => one.idem === idem) < nr,
  );
  await ownClient.query('BEGIN');
  await ownClient.query('SELECT 1 FROM threads WHERE id = $1 FOR UPDATE', [gate]);
  const first = f.postMessage(owner, gate, 'First in the row.');
  await waitUntil(
    'the first one waits',
    async () =>
      (
        await ownClient.query(
          "SELECT 1 FROM pg_stat_activity WHERE application_name = 'stoa' AND " +
            "wait_event_type = 'Lock'",
        )
      ).rowCount === 1,
  );
  const answers = requests.map(({ path, ...options }) => f.send('POST', path, options));
  await waitUntil('all are there', () => share.waiting === requests.length - twins.length);
  await ownClient.query('COMMIT');
  await first;
  return Promise.all(answers);
}

const postInOneBatch = (
  posts: readonly { threadId: string; key: string; body: unknown; idem?: string }[],
): Promise<Answer<Json>[]> =>
  sendInOneBatch(
    posts.map(({ threadId, ...options }) => ({
      path: `/api/v1/threads/${threadId}/messages`,
      ...options,
    })),
  );

/** The transaction that wrote each of these messages or agents. */
const listTransactions = async (
  ids: readonly string[],
  table: 'messages' | 'agents' = 'messages',
): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ xmin: string }>(sql`
        SELECT xmin::text
        FROM ${raw(table)}
        WHERE id = ANY(${ids}::uuid[])
      `)
    ).map(({ xmin }) => xmin),
  );

// Each has its message, count, receipt, record and events, in order.
it('[event.exactly-once] [idem.same-transaction] posts of one batch are each whole', async () => {
  const agents = await createMembers(6);
  const threads = await Promise.all(agents.map(() => f.createThread(owner, roomId)));
  const idems = agents.map(() => newId());
  const posts = agents.map((agent, n) => ({
    threadId: threads[n] ?? '',
    key: agent.key,
    idem: idems[n] ?? '',
    body: { body: `Number ${n} for @${owner.handle}` },
  }));
  const { nextCursor: cursor } = await f.listEvents(owner);
  const answers = await postInOneBatch(posts);
  expect(answers.map(({ status }) => status)).toEqual(agents.map(() => 200));
  const ids = answers.map(({ body }) => body.id as string);
  expect(await listTransactions(ids)).toHaveLength(1);

  for (const [n, { body }] of answers.entries()) {
    expect(body).toMatchObject({
      position: 1,
      notified: [{ handle: owner.handle, reason: 'mention' }],
    });
    const page = await f.ok('GET', `/api/v1/threads/${threads[n]}/messages`);
    expect(page).toMatchObject({
      total: 2,
      messages: [
        {},
        {
          id: body.id,
          body: `Number ${n} for @${owner.handle}`,
          mentions: [owner.handle],
          authorHandle: agents[n]?.handle,
        },
      ],
    });
    expect(
      await db.rows(sql`
        SELECT actor_id AS "actorId"
        FROM portable_events
        WHERE id = ${body.receiptId} AND subject_id = ${body.id}
      `),
    ).toEqual([{ actorId: agents[n]?.id }]);
  }
  const { events } = await f.listEvents(owner, cursor);
  expect(events.map(({ messageId }: Json) => messageId).sort()).toEqual([...ids].sort());
  expect(events.map(({ id }: Json) => id)).toEqual(ids.map((_, n) => cursor + n + 1));

  const again = await Promise.all(
    posts.map(({ threadId, ...options }) =>
      f.send('POST', `/api/v1/threads/${threadId}/messages`, options),
    ),
  );
  expect(again.map(({ text, headers }) => [text, headers.get('idempotency-replayed')])).toEqual(
    answers.map(({ text }) => [text, 'true']),
  );
});

it('[error.nothing-half-done] a refusal among them concerns nobody else', async () => {
  const [ada, bob] = (await createMembers(2)) as [TestAgent, TestAgent];
  const stranger = await f.createAgent();
  const [one, two, three] = await Promise.all([
    f.createThread(ada, roomId),
    f.createThread(ada, roomId),
    f.createThread(ada, roomId),
  ]);
  const [fine, notMember, wrongReply, nowhere] = await postInOneBatch([
    { threadId: one, key: ada.key, body: { body: 'Fine.' } },
    { threadId: two, key: stranger.key, body: { body: 'Let me in.' } },
    { threadId: three, key: bob.key, body: { body: 'An answer.', replyToId: newId() } },
    { threadId: newId(), key: bob.key, body: { body: 'To nobody.' } },
  ]);
  expect(fine).toMatchObject({ status: 200, body: { position: 1 } });
  expect(notMember).toMatchObject(buildProblem(403, 'membership_required'));
  expect(wrongReply).toMatchObject(
    buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/replyToId' }] }),
  );
  expect(nowhere).toMatchObject(buildProblem(404, 'not_found'));
  for (const thread of [two, three])
    expect(await f.ok('GET', `/api/v1/threads/${thread}/messages`)).toMatchObject({ total: 1 });
});

it('[idem.reused] [error.nothing-half-done] a refused post leaves its batch written', async () => {
  const [ada, bob] = (await createMembers(2)) as [TestAgent, TestAgent];
  const [one, two, three] = await Promise.all([
    f.createThread(ada, roomId),
    f.createThread(ada, roomId),
    f.createThread(bob, roomId),
  ]);
  const idem = newId();
  const [first, second, other] = await postInOneBatch([
    { threadId: one, key: ada.key, idem, body: { body: 'The same key.' } },
    { threadId: two, key: ada.key, idem, body: { body: 'The same key.' } },
    { threadId: three, key: bob.key, body: { body: 'Nothing to do with it.' } },
  ]);
  expect(other).toMatchObject({ status: 200, body: { position: 1 } });
  expect([first?.status, second?.status].sort()).toEqual([200, 422]);
  expect([first, second].find((answer) => answer?.status === 422)).toMatchObject(
    buildProblem(422, 'idempotency_key_reused'),
  );
  const totals = await Promise.all(
    [one, two, three].map(
      async (thread) => (await f.ok('GET', `/api/v1/threads/${thread}/messages`)).total,
    ),
  );
  expect(totals.sort()).toEqual([1, 2, 2]);
});

it('[message.dense] posts to one thread go one after the other', async () => {
  const agents = await createMembers(5);
  const threadId = await f.createThread(owner, roomId);
  const answers = await postInOneBatch(
    agents.map(({ key }, n) => ({
      threadId: n % 2 ? threadId : threadId.toUpperCase(),
      key,
      body: { body: 'Me too.' },
    })),
  );
  expect(answers.map(({ body }) => body.position).sort()).toEqual([1, 2, 3, 4, 5]);
});

it('[agent.register-together] registrations of one batch are each whole', async () => {
  const path = '/api/v1/agents';
  const idems = [newId(), newId(), newId()];
  const register = (handle: string, idem = newId()) => ({ path, body: { handle }, idem });
  const handles = ['together-1', 'together-2', 'together-3'];
  const requests = [
    ...handles.map((handle, n) => register(handle, idems[n])),
    register('together-twice'),
    register('together-twice'),
    register(owner.handle),
    register('admin'),
  ];
  const answers = await sendInOneBatch(requests);
  const [one, two] = answers.slice(3);
  const winner = one?.status === 200 ? one : two;
  const created = [...answers.slice(0, 3), winner as Answer<Json>];
  expect(created.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect([one?.status, two?.status].sort()).toEqual([200, 409]);
  expect(answers.slice(5)).toMatchObject([
    buildProblem(409, 'handle_taken'),
    buildProblem(400, 'invalid_request'),
  ]);
  const ids = created.slice(0, 3).map(({ body }) => body.agent.id as string);
  expect(await listTransactions(ids, 'agents')).toHaveLength(1);
  for (const { body } of created)
    expect(await f.ok('GET', '/api/v1/me', { key: body.apiKey })).toMatchObject({
      id: body.agent.id,
    });
  // With the key of a registration, its answer is repeated, and nothing is registered again.
  const again = await f.send('POST', path, requests[0] ?? {});
  expect(again).toMatchObject({ status: 200, body: { agent: { id: ids[0] } } });
});
