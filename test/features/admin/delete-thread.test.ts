import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { removeContent } from '../../../src/features/admin/remove-content.ts';
import * as threads from '../../../src/features/threads/deletion.store.ts';
import { broken, invariants } from '../../../src/cli/invariants.store.ts';
import { startApp } from '../../support/app.ts';
import {
  type Answer,
  factories,
  type Loose,
  type RequestOptions,
  refused,
  type TestAgent,
  together,
  until,
} from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';
import { everythingStored, holding } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const other = await app.another();
const nodes = [f, factories(other)] as const;
const now = () => new Date(app.clock()).toISOString();

const remove = (id: string, via: typeof f = f) =>
  via.send('DELETE', `/api/v1/admin/threads/${id}`, { admin: true });
const outcome = ({ status, body }: Answer<Loose>) =>
  status === 200 ? '200' : `${status} ${body?.code}`;

/** A room of `ada` with a thread of `bob`, which `eve` follows. */
async function scene(
  visibility: 'public' | 'private' = 'public',
  more: Record<string, unknown> = {},
) {
  const [ada, bob, eve] = [await f.agent(), await f.agent(), await f.agent()];
  const roomId = await f.room(ada, visibility);
  for (const guest of [bob, eve]) await f.invite(ada, roomId, guest);
  const threadId = await f.thread(bob, roomId, more);
  await f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: eve.key });
  const { id: messageId } = await f.post(bob, threadId, `For @${ada.handle}`);
  const { id: fileId } = await f.attach(bob, messageId);
  return { ada, bob, eve, roomId, threadId, messageId, fileId };
}

/** How everything that can be done with a thread ends. */
async function everything(
  { threadId, messageId, fileId }: Awaited<ReturnType<typeof scene>>,
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
    ends.push(outcome(await via.send(method, path, { key, ...options })));
  return ends;
}

/** Adds messages behind those that a thread has. */
const fill = (threadId: string, authorId: string, count: number) =>
  db.run(sql`WITH t AS (UPDATE threads SET message_count = message_count + ${count} WHERE id = ${threadId} RETURNING message_count)
    INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at)
    SELECT gen_random_uuid(), ${threadId}::uuid, t.message_count - n, ${authorId}::uuid, 'Filling words ' || n, sha256('x'), gen_random_uuid(), ${now()}::timestamptz
    FROM t, generate_series(1, ${count}) n`);
const left = async (threadId: string) =>
  (
    await db.first<{ count: number }>(
      sql`SELECT count(*) AS count FROM messages WHERE thread_id = ${threadId} AND (body <> '' OR deleted_at IS NULL)`,
    )
  )?.count;
const removals = async () => (await db.rows(sql`SELECT 1 FROM thread_removals`)).length;
const consistent = async () => {
  for (const invariant of invariants)
    expect([invariant.breaks, (await broken(db, invariant)).count]).toEqual([invariant.breaks, 0]);
};

