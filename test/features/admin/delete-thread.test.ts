import { describe, expect, it } from 'vitest';
import { findBroken, invariants } from '../../../src/cli/doctor/invariants.store.ts';
import { sql } from '../../../src/db/sql.ts';
import { removeThreadContent } from '../../../src/features/admin/remove-thread-content.ts';
import * as threads from '../../../src/features/threads/deletion.store.ts';
import { startApp } from '../../support/app.ts';
import {
  type Answer,
  buildProblem,
  factories,
  type Json,
  type RequestOptions,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const other = await app.startNode();
const nodes = [f, factories(other)] as const;
const now = () => new Date(app.clock()).toISOString();

const remove = (id: string, via: typeof f = f) =>
  via.send('DELETE', `/api/v1/admin/threads/${id}`, { admin: true });
const toOutcome = ({ status, body }: Answer<Json>) =>
  status === 200 ? '200' : `${status} ${body?.code}`;

/** Creates a room of `ada` with a thread of `bob`, which `eve` follows. */
async function setUp(
  visibility: 'public' | 'private' = 'public',
  more: Record<string, unknown> = {},
) {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const eve = await f.createAgent();
  const roomId = await f.createRoom(ada, visibility);
  for (const guest of [bob, eve]) await f.addMember(ada, roomId, guest);
  const threadId = await f.createThread(bob, roomId, more);
  await f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: eve.key });
  const { id: messageId } = await f.postMessage(bob, threadId, `For @${ada.handle}`);
  const { id: fileId } = await f.attachFile(bob, messageId);
  return { ada, bob, eve, roomId, threadId, messageId, fileId };
}

/** Tries every operation on a thread and returns how each one ends. */
async function readEverything(
  { threadId, messageId, fileId }: Awaited<ReturnType<typeof setUp>>,
  via: typeof f,
  { key }: TestAgent,
) {
  const thread = `/api/v1/threads/${threadId}`;
  const calls: [string, string, RequestOptions?][] = [
    ['GET', thread],
    ['GET', `${thread}/messages`],
    ['GET', `${thread}/messages?offset=1&limit=1`],
    ['GET', `${thread}/messages?anchorId=${messageId}`],
    ['GET', `/threads/${threadId}.md`],
    ['GET', `/api/v1/files/${fileId}`],
    ['POST', `${thread}/messages`, { body: { body: 'Too late.', replyToId: messageId } }],
    ['POST', `/api/v1/messages/${messageId}/files`, { file: { name: 'late.txt', bytes: 'x' } }],
    ['PUT', `${thread}/summary`, { body: { summary: 'S', messageIds: [messageId] } }],
    ['PUT', `${thread}/subscription`],
    ['DELETE', `${thread}/subscription`],
  ];
  const ends: string[] = [];
  for (const [method, path, options] of calls)
    ends.push(toOutcome(await via.send(method, path, { key, ...options })));
  return ends;
}

/** Appends messages to a thread by SQL. */
const insertMessages = (threadId: string, authorId: string, count: number) =>
  db.run(sql`
    WITH t AS (
      UPDATE threads
      SET message_count = message_count + ${count}
      WHERE id = ${threadId}
      RETURNING message_count
    )
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
    )
    SELECT gen_random_uuid(), ${threadId}::uuid, t.message_count - n, ${authorId}::uuid,
      'Filling words ' || n, sha256('x'), gen_random_uuid(), ${now()}::timestamptz
    FROM t, generate_series(1, ${count}) n
  `);
