import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { DIRECT_SUBSCRIBERS } from '../../../src/features/messages/store.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together } from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';
import { everythingStored, holding } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const other = await app.another();
const nodes = [f, factories(other)] as const;
const now = () => new Date(app.clock()).toISOString();

const remove = (id: string, via = f) =>
  via.send('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
const path = (threadId: string, query = '') => `/api/v1/threads/${threadId}/messages${query}`;
const acts = (id: string) =>
  db.rows<Loose>(sql`SELECT p.kind, p.visibility, p.actor_id, p.subject_type, encode(p.content_sha256, 'hex') AS sha FROM portable_events p
    WHERE p.subject_id = ${id} ORDER BY p.id`);
const revisionOf = async (id: string) =>
  (await db.first<{ revision: number }>(sql`SELECT revision FROM threads WHERE id = ${id}`))
    ?.revision;

/** A room of `ada` in which `bob` posts. */
async function scene(visibility: 'public' | 'private' = 'public') {
  const [ada, bob] = [await f.agent(), await f.agent()];
  const roomId = await f.room(ada, visibility);
  await (visibility === 'public' ? f.join(bob, roomId) : f.invite(ada, roomId, bob));
  return { ada, bob, roomId, threadId: await f.thread(ada, roomId) };
}
const pageOf = (who: TestAgent, threadId: string, via: typeof f = f): Promise<Loose> =>
  via.ok('GET', path(threadId, '?limit=100'), { key: who.key });

describe('a deleted message', () => {
  it('[delete.tombstone] keeps its place, author, time, receipt and what it answered, and nothing that it said', async () => {
    const { ada, bob, threadId } = await scene();
    const first = await f.post(ada, threadId, 'A question.');
    const message = await f.post(bob, threadId, `Rude words, @${ada.handle}`, {
      replyToId: first.id,
    });
    const reply = await f.post(ada, threadId, 'An answer.', { replyToId: message.id });
    await f.attach(bob, message.id);
    await f.ok('PUT', `/api/v1/threads/${threadId}/summary`, {
      key: ada.key,
      body: { summary: 'So', messageIds: [message.id] },
    });
    const before = await pageOf(ada, threadId);
    expect(before.messages[2]).toMatchObject({
      mentions: [ada.handle],
      deleted: false,
      files: [{ name: 'notes.txt' }],
    });
    app.clock.advance(1000);
    const answer = await remove(message.id);
    expect([answer.status, answer.body]).toEqual([200, { id: message.id }]);
    const after = await pageOf(ada, threadId);
    const tombstone = { ...before.messages[2], body: '', mentions: [], files: [], deleted: true };
    expect(after).toEqual({ ...before, messages: before.messages.with(2, tombstone) });
    expect(after.messages[3]).toMatchObject({ id: reply.id, replyToId: message.id, position: 3 });
    expect(await f.ok('GET', `/api/v1/threads/${threadId}`)).toMatchObject({
      messageCount: 4,
      summary: { messageIds: [message.id] },
    });
    expect((await f.ok('GET', path(threadId, `?anchorId=${message.id}&limit=1`))).messages).toEqual(
      [tombstone],
    );
    expect((await f.post(bob, threadId, 'And further.', { replyToId: message.id })).position).toBe(
      4,
    );
  });

  it('[delete.content] is not in the database any more, nor are its files', async () => {
    const { ada, bob, threadId } = await scene();
    const message = await f.post(bob, threadId, 'Unspeakableword in a body.');
    const file = await f.attach(bob, message.id, { name: 'unspeakablename.txt', bytes: 'x' });
    const kept = await f.attach(ada, (await f.post(ada, threadId, 'Beside.')).id);
    await remove(message.id);
    const holdingNow = async (text: string) => holding(await everythingStored(db), text);
    expect(await holdingNow('nspeakableword')).toEqual([]);
    // The answer to its author stays until the author cannot repeat the call any more.
    expect(
      (await holdingNow('unspeakablename.txt')).filter(
        (row) => !row.startsWith('idempotency_records '),
      ),
    ).toEqual([]);
    expect(await f.send('GET', `/api/v1/files/${file.id}`, { key: ada.key })).toMatchObject(
      refused(410, 'gone'),
    );
    expect((await f.send('GET', `/api/v1/files/${kept.id}`)).status).toBe(200);
    expect(
      await f.send('POST', `/api/v1/messages/${message.id}/files`, {
        key: bob.key,
        file: { name: 'x', bytes: 'x' },
      }),
    ).toMatchObject(refused(410, 'gone'));
    app.clock.advance(8 * 24 * 3600_000);
    await app.app.jobs.runDue();
    expect(await holdingNow('unspeakablename.txt')).toEqual([]);
  });

  it('[delete.message-everywhere] is a tombstone at once in pages that both nodes know by heart, in Markdown and in the export', async () => {
    const { ada, bob, roomId, threadId } = await scene('private');
    const { id } = await f.post(bob, threadId, 'Unspeakable words.');
    // Read three times, a full page is kept in memory.
    for (const via of [...nodes, ...nodes, ...nodes])
      expect((await via.send('GET', path(threadId, '?limit=2'), { key: ada.key })).text).toContain(
        'Unspeakable',
      );
    const markdown = (via: typeof f) =>
      via.send('GET', `/threads/${threadId}.md`, { key: ada.key });
    const { headers } = await markdown(f);
    expect((await remove(id, nodes[1])).status).toBe(200);
    for (const via of [...nodes, ...nodes]) {
      const page = await via.send('GET', path(threadId, '?limit=2'), { key: ada.key });
      expect(page.body.messages[1]).toMatchObject({ id, deleted: true, body: '' });
      const texts = [
        page,
        await markdown(via),
        await via.send('GET', `/api/v1/rooms/${roomId}/export`, { key: ada.key }),
      ];
      expect(texts.map(({ status, text }) => [status, text.includes('Unspeakable')])).toEqual(
        Array(3).fill([200, false]),
      );
    }
    const again = await f.send('GET', `/threads/${threadId}.md`, {
      key: ada.key,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(200);
  });

  it('[delete.message-everywhere] is skipped by cursor, long poll and stream, which all move on', async () => {
    const { ada, bob, threadId } = await scene();
    const { nextCursor: start } = await f.events(ada);
    const gone = await f.post(bob, threadId, `@${ada.handle}: unspeakable.`);
    expect((await f.events(ada, start)).events).toHaveLength(1);
    await remove(gone.id);
    expect(await f.events(ada, start)).toEqual({
      events: [],
      nextCursor: start + 1,
      hasMore: false,
      unreadCount: 0,
    });
    const poll = nodes[1].ok('GET', `/api/v1/events?cursor=${start}&wait=30`, { key: ada.key });
    const stream = await openStream(app.url, ada.key, `?cursor=${start}`);
    expect(await stream.next()).toHaveProperty('comment');
    const next = await f.post(bob, threadId, 'Next.');
    expect(await poll).toMatchObject({
      events: [{ id: start + 2, messageId: next.id }],
      nextCursor: start + 2,
    });
    expect(await stream.event()).toMatchObject({
      id: String(start + 2),
      data: { messageId: next.id },
    });
    stream.leave();
  });

  it('[delete.message-record] is recorded once, of no agent, with the digest of what it said', async () => {
    for (const visibility of ['public', 'private'] as const) {
      const { bob, threadId } = await scene(visibility);
      const { id, bodySha256, receiptId } = await f.post(bob, threadId, 'Words.');
      await remove(id);
      await remove(id);
      const act = { visibility, subject_type: 'message', sha: bodySha256 };
      expect(await acts(id)).toEqual([
        { kind: 'message.posted', actor_id: bob.id, ...act },
        { kind: 'message.deleted', actor_id: null, ...act },
      ]);
      expect((await pageOf(bob, threadId)).messages[1].receiptId).toBe(receiptId);
    }
  });

  it('[delete.repeat] may be deleted again, also many times at once and in a deleted thread', async () => {
    const { ada, bob, threadId } = await scene();
    const { id } = await f.post(bob, threadId, 'Words.');
    const answers = await together(10, (n) => remove(id, nodes[n % 2]));
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(10).fill([200, id]));
    expect(await acts(id)).toHaveLength(2);
    const [before, revision] = [await pageOf(ada, threadId), await revisionOf(threadId)];
    app.clock.advance(1000);
    expect((await remove(id)).status).toBe(200);
    expect([await pageOf(ada, threadId), await revisionOf(threadId)]).toEqual([before, revision]);
    await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
    for (const message of before.messages)
      expect((await remove(message.id)).body).toEqual({ id: message.id });
    expect(await acts(before.messages[0].id)).toHaveLength(1);
    expect(await remove(newId())).toMatchObject(refused(404, 'not_found'));
  });

  it('[delete.followers] is not told to followers who were not told yet', async () => {
    const { ada, bob, threadId } = await scene();
    await db.run(sql`WITH crowd AS (INSERT INTO agents (id, handle, created_at, last_active_on)
        SELECT gen_random_uuid(), 'follower-' || n, ${now()}, ${now()} FROM generate_series(1, ${DIRECT_SUBSCRIBERS + 1}) n RETURNING id),
      heads AS (INSERT INTO event_heads (agent_id) SELECT id FROM crowd)
      INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at) SELECT ${threadId}::uuid, id, 0, ${now()} FROM crowd`);
    await db.run(
      sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$`,
    );
    // Until this is dropped the background tells nobody, however often it tries.
    await db.run(
      sql`CREATE TRIGGER refuse BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    await f.ok('DELETE', `/api/v1/threads/${threadId}/subscription`, { key: ada.key });
    const [gone, kept] = [
      await f.post(bob, threadId, 'Gone.'),
      await f.post(bob, threadId, 'Kept.'),
    ];
    await remove(gone.id);
    await db.run(sql`DROP TRIGGER refuse ON events`);
    await app.app.jobs.runDue();
    const told = (id: string) => db.rows(sql`SELECT 1 FROM events WHERE message_id = ${id}`);
    expect([(await told(gone.id)).length, (await told(kept.id)).length]).toEqual([
      0,
      DIRECT_SUBSCRIBERS + 1,
    ]);
  });
});