describe('a deleted thread', () => {
  it('[delete.thread] is gone at once in all that can be done with it, for its author and followers, on every node', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const place = await scene(visibility);
      for (const via of [...nodes, ...nodes, ...nodes])
        await via.ok('GET', `/api/v1/threads/${place.threadId}/messages?limit=2`, {
          key: place.eve.key,
        });
      const answer = await remove(place.threadId, nodes[1]);
      expect([answer.status, answer.body]).toEqual([200, { id: place.threadId }]);
      for (const via of nodes)
        for (const who of [place.ada, place.bob, place.eve])
          expect(await everything(place, via, who)).toEqual(Array(11).fill('410 gone'));
      const stranger = await f.agent();
      expect(new Set(await everything(place, f, stranger))).toEqual(
        new Set([visibility === 'public' ? '410 gone' : '404 not_found']),
      );
    }
  });

  it('[delete.thread] is listed and counted nowhere, nor exported', async () => {
    const { ada, roomId, threadId } = await scene();
    const seen = async () => ({
      room: await f.ok('GET', `/api/v1/rooms/${roomId}`),
      threads: await f.ok('GET', `/api/v1/threads?roomId=${roomId}`, { key: ada.key }),
      stats: await f.ok('GET', '/api/v1/stats'),
    });
    const before = await seen();
    app.clock.advance(1000);
    const extra = await f.thread(ada, roomId, { title: 'Extra title' });
    await f.attach(ada, (await f.post(ada, extra, 'More.')).id);
    const { stats, room } = await seen();
    expect([stats.threads, stats.messages, stats.files, stats.messagesLast24h]).toEqual([
      before.stats.threads + 1,
      before.stats.messages + 2,
      before.stats.files + 1,
      before.stats.messagesLast24h + 2,
    ]);
    expect(room).toMatchObject({ threadCount: 2, lastActivityAt: now() });
    await remove(extra);
    expect(await seen()).toEqual({ ...before, stats: { ...before.stats, asOf: now() } });
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

  it('[delete.thread] has no events any more for cursor, long poll and stream, which move on', async () => {
    const { ada, bob, roomId, threadId } = await scene();
    const { nextCursor } = await f.events(ada);
    expect((await f.events(ada)).events.map(({ kind }: Loose) => kind)).toContain('mention');
    await f.post(bob, threadId, `Once more, @${ada.handle}`);
    await remove(threadId);
    expect((await f.events(ada)).events.filter((event: Loose) => event.threadId !== null)).toEqual(
      [],
    );
    expect(await f.events(ada, nextCursor)).toMatchObject({
      events: [],
      nextCursor: nextCursor + 1,
      hasMore: false,
    });
    const poll = nodes[1].ok('GET', `/api/v1/events?cursor=${nextCursor}&wait=30`, {
      key: ada.key,
    });
    const stream = await openStream(app.url, ada.key, `?cursor=${nextCursor}`);
    const next = await f.thread(bob, roomId, { body: `@${ada.handle}` });
    expect((await poll).events).toMatchObject([{ id: nextCursor + 2, threadId: next }]);
    expect(await stream.event()).toMatchObject({ id: String(nextCursor + 2) });
    stream.leave();
  });

  it('[delete.content] leaves nothing that anybody wrote in it, but who, where, when and how much', async () => {
    const place = await scene('public', {
      title: 'Unspeakable title',
      tags: ['unspeakable-tag'],
      body: 'Unspeakable body.',
    });
    const { bob, roomId, threadId, fileId } = place;
    await f.ok('PUT', `/api/v1/threads/${threadId}/summary`, {
      key: bob.key,
      body: { summary: 'Unspeakable summary.' },
    });
    await f.post(bob, threadId, `Unspeakable to @${bob.handle}.`);
    const before = (await f.ok('GET', `/api/v1/threads/${threadId}`)) as Loose;
    app.clock.advance(1000);
    await remove(threadId);
    const stored = await everythingStored(db);
    expect(holding(stored, 'nspeakable')).toEqual([]);
    expect(await db.rows(sql`SELECT 1 FROM files WHERE id = ${fileId}`)).toEqual([]);
    expect(await db.rows(sql`SELECT mentions FROM messages WHERE thread_id = ${threadId}`)).toEqual(
      Array(3).fill({ mentions: [] }),
    );
    const [row] = await db.rows<Loose>(
      sql`SELECT room_id, author_id, message_count, created_at, deleted_at, title, summary_by FROM threads WHERE id = ${threadId}`,
    );
    expect(row).toEqual({
      room_id: roomId,
      author_id: bob.id,
      message_count: 3,
      created_at: before.createdAt,
      deleted_at: now(),
      title: '(deleted)',
      summary_by: null,
    });
    await consistent();
  });

  it('[delete.search] is not found by its title, its messages or its files, nor is a deleted message', async () => {
    const { bob, threadId, messageId } = await scene('public', {
      title: 'Quizzaciously titled',
      body: 'Quizzaciously said.',
    });
    await f.attach(bob, messageId, { name: 'quizzaciously.txt', bytes: 'x' });
    const { id: other } = await f.post(bob, threadId, 'Also quizzaciously.');
    const found = async (via: typeof f): Promise<string[]> =>
      (await via.ok('GET', '/api/v1/search?q=quizzaciously', { key: bob.key })).results
        .map(({ type }: Loose) => type)
        .sort();
    expect(await found(f)).toEqual(['file', 'message', 'message', 'thread']);
    await f.ok('DELETE', `/api/v1/admin/messages/${other}`, { admin: true });
    for (const via of nodes) expect(await found(via)).toEqual(['file', 'message', 'thread']);
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    for (const via of nodes) expect(await found(via)).toEqual(['message', 'thread']);
    await remove(threadId);
    for (const via of nodes) expect(await found(via)).toEqual([]);
  });

  it('[delete.followers] is followed by nobody, and who was not told yet is not told', async () => {
    const { bob, threadId } = await scene();
    await db.run(sql`WITH crowd AS (INSERT INTO agents (id, handle, created_at, last_active_on)
        SELECT gen_random_uuid(), 'crowd-' || n, ${now()}, ${now()} FROM generate_series(1, 600) n RETURNING id),
      heads AS (INSERT INTO event_heads (agent_id) SELECT id FROM crowd)
      INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at) SELECT ${threadId}::uuid, id, 0, ${now()} FROM crowd`);
    await f.post(bob, threadId, 'To the crowd.');
    await remove(threadId);
    expect(await db.rows(sql`SELECT 1 FROM event_fanouts WHERE thread_id = ${threadId}`)).toEqual(
      [],
    );
    await app.app.jobs.runDue();
    expect(await db.rows(sql`SELECT 1 FROM subscriptions WHERE thread_id = ${threadId}`)).toEqual(
      [],
    );
    expect(await removals()).toBe(0);
  });

  it('[delete.repeat] may be deleted again', async () => {
    const { threadId } = await scene();
    await remove(threadId);
    const deletedAt = () =>
      db.rows(sql`SELECT deleted_at, revision FROM threads WHERE id = ${threadId}`);
    const before = await deletedAt();
    app.clock.advance(1000);
    for (const via of nodes) expect((await remove(threadId, via)).body).toEqual({ id: threadId });
    expect(await deletedAt()).toEqual(before);
    expect(await remove(newId())).toMatchObject(refused(404, 'not_found'));
  });
});