const countLeft = async (threadId: string) =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM messages
      WHERE thread_id = ${threadId} AND (body <> '' OR deleted_at IS NULL)
    `)
  )?.count;
const countRemovals = async () => (await db.rows(sql`SELECT 1 FROM thread_removals`)).length;
const expectConsistent = async () => {
  for (const invariant of invariants)
    expect({
      breaks: invariant.breaks,
      count: (await findBroken(db, invariant)).count,
    }).toEqual({ breaks: invariant.breaks, count: 0 });
};

describe('deleteThread', () => {
  it('[delete.thread] makes every operation on the thread fail at once on every node', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const place = await setUp(visibility);
      for (const via of [...nodes, ...nodes, ...nodes])
        await via.ok('GET', `/api/v1/threads/${place.threadId}/messages?limit=2`, {
          key: place.eve.key,
        });
      const answer = await remove(place.threadId, nodes[1]);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { id: place.threadId },
      });
      for (const via of nodes)
        for (const who of [place.ada, place.bob, place.eve])
          expect(await readEverything(place, via, who)).toEqual(Array(11).fill('410 gone'));
      const stranger = await f.createAgent();
      expect(new Set(await readEverything(place, f, stranger))).toEqual(
        new Set([visibility === 'public' ? '410 gone' : '404 not_found']),
      );
    }
  });

  it('[delete.thread] removes the thread from lists, counts and exports', async () => {
    const { ada, roomId, threadId } = await setUp();
    const readLists = async () => ({
      room: await f.ok('GET', `/api/v1/rooms/${roomId}`),
      threads: await f.ok('GET', `/api/v1/threads?roomId=${roomId}`, { key: ada.key }),
      stats: await f.ok('GET', '/api/v1/stats'),
    });
    const before = await readLists();
    app.clock.advance(1000);
    const extra = await f.createThread(ada, roomId, { title: 'Extra title' });
    await f.attachFile(ada, (await f.postMessage(ada, extra, 'More.')).id);
    const { stats, room } = await readLists();
    expect({
      threads: stats.threads,
      messages: stats.messages,
      files: stats.files,
      messagesLast24h: stats.messagesLast24h,
    }).toEqual({
      threads: before.stats.threads + 1,
      messages: before.stats.messages + 2,
      files: before.stats.files + 1,
      messagesLast24h: before.stats.messagesLast24h + 2,
    });
    expect(room).toMatchObject({ threadCount: 2, lastActivityAt: now() });
    await remove(extra);
    expect(await readLists()).toEqual({ ...before, stats: { ...before.stats, asOf: now() } });
    const lines = (await f.send('GET', `/api/v1/rooms/${roomId}/export`, { key: ada.key })).text
      .trim()
      .split('\n');
    const exported = lines.map((line) => JSON.parse(line));
    expect(exported.filter(({ type }) => type === 'thread').map(({ id }) => id)).toEqual([
      threadId,
    ]);
    expect(exported.at(-1)).toMatchObject({
      type: 'end',
      counts: { thread: 1, message: 2, file: 1 },
    });
  });

  it("[delete.thread] makes cursor, long poll and stream skip the thread's events", async () => {
    const { ada, bob, roomId, threadId } = await setUp();
    const { nextCursor } = await f.listEvents(ada);
    expect((await f.listEvents(ada)).events.map(({ kind }: Json) => kind)).toContain('mention');
    await f.postMessage(bob, threadId, `Once more, @${ada.handle}`);
    await remove(threadId);
    expect(
      (await f.listEvents(ada)).events.filter((event: Json) => event.threadId !== null),
    ).toEqual([]);
    expect(await f.listEvents(ada, nextCursor)).toMatchObject({
      events: [],
      nextCursor: nextCursor + 1,
      hasMore: false,
    });
    const poll = nodes[1].ok('GET', `/api/v1/events?cursor=${nextCursor}&wait=30`, {
      key: ada.key,
    });
    const stream = await openStream(app.url, ada.key, `?cursor=${nextCursor}`);
    const next = await f.createThread(bob, roomId, { body: `@${ada.handle}` });
    expect((await poll).events).toMatchObject([{ id: nextCursor + 2, threadId: next }]);
    expect(await stream.nextEvent()).toMatchObject({ id: String(nextCursor + 2) });
    stream.disconnect();
  });

  it('[delete.content] removes what was written and keeps who and when', async () => {
    const place = await setUp('public', {
      title: 'Unspeakable title',
      tags: ['unspeakable-tag'],
      body: 'Unspeakable body.',
    });
    const { bob, roomId, threadId, fileId } = place;
    await f.ok('PUT', `/api/v1/threads/${threadId}/summary`, {
      key: bob.key,
      body: { summary: 'Unspeakable summary.' },
    });
    await f.postMessage(bob, threadId, `Unspeakable to @${bob.handle}.`);
    const before = (await f.ok('GET', `/api/v1/threads/${threadId}`)) as Json;
    app.clock.advance(1000);
    await remove(threadId);
    const stored = await listStoredRows(db);
    expect(findRowsContaining(stored, 'nspeakable')).toEqual([]);
    expect(await db.rows(sql`SELECT 1 FROM files WHERE id = ${fileId}`)).toEqual([]);
    expect(await db.rows(sql`SELECT mentions FROM messages WHERE thread_id = ${threadId}`)).toEqual(
      Array(3).fill({ mentions: [] }),
    );
    const [row] = await db.rows<Json>(sql`
      SELECT room_id, author_id, message_count, created_at, deleted_at, title, summary_by
      FROM threads
      WHERE id = ${threadId}
    `);
    expect(row).toEqual({
      room_id: roomId,
      author_id: bob.id,
      message_count: 3,
      created_at: before.createdAt,
      deleted_at: now(),
      title: '(deleted)',
      summary_by: null,
    });
    await expectConsistent();
  });

  it('[attack.22-4] (API4) deletes requests that are over with their messages', async () => {
    const { bob, threadId } = await setUp();
    const ask = async () => (await f.postMessage(bob, threadId, 'Who?', { request: true })).id;
    const cancel = async (id: string) =>
      f.ok('POST', `/api/v1/messages/${id}/request/cancel`, { key: bob.key });
    await ask();
    await cancel(await ask());
    await insertMessages(threadId, bob.id, 400);
    const late = await ask();
    await cancel(late);
    const listStored = async () =>
      (
        await db.rows<{ id: string }>(sql`
          SELECT message_id AS id FROM requests WHERE thread_id = ${threadId}
        `)
      ).map(({ id }) => id);
    expect(await listStored()).toHaveLength(3);
    await remove(threadId);
    expect(await listStored()).toEqual([late]);
    await app.app.jobs.runDue();
    expect(await listStored()).toEqual([]);
    await expectConsistent();
  });

  it('[delete.search] removes titles, messages and files from search', async () => {
    const { bob, threadId, messageId } = await setUp('public', {
      title: 'Quizzaciously titled',
      body: 'Quizzaciously said.',
    });
    await f.attachFile(bob, messageId, { name: 'quizzaciously.txt', bytes: 'x' });
    const { id: other } = await f.postMessage(bob, threadId, 'Also quizzaciously.');
    const searchIds = async (via: typeof f): Promise<string[]> =>
      (await via.ok('GET', '/api/v1/search?q=quizzaciously', { key: bob.key })).results
        .map(({ type }: Json) => type)
        .sort();
    expect(await searchIds(f)).toEqual(['file', 'message', 'message', 'thread']);
    await f.ok('DELETE', `/api/v1/admin/messages/${other}`, { admin: true });
    for (const via of nodes) expect(await searchIds(via)).toEqual(['file', 'message', 'thread']);
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    for (const via of nodes) expect(await searchIds(via)).toEqual(['message', 'thread']);
    await remove(threadId);
    for (const via of nodes) expect(await searchIds(via)).toEqual([]);
  });

  it('[delete.followers] ends subscriptions and pending notifications', async () => {
    const { bob, threadId } = await setUp();
    await db.run(sql`
      WITH crowd AS (
        INSERT INTO agents (id, handle, created_at, last_active_on)
        SELECT gen_random_uuid(), 'crowd-' || n, ${now()}, ${now()}
        FROM generate_series(1, 600) n
        RETURNING id
      ),
        heads AS (INSERT INTO event_heads (agent_id) SELECT id FROM crowd)
      INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
      SELECT ${threadId}::uuid, id, 0, ${now()}
      FROM crowd
    `);
    await f.postMessage(bob, threadId, 'To the crowd.');
    await remove(threadId);
    expect(await db.rows(sql`SELECT 1 FROM event_fanouts WHERE thread_id = ${threadId}`)).toEqual(
      [],
    );
    await app.app.jobs.runDue();
    expect(await db.rows(sql`SELECT 1 FROM subscriptions WHERE thread_id = ${threadId}`)).toEqual(
      [],
    );
    expect(await countRemovals()).toBe(0);
  });

  it('[delete.repeat] may be repeated', async () => {
    const { threadId } = await setUp();
    await remove(threadId);
    const getDeletion = () =>
      db.rows(sql`
        SELECT deleted_at, revision
        FROM threads
        WHERE id = ${threadId}
      `);
    const before = await getDeletion();
    app.clock.advance(1000);
    for (const via of nodes) expect((await remove(threadId, via)).body).toEqual({ id: threadId });
    expect(await getDeletion()).toEqual(before);
    expect(await remove(newId())).toMatchObject(buildProblem(404, 'not_found'));
  });
});

describe('deleteThread of a long thread', () => {
  it('[delete.resumable] [delete.thread] hides at once and resumes emptying', async () => {
    const place = await setUp();
    const { bob, threadId } = place;
    await insertMessages(threadId, bob.id, 3_500);
    await db.run(
      sql`
        CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$
      `,
    );
    // Deleting this message fails as often as it is tried.
    await db.run(sql`
      CREATE TRIGGER interrupt BEFORE
      UPDATE ON messages FOR EACH ROW WHEN (OLD.position = 2500) EXECUTE FUNCTION interrupt()
    `);
    expect((await remove(threadId)).status).toBe(200);
    for (const via of nodes)
      expect(await readEverything(place, via, bob)).toEqual(Array(11).fill('410 gone'));

    await waitUntil(
      'the slices before it are empty',
      async () => (await countLeft(threadId)) === 1_302,
    );
    await waitUntil('another node dies of it, too', () =>
      other.app.jobs.runDue().then(
        () => false,
        (error: unknown) => String(error).includes('killed'),
      ),
    );
    expect(await countLeft(threadId)).toBe(1_302);
    expect(findRowsContaining(await listStoredRows(db), 'Filling words').length).toBe(1_302);
    for (const via of nodes)
      expect(await readEverything(place, via, bob)).toEqual(Array(11).fill('410 gone'));
    // This follower's subscription is among those that still exist.
    await db.run(sql`
      INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
      VALUES (${threadId}, ${place.eve.id}, 0, ${now()})
      ON CONFLICT
      DO NOTHING
    `);
    expect(
      await f.sendForOutcome('DELETE', `/api/v1/threads/${threadId}/subscription`, {
        key: place.eve.key,
      }),
    ).toBe('410 gone');
    expect((await remove(threadId)).status).toBe(200);

    await db.run(sql`DROP TRIGGER interrupt ON messages`);
    await Promise.all([app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect({ left: await countLeft(threadId), removals: await countRemovals() }).toEqual({
      left: 0,
      removals: 0,
    });
    await expectConsistent();
  });

  it('[delete.resumable] lets the next service continue when one stops in between', async () => {
    const { bob, threadId } = await setUp();
    await insertMessages(threadId, bob.id, 900);
    const dying = await app.startNode();
    await remove(threadId, factories(dying));
    await dying.app[Symbol.asyncDispose]();
    await waitUntil('another node has emptied it', async () => (await countRemovals()) === 0);
    expect(await countLeft(threadId)).toBe(0);
  });
});

describe('deleteThread under concurrency', () => {
  it('[delete.races] is not undone by a follower who subscribes during the deletion', async () => {
    const { ada, threadId } = await setUp();
    let commit: (() => void) | undefined;
    const deletion = db.transaction(async (tx) => {
      await threads.lock(tx, threadId);
      threads.markDeleted(tx, threadId, now());
      await removeThreadContent(tx, { threadId, nextPosition: 0, deletedAt: now() }, 200);
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await waitUntil('the thread is held', () => commit !== undefined);
    const waits = sql`
      SELECT 1
      FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
    `;
    const follow = f.send('PUT', `/api/v1/threads/${threadId}/subscription`, { key: ada.key });
    await waitUntil('it waits', async () => (await db.rows(waits)).length > 0);
    commit?.();
    await deletion;
    expect(await follow).toMatchObject(buildProblem(410, 'gone'));
    expect(await db.rows(sql`SELECT 1 FROM subscriptions WHERE thread_id = ${threadId}`)).toEqual(
      [],
    );
  });

  it('[delete.races] leaves the thread empty and consistent under any race', async () => {
    for (let round = 0; round < 6; round++) {
      const { ada, bob, eve, roomId, threadId, messageId } = await setUp();
      const beside = await f.createThread(ada, roomId);
      const thread = `/api/v1/threads/${threadId}`;
      const answers = await runConcurrently(40, async (n) => {
        const via = nodes[n % 2] ?? f;
        if (n === 17 + round) return ['remove', await remove(threadId, via)] as const;
        if (n === 23)
          return [
            'remove',
            await via.send('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true }),
          ] as const;
        if (n % 5 === 0)
          return [
            'follow',
            await via.send('PUT', `${thread}/subscription`, { key: ada.key }),
          ] as const;
        if (n % 5 === 1)
          return [
            'unfollow',
            await via.send('DELETE', `${thread}/subscription`, { key: eve.key }),
          ] as const;
        if (n % 5 === 2)
          return [
            'beside',
            await via.send('POST', `/api/v1/threads/${beside}/messages`, {
              key: ada.key,
              body: { body: 'Beside.' },
            }),
          ] as const;
        return [
          'post',
          await via.send('POST', `${thread}/messages`, {
            key: bob.key,
            body: { body: `Racing words @${ada.handle}` },
          }),
        ] as const;
      });
      for (const [what, answer] of answers)
        expect(['200', ...(['remove', 'beside'].includes(what) ? [] : ['410 gone'])]).toContain(
          toOutcome(answer),
        );
      expect(await f.sendForOutcome('GET', thread, { key: bob.key })).toBe('410 gone');
      await app.app.jobs.runDue();
      expect({ left: await countLeft(threadId), removals: await countRemovals() }).toEqual({
        left: 0,
        removals: 0,
      });
      expect(await db.rows(sql`SELECT 1 FROM subscriptions WHERE thread_id = ${threadId}`)).toEqual(
        [],
      );
      expect(
        (await f.listEvents(ada)).events.filter((event: Json) => event.threadId === threadId),
      ).toEqual([]);
    }
    expect(findRowsContaining(await listStoredRows(db), 'Racing words')).toEqual([]);
    await expectConsistent();
  });
});
