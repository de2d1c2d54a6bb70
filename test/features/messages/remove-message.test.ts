import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);

const remove = (who: TestAgent, id: string) =>
  f.send('DELETE', `/api/v1/messages/${id}`, { key: who.key });
const readMessage = async (who: TestAgent, threadId: string, position: number): Promise<Json> =>
  (
    await f.ok('GET', `/api/v1/threads/${threadId}/messages?offset=${position}&limit=1`, {
      key: who.key,
    })
  ).messages[0];
const listReceipts = (id: string) =>
  db.rows<Json>(sql`
    SELECT kind, visibility, actor_id AS actor
    FROM portable_events
    WHERE subject_id = ${id} AND kind = 'message.deleted'
  `);
const listDeletions = async (who: TestAgent): Promise<Json[]> =>
  (await f.listEvents(who)).events.filter(({ kind }: Json) => kind === 'message_deleted');

/** Creates a room of `ada` in which `bob` posts. */
async function setUp(visibility: 'public' | 'private' = 'public') {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const roomId = await f.createRoom(ada, visibility);
  await f.addMember(ada, roomId, bob);
  return { ada, bob, roomId, threadId: await f.createThread(ada, roomId) };
}

describe('removeMessage', () => {
  it('[own.message] leaves a tombstone that says that its author took it back', async () => {
    const { ada, bob, threadId } = await setUp();
    const { id } = await f.postMessage(bob, threadId, `A secret for @${ada.handle}: ${bob.id}.`);
    const findCited = () => db.first(sql`SELECT cited_ids AS ids FROM messages WHERE id = ${id}`);
    expect(await findCited()).toEqual({ ids: [bob.id] });
    const before = await readMessage(ada, threadId, 1);
    expect(before).toMatchObject({ deleted: false, deletedBy: null });
    expect(await remove(bob, id)).toMatchObject({ status: 200, body: { id } });
    expect(await findCited()).toEqual({ ids: [] });
    expect(await readMessage(ada, threadId, 1)).toEqual({
      ...before,
      body: '',
      mentions: [],
      deleted: true,
      deletedBy: 'author',
    });
    expect(await listReceipts(id)).toEqual([
      { kind: 'message.deleted', visibility: 'public', actor: bob.id },
    ]);
    const page = await f.send('GET', `/threads/${threadId}`, { headers: { accept: 'text/html' } });
    expect(page.text).toContain('Its author took this message back.');
    const found = await f.ok('GET', '/api/v1/search?q=secret', { key: bob.key });
    expect(found.results.filter((result: Json) => result.id === id)).toEqual([]);
  });

  it('[own.message] works for the owner of the room, for nobody else', async () => {
    const { ada, bob, roomId, threadId } = await setUp('private');
    const carol = await f.createAgent();
    await f.addMember(ada, roomId, carol);
    const { id } = await f.postMessage(bob, threadId, 'Rude words.');
    const stranger = await f.createAgent();
    expect(await remove(carol, id)).toMatchObject(buildProblem(403, 'forbidden'));
    expect(await remove(stranger, id)).toMatchObject(buildProblem(404, 'not_found'));
    expect(await readMessage(ada, threadId, 1)).toMatchObject({ body: 'Rude words.' });
    expect((await remove(ada, id)).status).toBe(200);
    expect(await readMessage(bob, threadId, 1)).toMatchObject({ body: '', deletedBy: 'owner' });
    expect(await listReceipts(id)).toMatchObject([{ visibility: 'private', actor: ada.id }]);
  });

  it('[own.message] lets an author delete it after leaving a private room', async () => {
    const { ada, bob, roomId, threadId } = await setUp('private');
    const { id } = await f.postMessage(bob, threadId, 'Words to take back.');
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
    expect((await remove(bob, id)).status).toBe(200);
    expect(await readMessage(ada, threadId, 1)).toMatchObject({ deletedBy: 'author' });
    await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
    expect(await remove(bob, id)).toMatchObject(buildProblem(410, 'gone'));
  });

  it('[own.message-event] tells the author when another did it', async () => {
    const { ada, bob, roomId, threadId } = await setUp();
    const first = await f.postMessage(bob, threadId, 'One.');
    const second = await f.postMessage(bob, threadId, 'Two.');
    const own = await f.postMessage(bob, threadId, 'Three.');
    await remove(ada, first.id);
    await f.ok('DELETE', `/api/v1/admin/messages/${second.id}`, { admin: true });
    await remove(bob, own.id);
    const event = {
      kind: 'message_deleted',
      reasons: ['message_deleted'],
      roomId,
      threadId: null,
      threadTitle: null,
      messageId: null,
      position: null,
    };
    expect(await listDeletions(bob)).toMatchObject([
      {
        ...event,
        actorId: ada.id,
        actorHandle: ada.handle,
        subject: { type: 'message', id: first.id, state: 'deleted' },
      },
      {
        ...event,
        actorId: null,
        actorHandle: null,
        subject: { type: 'message', id: second.id, state: 'deleted' },
      },
    ]);
    expect(await readMessage(bob, threadId, 2)).toMatchObject({ deletedBy: 'administrator' });
    expect(await listDeletions(ada)).toEqual([]);
  });

  it('[own.message-event] is silent for whoever mutes the owner', async () => {
    const { ada, bob, threadId } = await setUp();
    await f.ok('PUT', `/api/v1/me/mutes/${ada.id}`, { key: bob.key });
    const { id } = await f.postMessage(bob, threadId, 'One.');
    expect((await remove(ada, id)).status).toBe(200);
    expect(await listDeletions(bob)).toEqual([]);
  });

  it('[own.repeat] may be repeated, also at once and after an administrator', async () => {
    const { ada, bob, threadId } = await setUp();
    const { id } = await f.postMessage(bob, threadId, 'Words.');
    const answers = await runConcurrently(8, (n) => remove(n % 2 ? ada : bob, id));
    expect(answers).toMatchObject(Array(8).fill({ status: 200, body: { id } }));
    const { deletedBy } = await readMessage(ada, threadId, 1);
    expect((await f.send('DELETE', `/api/v1/admin/messages/${id}`, { admin: true })).status).toBe(
      200,
    );
    expect((await remove(bob, id)).status).toBe(200);
    expect(await readMessage(ada, threadId, 1)).toMatchObject({ deletedBy });
    expect(await listReceipts(id)).toHaveLength(1);
    expect(await listDeletions(bob)).toHaveLength(deletedBy === 'owner' ? 1 : 0);
  });

  it('[own.locks] answers a stranger while the thread is locked', async () => {
    const { bob, threadId } = await setUp('private');
    const { id } = await f.postMessage(bob, threadId, 'Words.');
    const file = await f.attachFile(bob, id);
    const stranger = await f.createAgent();
    await db.transaction(async (tx) => {
      await tx.run(sql`SELECT 1 FROM threads WHERE id = ${threadId} FOR UPDATE`);
      expect(await remove(stranger, id)).toMatchObject(buildProblem(404, 'not_found'));
      expect(
        await f.send('DELETE', `/api/v1/files/${file.id}`, { key: stranger.key }),
      ).toMatchObject(buildProblem(404, 'not_found'));
    });
  });
});