describe('a long thread', () => {
  it('[delete.resumable] [delete.thread] is gone at once and emptied in slices, wherever those are interrupted', async () => {
    const place = await scene();
    const { bob, threadId } = place;
    await fill(threadId, bob.id, 3_500);
    await db.run(
      sql`CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$`,
    );
    // Whatever comes to this message dies, as often as it tries.
    await db.run(
      sql`CREATE TRIGGER interrupt BEFORE UPDATE ON messages FOR EACH ROW WHEN (OLD.position = 2500) EXECUTE FUNCTION interrupt()`,
    );
    expect((await remove(threadId)).status).toBe(200);
    for (const via of nodes)
      expect(await everything(place, via, bob)).toEqual(Array(11).fill('410 gone'));

    await until('the slices before it are empty', async () => (await left(threadId)) === 1_302);
    await until('another node dies of it, too', () =>
      other.app.jobs.runDue().then(
        () => false,
        (error: unknown) => String(error).includes('killed'),
      ),
    );
    expect(await left(threadId)).toBe(1_302);
    expect(holding(await everythingStored(db), 'Filling words').length).toBe(1_302);
    for (const via of nodes)
      expect(await everything(place, via, bob)).toEqual(Array(11).fill('410 gone'));
    // A follower whose subscription is among what is still there.
    await db.run(
      sql`INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at) VALUES (${threadId}, ${place.eve.id}, 0, ${now()}) ON CONFLICT DO NOTHING`,
    );
    expect(
      await f.outcome('DELETE', `/api/v1/threads/${threadId}/subscription`, { key: place.eve.key }),
    ).toBe('410 gone');
    expect((await remove(threadId)).status).toBe(200);

    await db.run(sql`DROP TRIGGER interrupt ON messages`);
    await Promise.all([app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect([await left(threadId), await removals()]).toEqual([0, 0]);
    await consistent();
  });

  it('[delete.resumable] is emptied by what runs next when the service stops in between', async () => {
    const { bob, threadId } = await scene();
    await fill(threadId, bob.id, 900);
    const dying = await app.another();
    await remove(threadId, factories(dying));
    await dying.app[Symbol.asyncDispose]();
    await until('another node has emptied it', async () => (await removals()) === 0);
    expect(await left(threadId)).toBe(0);
  });
});

describe('a deletion beside everything else', () => {
  it('[delete.races] is not overtaken by a follower who came while it was under way', async () => {
    const { ada, threadId } = await scene();
    let commit: (() => void) | undefined;
    const deletion = db.transaction(async (tx) => {
      await threads.hold(tx, threadId);
      threads.markDeleted(tx, threadId, now());
      await removeContent(tx, { threadId, nextPosition: 0, deletedAt: now() }, 200);
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await until('the thread is held', () => commit !== undefined);
    const waits = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const follow = f.send('PUT', `/api/v1/threads/${threadId}/subscription`, { key: ada.key });
    await until('it waits', async () => (await db.rows(waits)).length > 0);
    commit?.();
    await deletion;
    expect(await follow).toMatchObject(refused(410, 'gone'));
    expect(await db.rows(sql`SELECT 1 FROM subscriptions WHERE thread_id = ${threadId}`)).toEqual(
      [],
    );
  });

  it('[delete.races] leaves a thread that is gone, empty and consistent, whatever came at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const { ada, bob, eve, roomId, threadId, messageId } = await scene();
      const beside = await f.thread(ada, roomId);
      const thread = `/api/v1/threads/${threadId}`;
      const answers = await together(40, async (n) => {
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
          outcome(answer),
        );
      expect(await f.outcome('GET', thread, { key: bob.key })).toBe('410 gone');
      await app.app.jobs.runDue();
      expect([await left(threadId), await removals()]).toEqual([0, 0]);
      expect(await db.rows(sql`SELECT 1 FROM subscriptions WHERE thread_id = ${threadId}`)).toEqual(
        [],
      );
      expect(
        (await f.events(ada)).events.filter((event: Loose) => event.threadId === threadId),
      ).toEqual([]);
    }
    expect(holding(await everythingStored(db), 'Racing words')).toEqual([]);
    await consistent();
  });
});
