import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { MAX_DIRECT_SUBSCRIBERS } from '../../../src/features/messages/message-candidates.store.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const other = await app.startNode();
const nodes = [f, factories(other)] as const;
const now = () => new Date(app.clock()).toISOString();

const remove = (id: string, via = f) =>
  via.send('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
const messagesPath = (threadId: string, query = '') =>
  `/api/v1/threads/${threadId}/messages${query}`;
const listReceipts = (id: string) =>
  db.rows<Json>(sql`
    SELECT p.kind, p.visibility, p.actor_id, p.subject_type, encode(p.content_sha256, 'hex') AS sha
    FROM portable_events p
    WHERE p.subject_id = ${id}
    ORDER BY p.id
  `);
const getRevision = async (id: string) =>
  (await db.first<{ revision: number }>(sql`SELECT revision FROM threads WHERE id = ${id}`))
    ?.revision;

/** Creates a room of `ada` in which `bob` posts. */
async function setUp(visibility: 'public' | 'private' = 'public') {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const roomId = await f.createRoom(ada, visibility);
  await (visibility === 'public' ? f.joinRoom(bob, roomId) : f.addMember(ada, roomId, bob));
  return { ada, bob, roomId, threadId: await f.createThread(ada, roomId) };
}
const getPage = (who: TestAgent, threadId: string, via: typeof f = f): Promise<Json> =>
  via.ok('GET', messagesPath(threadId, '?limit=100'), { key: who.key });

describe('deleteMessage', () => {
  it('[delete.tombstone] leaves a tombstone with everything but the content', async () => {
    const { ada, bob, threadId } = await setUp();
    const first = await f.postMessage(ada, threadId, 'A question.');
    const message = await f.postMessage(bob, threadId, `Rude words, @${ada.handle}`, {
      replyToId: first.id,
    });
    const reply = await f.postMessage(ada, threadId, 'An answer.', { replyToId: message.id });
    await f.attachFile(bob, message.id);
    await f.ok('PUT', `/api/v1/threads/${threadId}/summary`, {
      key: ada.key,
      body: { summary: 'So', messageIds: [message.id] },
    });
    const before = await getPage(ada, threadId);
    expect(before.messages[2]).toMatchObject({
      mentions: [ada.handle],
      deleted: false,
      files: [{ name: 'notes.txt' }],
    });
    app.clock.advance(1000);
    const answer = await remove(message.id);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { id: message.id },
    });
    const after = await getPage(ada, threadId);
    const tombstone = {
      ...before.messages[2],
      body: '',
      mentions: [],
      files: [],
      deleted: true,
      deletedBy: 'administrator',
    };
    expect(after).toEqual({ ...before, messages: before.messages.with(2, tombstone) });
    expect(after.messages[3]).toMatchObject({ id: reply.id, replyToId: message.id, position: 3 });
    expect(await f.ok('GET', `/api/v1/threads/${threadId}`)).toMatchObject({
      messageCount: 4,
      summary: { messageIds: [message.id] },
    });
    expect(
      (await f.ok('GET', messagesPath(threadId, `?anchorId=${message.id}&limit=1`))).messages,
    ).toEqual([tombstone]);
    expect(
      (await f.postMessage(bob, threadId, 'And further.', { replyToId: message.id })).position,
    ).toBe(4);
  });

  it('[delete.content] removes the content and its files from the database', async () => {
    const { ada, bob, threadId } = await setUp();
    const message = await f.postMessage(bob, threadId, 'Unspeakableword in a body.');
    const file = await f.attachFile(bob, message.id, { name: 'unspeakablename.txt', bytes: 'x' });
    const kept = await f.attachFile(ada, (await f.postMessage(ada, threadId, 'Beside.')).id);
    await remove(message.id);
    const findStoredRowsContaining = async (text: string) =>
      findRowsContaining(await listStoredRows(db), text);
    expect(await findStoredRowsContaining('nspeakableword')).toEqual([]);
    // The stored answer for the author stays until the author can no longer repeat the call.
    expect(
      (await findStoredRowsContaining('unspeakablename.txt')).filter(
        (row) => !row.startsWith('idempotency_records '),
      ),
    ).toEqual([]);
    expect(await f.send('GET', `/api/v1/files/${file.id}`, { key: ada.key })).toMatchObject(
      buildProblem(410, 'gone'),
    );
    expect((await f.send('GET', `/api/v1/files/${kept.id}`)).status).toBe(200);
    expect(
      await f.send('POST', `/api/v1/messages/${message.id}/files`, {
        key: bob.key,
        file: { name: 'x', bytes: 'x' },
      }),
    ).toMatchObject(buildProblem(410, 'gone'));
    app.clock.advance(8 * 24 * 3600_000);
    await app.app.jobs.runDue();
    expect(await findStoredRowsContaining('unspeakablename.txt')).toEqual([]);
  });

  it('[delete.message-everywhere] changes cached pages, Markdown and exports', async () => {
    const { ada, bob, roomId, threadId } = await setUp('private');
    const { id } = await f.postMessage(bob, threadId, 'Unspeakable words.');
    // A full page is cached in memory once it has been read three times.
    for (const via of [...nodes, ...nodes, ...nodes])
      expect(
        (await via.send('GET', messagesPath(threadId, '?limit=2'), { key: ada.key })).text,
      ).toContain('Unspeakable');
    const getMarkdown = (via: typeof f) =>
      via.send('GET', `/threads/${threadId}.md`, { key: ada.key });
    const { headers } = await getMarkdown(f);
    expect((await remove(id, nodes[1])).status).toBe(200);
    for (const via of [...nodes, ...nodes]) {
      const page = await via.send('GET', messagesPath(threadId, '?limit=2'), { key: ada.key });
      expect(page.body.messages[1]).toMatchObject({ id, deleted: true, body: '' });
      const texts = [
        page,
        await getMarkdown(via),
        await via.send('GET', `/api/v1/rooms/${roomId}/export`, { key: ada.key }),
      ];
      for (const { status, text } of texts)
        expect({ status, shown: text.includes('Unspeakable') }).toEqual({
          status: 200,
          shown: false,
        });
    }
    const again = await f.send('GET', `/threads/${threadId}.md`, {
      key: ada.key,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(200);
  });

  it('[delete.message-everywhere] makes cursor, poll and stream skip it', async () => {
    const { ada, bob, threadId } = await setUp();
    const { nextCursor: start } = await f.listEvents(ada);
    const gone = await f.postMessage(bob, threadId, `@${ada.handle}: unspeakable.`);
    expect((await f.listEvents(ada, start)).events).toHaveLength(1);
    await remove(gone.id);
    expect(await f.listEvents(ada, start)).toEqual({
      events: [],
      nextCursor: start + 1,
      hasMore: false,
      unreadCount: 0,
    });
    const poll = nodes[1].ok('GET', `/api/v1/events?cursor=${start}&wait=30`, { key: ada.key });
    const stream = await openStream(app.url, ada.key, `?cursor=${start}`);
    expect(await stream.next()).toHaveProperty('comment');
    const next = await f.postMessage(bob, threadId, 'Next.');
    expect(await poll).toMatchObject({
      events: [{ id: start + 2, messageId: next.id }],
      nextCursor: start + 2,
    });
    expect(await stream.nextEvent()).toMatchObject({
      id: String(start + 2),
      data: { messageId: next.id },
    });
    stream.disconnect();
  });

  it('[delete.message-record] records one receipt without an actor', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const { bob, threadId } = await setUp(visibility);
      const { id, bodySha256, receiptId } = await f.postMessage(bob, threadId, 'Words.');
      await remove(id);
      await remove(id);
      const act = { visibility, subject_type: 'message', sha: bodySha256 };
      expect(await listReceipts(id)).toEqual([
        { kind: 'message.posted', actor_id: bob.id, ...act },
        { kind: 'message.deleted', actor_id: null, ...act },
      ]);
      expect((await getPage(bob, threadId)).messages[1].receiptId).toBe(receiptId);
    }
  });

  it('[delete.repeat] may be repeated, also concurrently and in a deleted thread', async () => {
    const { ada, bob, threadId } = await setUp();
    const { id } = await f.postMessage(bob, threadId, 'Words.');
    const answers = await runConcurrently(10, (n) => remove(id, nodes[n % 2]));
    expect(answers).toMatchObject(Array(10).fill({ status: 200, body: { id } }));
    expect(await listReceipts(id)).toHaveLength(2);
    const before = await getPage(ada, threadId);
    const revision = await getRevision(threadId);
    app.clock.advance(1000);
    expect((await remove(id)).status).toBe(200);
    expect({
      page: await getPage(ada, threadId),
      revision: await getRevision(threadId),
    }).toEqual({ page: before, revision });
    await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
    for (const message of before.messages)
      expect((await remove(message.id)).body).toEqual({ id: message.id });
    expect(await listReceipts(before.messages[0].id)).toHaveLength(1);
    expect(await remove(newId())).toMatchObject(buildProblem(404, 'not_found'));
  });

  it('[delete.followers] stops notifications of followers who were not notified yet', async () => {
    const { ada, bob, threadId } = await setUp();
    await db.run(sql`
      WITH crowd AS (
        INSERT INTO agents (id, handle, created_at, last_active_on)
        SELECT gen_random_uuid(), 'follower-' || n, ${now()}, ${now()}
        FROM generate_series(1, ${MAX_DIRECT_SUBSCRIBERS + 1}) n
        RETURNING id
      ),
        heads AS (INSERT INTO event_heads (agent_id) SELECT id FROM crowd)
      INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
      SELECT ${threadId}::uuid, id, 0, ${now()}
      FROM crowd
    `);
    await db.run(
      sql`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$
      `,
    );
    // Until this trigger is dropped the background job notifies nobody, however often it tries.
    await db.run(
      sql`
        CREATE TRIGGER refuse BEFORE INSERT ON events FOR EACH ROW
          WHEN (NEW.message_id IS NOT NULL) EXECUTE FUNCTION refuse()
      `,
    );
    await f.ok('DELETE', `/api/v1/threads/${threadId}/subscription`, { key: ada.key });
    const gone = await f.postMessage(bob, threadId, 'Gone.');
    const kept = await f.postMessage(bob, threadId, 'Kept.');
    await remove(gone.id);
    await db.run(sql`DROP TRIGGER refuse ON events`);
    await app.app.jobs.runDue();
    const listNotified = (id: string) =>
      db.rows(sql`SELECT 1 FROM events WHERE message_id = ${id}`);
    expect({
      gone: (await listNotified(gone.id)).length,
      kept: (await listNotified(kept.id)).length,
    }).toEqual({ gone: 0, kept: MAX_DIRECT_SUBSCRIBERS + 1 });
  });
});
