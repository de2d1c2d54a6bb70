import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepAll } from '../../../src/blobs/blob-claims.store.ts';
import { BlobRefused, type Blobs } from '../../../src/blobs/blobs.ts';
import { createLocalBlobs } from '../../../src/blobs/local-blobs.ts';
import { openSession } from '../../../src/db/copy/open-session.ts';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type SentFile,
  waitUntil,
} from '../../support/factories.ts';
import { createFolderLists } from './files-on-disk.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const { listArriving, listStored } = createFolderLists(app);
const local = createLocalBlobs(join(app.dataDir, 'files', 'stored'));

/** Builds a gate that stops every caller once it is closed. */
function createGate() {
  let waiting: (() => void)[] = [];
  let close = false;
  return {
    close: () => {
      close = true;
    },
    open: () => {
      close = false;
      for (const go of waiting) go();
      waiting = [];
    },
    passThrough: async () => {
      if (close) await new Promise<void>((go) => waiting.push(go));
    },
    waitForArrivals: (count: number) =>
      waitUntil(`${count} stand at the door`, () => waiting.length === count),
  };
}

const beforePut = createGate();
const afterPut = createGate();
const beforeDelete = createGate();
const gatedBlobs: Blobs = {
  ...local,
  async put(...given) {
    await beforePut.passThrough();
    await local.put(...given);
    await afterPut.passThrough();
  },
  async delete(sha256) {
    await beforeDelete.passThrough();
    await local.delete(sha256);
  },
};
const other = await app.startNode({}, { blobs: gatedBlobs });
const otherNode = factories(other);

const owner = await f.createAgent();
const room = await f.createRoom(owner);
const thread = await f.createThread(owner, room);
const post = async (): Promise<string> => (await f.postMessage(owner, thread, 'See the file')).id;
let count = 0;
const createFile = (): SentFile => ({ name: 'a.txt', bytes: `bytes ${++count} ${randomUUID()}` });
const send = (via: typeof f, messageId: string, file: SentFile, idem = randomUUID()) =>
  via.send('POST', `/api/v1/messages/${messageId}/files`, { key: owner.key, file, idem });
const listBlobs = () =>
  db.rows<Json>(sql`
    SELECT encode(sha256, 'hex') AS sha256, claims, touched_at AS touched
    FROM blobs
    ORDER BY sha256
  `);
const listFileRows = (messageId: string) =>
  db.rows<Json>(sql`
    SELECT id, encode(sha256, 'hex') AS sha256
    FROM files
    WHERE message_id = ${messageId}
  `);
const HOUR = 3_600_000;
const readText = async (id: string) => (await f.send('GET', `/api/v1/files/${id}`)).text;

