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
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);

const remove = (who: TestAgent, id: string) =>
  f.send('DELETE', `/api/v1/files/${id}`, { key: who.key });
const listReceipts = (id: string) =>
  db.rows<Json>(sql`
    SELECT kind, actor_id AS actor, encode(content_sha256, 'hex') AS sha256
    FROM portable_events
    WHERE subject_id = ${id} AND kind = 'file.deleted'
  `);

/** Creates a private room of `ada`, in which `bob` has attached two files to one message. */
async function setUp() {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const roomId = await f.createRoom(ada, 'private');
  await f.addMember(ada, roomId, bob);
  const threadId = await f.createThread(ada, roomId);
  const message = await f.postMessage(bob, threadId, 'See the files.');
  const file = await f.attachFile(bob, message.id, { name: 'unspeakable.txt', bytes: 'A' });
  const kept = await f.attachFile(bob, message.id, { name: 'kept.txt', bytes: 'B' });
  const listFiles = async () =>
    (await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key })).messages[1].files;
  return { ada, bob, roomId, threadId, file, kept, listFiles };
}

describe('removeFile', () => {
  it('[own.file] deletes a file of its author, and leaves the message', async () => {
    const { ada, bob, file, kept, listFiles } = await setUp();
    expect(await listFiles()).toHaveLength(2);
    expect(await remove(bob, file.id)).toMatchObject({ status: 200, body: { id: file.id } });
    expect(await listFiles()).toEqual([kept]);
    expect(await f.send('GET', `/api/v1/files/${file.id}`, { key: ada.key })).toMatchObject(
      buildProblem(410, 'gone'),
    );
    expect((await f.send('GET', `/api/v1/files/${kept.id}`, { key: ada.key })).text).toBe('B');
    const found = await f.ok('GET', '/api/v1/search?q=unspeakable', { key: bob.key });
    expect(found.results).toEqual([]);
    expect(
      findRowsContaining(await listStoredRows(db), 'unspeakable.txt').filter(
        (row) => !row.startsWith('idempotency_records '),
      ),
    ).toEqual([]);
    expect(await listReceipts(file.id)).toEqual([
      { kind: 'file.deleted', actor: bob.id, sha256: file.sha256 },
    ]);
  });

  it('[own.file] works for the owner and for an author who left, for nobody else', async () => {
    const { ada, bob, roomId, file, kept, listFiles } = await setUp();
    const carol = await f.createAgent();
    await f.addMember(ada, roomId, carol);
    expect(await remove(carol, file.id)).toMatchObject(buildProblem(403, 'forbidden'));
    expect(await remove(await f.createAgent(), file.id)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await listFiles()).toHaveLength(2);
    expect((await remove(ada, file.id)).status).toBe(200);
    expect(await listReceipts(file.id)).toMatchObject([{ actor: ada.id }]);
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
    expect((await remove(bob, kept.id)).status).toBe(200);
    expect(await listFiles()).toEqual([]);
  });

  it('[own.repeat] may be repeated, also at once', async () => {
    const { ada, bob, file, listFiles } = await setUp();
    const answers = await runConcurrently(8, (n) => remove(n % 2 ? ada : bob, file.id));
    expect(answers).toMatchObject(Array(8).fill({ status: 200, body: { id: file.id } }));
    expect((await remove(bob, file.id)).status).toBe(200);
    expect(await listReceipts(file.id)).toHaveLength(1);
    expect(await listFiles()).toHaveLength(1);
  });
});

describe('deleteFile', () => {
  it('[admin.delete-file] deletes a file, audited, without an actor', async () => {
    const { bob, file, kept, listFiles } = await setUp();
    for (const repeated of [false, true]) {
      await f.ok('DELETE', `/api/v1/admin/files/${file.id}?reason=private`, { admin: true });
      expect((await f.ok('GET', '/api/v1/admin/audit?limit=1', { admin: true }))[0]).toMatchObject({
        action: 'file.deleted',
        targetType: 'file',
        targetId: file.id,
        reason: 'private',
        facts: { authorId: bob.id, repeated },
      });
    }
    expect(await listFiles()).toEqual([kept]);
    const receipts = await listReceipts(file.id);
    expect(receipts).toEqual([{ kind: 'file.deleted', actor: null, sha256: file.sha256 }]);
  });
});