describe('attachFile under concurrency', () => {
  it('[file.ten] gives the tenth place to one of two and cleans up after the other', async () => {
    const messageId = await post();
    for (let file = 0; file < 9; file++) await f.attachFile(owner, messageId);
    const before = [(await listStored()).length, (await listBlobs()).length];
    // Both uploads passed the first check before either was stored.
    beforePut.close();
    const racing = runConcurrently(4, () => send(otherNode, messageId, createFile()));
    await beforePut.waitForArrivals(4);
    beforePut.open();
    const answers = (await racing)
      .map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code} ${body.limit}`))
      .sort();
    expect(answers).toEqual(['200', ...Array(3).fill('422 limit_exceeded 10')]);
    expect(await listFileRows(messageId)).toHaveLength(10);
    expect({
      stored: (await listStored()).length,
      blobs: (await listBlobs()).length,
      arriving: await listArriving(),
    }).toEqual({
      stored: (before[0] as number) + 1,
      blobs: (before[1] as number) + 1,
      arriving: [],
    });
  });

  it('[file.once] stores the same bytes once across two nodes', async () => {
    const file = createFile();
    const messages = await runConcurrently(8, post);
    beforePut.close();
    const racing = Promise.all(
      messages.map((messageId, index) => send(index % 2 ? f : otherNode, messageId, file)),
    );
    await beforePut.waitForArrivals(4);
    beforePut.open();
    const rows = (await racing).map(({ body }) => body);
    const hash = rows[0].sha256;
    expect(rows.map(({ sha256 }) => sha256)).toEqual(Array(8).fill(hash));
    expect((await listBlobs()).filter(({ sha256 }) => sha256 === hash)).toEqual([
      { sha256: hash, claims: 0, touched: null },
    ]);
    expect((await listStored()).filter((name) => name.endsWith(hash))).toHaveLength(1);
    for (const { id } of rows) expect(await readText(id)).toBe(file.bytes);
  });

  it('[file.idempotent] makes one file of the same upload sent to two nodes', async () => {
    const messageId = await post();
    const file = createFile();
    const idem = randomUUID();
    beforePut.close();
    const racing = runConcurrently(3, () => send(otherNode, messageId, file, idem));
    await beforePut.waitForArrivals(3);
    const here = await send(f, messageId, file, idem);
    beforePut.open();
    for (const { status, text } of await racing)
      expect({ status, text }).toEqual({ status: 200, text: here.text });
    expect(await listFileRows(messageId)).toHaveLength(1);
    expect((await listBlobs()).filter(({ sha256 }) => sha256 === here.body.sha256)).toEqual([
      { sha256: here.body.sha256, claims: 0, touched: null },
    ]);
  });

  it('[file.never-lost] keeps bytes for one upload when another with the same fails', async () => {
    const doomed = await post();
    const fine = await post();
    const file = createFile();
    afterPut.close();
    const failing = send(otherNode, doomed, file);
    await afterPut.waitForArrivals(1);
    beforePut.close();
    const going = send(otherNode, fine, file);
    await beforePut.waitForArrivals(1);
    await f.ok('DELETE', `/api/v1/admin/messages/${doomed}`, { admin: true });
    afterPut.open();
    expect(await failing).toMatchObject(buildProblem(410, 'gone'));
    beforePut.open();
    const { status, body } = await going;
    expect({ status, text: await readText(body.id) }).toEqual({ status: 200, text: file.bytes });
  });

  it('[file.never-lost] keeps bytes although another upload cannot claim them', async () => {
    const one = await post();
    const two = await post();
    const file = createFile();
    await db.run(
      sql`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'the disk is on fire'; END $$
      `,
    );
    afterPut.close();
    const going = send(otherNode, one, file);
    await afterPut.waitForArrivals(1);
    await db.run(sql`
      CREATE TRIGGER no_claims BEFORE
      UPDATE ON blobs FOR EACH ROW WHEN (NEW.claims > OLD.claims) EXECUTE FUNCTION refuse()
    `);
    expect(await send(f, two, file)).toMatchObject(buildProblem(500, 'internal_error'));
    await db.run(sql`DROP TRIGGER no_claims ON blobs`);
    afterPut.open();
    const { status, body } = await going;
    expect({ status, text: await readText(body.id) }).toEqual({ status: 200, text: file.bytes });
  });

  it('[file.committed-last] [file.author] stores nothing for a deleted message', async () => {
    const messageId = await post();
    const file = createFile();
    const before = { stored: await listStored(), blobs: await listBlobs() };
    afterPut.close();
    const going = send(otherNode, messageId, file);
    await afterPut.waitForArrivals(1);
    expect(await listFileRows(messageId)).toEqual([]);
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    afterPut.open();
    expect(await going).toMatchObject(buildProblem(410, 'gone'));
    expect({
      stored: await listStored(),
      blobs: await listBlobs(),
      arriving: await listArriving(),
    }).toEqual({ ...before, arriving: [] });
  });
});

describe('the file collector', () => {
  /** Stores bytes whose only file was deleted more than a day ago. */
  async function createForgottenFile(): Promise<SentFile & { sha256: string }> {
    const messageId = await post();
    const file = createFile();
    const { sha256 } = await f.attachFile(owner, messageId, file);
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    app.clock.advance(25 * HOUR);
    return { ...file, sha256 };
  }
  const collectGarbage = () => app.app.jobs.runDue();

  it('[file.collected] deletes unreferenced bytes within a day, and nothing else', async () => {
    const one = await post();
    const two = await post();
    const file = createFile();
    const shared = await f.attachFile(owner, one, file);
    const alone = await f.attachFile(owner, one, createFile());
    const second = await f.attachFile(owner, two, file);
    await f.ok('DELETE', `/api/v1/admin/messages/${one}`, { admin: true });
    app.clock.advance(12 * HOUR);
    await collectGarbage();
    expect(await local.has(alone.sha256)).toBe(true);
    app.clock.advance(12 * HOUR);
    await collectGarbage();
    expect({
      alone: await local.has(alone.sha256),
      shared: await local.has(shared.sha256),
    }).toEqual({ alone: false, shared: true });
    expect(await readText(second.id)).toBe(file.bytes);
    expect((await listBlobs()).filter(({ touched }) => touched !== null)).toEqual([]);
  });

  it('[backup.deletions] deletes nothing while a backup keeps all bytes', async () => {
    const file = await createForgottenFile();
    const backup = await openSession(db.connection, new AbortController().signal);
    await keepAll(backup.db);
    await collectGarbage();
    // An upload of the same bytes that fails does not delete them either.
    const failing = await app.startNode(
      {},
      { blobs: { ...local, put: () => Promise.reject(new Error('the disk is full')) } },
    );
    await send(factories(failing), await post(), file).catch(() => {});
    expect(await local.has(file.sha256)).toBe(true);
    await backup[Symbol.asyncDispose]();
    app.clock.advance(25 * HOUR);
    await collectGarbage();
    expect(await local.has(file.sha256)).toBe(false);
  });

  it('[file.never-lost] keeps old bytes that an upload has just found', async () => {
    const file = await createForgottenFile();
    const messageId = await post();
    afterPut.close();
    const going = send(otherNode, messageId, file);
    await afterPut.waitForArrivals(1);
    await collectGarbage();
    afterPut.open();
    const { status, body } = await going;
    expect({ status, text: await readText(body.id) }).toEqual({ status: 200, text: file.bytes });
  });

  it('[file.never-lost] makes an upload wait for the deletion and store them anew', async () => {
    const file = await createForgottenFile();
    const messageId = await post();
    beforeDelete.close();
    const collecting = other.app.jobs.runDue();
    await beforeDelete.waitForArrivals(1);
    const going = send(f, messageId, file);
    await waitUntil(
      'the upload waits for the row',
      async () =>
        ((
          await db.first<{ n: number }>(sql`
            SELECT count(*) AS n
            FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO blobs%'
          `)
        )?.n ?? 0) > 0,
    );
    beforeDelete.open();
    await collecting;
    const { status, body } = await going;
    expect({ status, text: await readText(body.id) }).toEqual({ status: 200, text: file.bytes });
  });

  it('[attack.15-3] (API4) a slow deletion keeps no transaction of others waiting', async () => {
    const messages = await runConcurrently(4, post);
    afterPut.close();
    const failing = messages.map((messageId) => send(otherNode, messageId, createFile()));
    await afterPut.waitForArrivals(4);
    for (const id of messages) await f.ok('DELETE', `/api/v1/messages/${id}`, { key: owner.key });
    beforeDelete.close();
    afterPut.open();
    await beforeDelete.waitForArrivals(1);
    await runConcurrently(4, () => otherNode.createRoom(owner));
    beforeDelete.open();
    for (const { status } of await Promise.all(failing)) expect(status).toBe(410);
  });

  it('[file.collected] keeps the row while the bytes cannot be deleted', async () => {
    const file = await createForgottenFile();
    const broken = await app.startNode(
      {},
      { blobs: { ...local, delete: () => Promise.reject(new Error('the disk is on fire')) } },
    );
    await broken.app.jobs.runDue().catch(() => {});
    expect((await listBlobs()).map(({ sha256 }) => sha256)).toContain(file.sha256);
    await collectGarbage();
    expect({
      blob: (await listBlobs()).map(({ sha256 }) => sha256).includes(file.sha256),
      bytes: await local.has(file.sha256),
    }).toEqual({ blob: false, bytes: false });
  });

  it('[attack.38-4] (API4) collects others when the store keeps some bytes', async () => {
    const held = await createForgottenFile();
    const free = await createForgottenFile();
    const partly = await app.startNode(
      {},
      {
        blobs: {
          ...local,
          delete: (sha256) =>
            sha256 === held.sha256
              ? Promise.reject(new BlobRefused(new Error('The object is locked.')))
              : local.delete(sha256),
        },
      },
    );
    await partly.app.jobs.runDue();
    expect({ held: await local.has(held.sha256), free: await local.has(free.sha256) }).toEqual({
      held: true,
      free: false,
    });
    app.clock.advance(25 * HOUR);
    await collectGarbage();
    expect(await local.has(held.sha256)).toBe(false);
  });

  it('[file.collected] removes the claim of an upload that died before storing', async () => {
    const messageId = await post();
    const file = createFile();
    beforePut.close();
    const dead = send(otherNode, messageId, file);
    await beforePut.waitForArrivals(1);
    const claimed = (await listBlobs()).filter(({ claims }) => claims > 0);
    expect({ claimed: claimed.length, arriving: (await listArriving()).length }).toEqual({
      claimed: 1,
      arriving: 1,
    });
    app.clock.advance(HOUR);
    await collectGarbage();
    expect((await listArriving()).length).toBe(1);
    app.clock.advance(24 * HOUR);
    await collectGarbage();
    expect({
      claimed: (await listBlobs()).filter(({ claims }) => claims > 0),
      arriving: await listArriving(),
    }).toEqual({ claimed: [], arriving: [] });
    beforePut.open();
    expect(await dead).toMatchObject(buildProblem(503, 'unavailable'));
    expect(await listFileRows(messageId)).toEqual([]);
  });

  it('[file.committed-last] [file.collected] removes bytes of a dead upload', async () => {
    const messageId = await post();
    const file = createFile();
    afterPut.close();
    const dead = send(otherNode, messageId, file);
    await afterPut.waitForArrivals(1);
    const [{ sha256 }] = (await listBlobs()).filter(({ claims }) => claims > 0);
    expect(await local.has(sha256)).toBe(true);
    app.clock.advance(25 * HOUR);
    await collectGarbage();
    expect({
      bytes: await local.has(sha256),
      claimed: (await listBlobs()).filter(({ claims }) => claims > 0),
    }).toEqual({ bytes: false, claimed: [] });
    // An upload that comes back finds its claim gone, and the database does not accept the row.
    afterPut.open();
    expect((await dead).status).toBe(500);
    expect(await listFileRows(messageId)).toEqual([]);
  });
});

describe('attachFile with an unavailable store', () => {
  it('[file.store-down] [file.committed-last] succeeds again when it is back', async () => {
    const messageId = await post();
    const file = createFile();
    const idem = randomUUID();
    const folder = join(app.dataDir, 'files', 'stored', 'x'.repeat(300));
    const full = factories(await app.startNode({}, { blobs: createLocalBlobs(folder) }));
    const answer = await send(full, messageId, file, idem);
    expect(answer).toMatchObject(buildProblem(503, 'unavailable'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect({
      rows: await listFileRows(messageId),
      arriving: await listArriving(),
    }).toEqual({ rows: [], arriving: [] });
    const again = await send(f, messageId, file, idem);
    expect({
      status: again.status,
      replayed: again.headers.get('idempotency-replayed'),
      text: await readText(again.body.id),
    }).toEqual({ status: 200, replayed: null, text: file.bytes });
    app.clock.advance(25 * HOUR);
    await app.app.jobs.runDue();
    expect(await readText(again.body.id)).toBe(file.bytes);
  });
});
