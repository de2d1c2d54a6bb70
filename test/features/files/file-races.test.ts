import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Blobs } from '../../../src/blobs/blobs.ts';
import { localBlobs } from '../../../src/blobs/local-blobs.ts';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type SentFile, together, until } from '../../support/factories.ts';
import { filesOnDisk } from './files-on-disk.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;
const { arriving, kept } = filesOnDisk(app);
const local = localBlobs(join(app.dataDir, 'files', 'stored'));

/** A door that stops whoever comes, once it is shut. */
function door() {
  let waiting: (() => void)[] = [];
  let shut = false;
  return {
    shut: () => {
      shut = true;
    },
    open: () => {
      shut = false;
      for (const go of waiting) go();
      waiting = [];
    },
    pass: async () => {
      if (shut) await new Promise<void>((go) => waiting.push(go));
    },
    stands: (count: number) => until(`${count} stand at the door`, () => waiting.length === count),
  };
}

const [beforePut, afterPut, beforeDelete] = [door(), door(), door()];
const gated: Blobs = {
  ...local,
  async put(...given) {
    await beforePut.pass();
    await local.put(...given);
    await afterPut.pass();
  },
  async delete(sha256) {
    await beforeDelete.pass();
    await local.delete(sha256);
  },
};
const other = await app.another({}, { blobs: gated });
const there = factories(other);

const owner = await f.agent();
const room = await f.room(owner);
const thread = await f.thread(owner, room);
const post = async (): Promise<string> => (await f.post(owner, thread, 'See the file')).id;
let count = 0;
const fresh = (): SentFile => ({ name: 'a.txt', bytes: `bytes ${++count} ${randomUUID()}` });
const send = (via: typeof f, messageId: string, file: SentFile, idem = randomUUID()) =>
  via.send('POST', `/api/v1/messages/${messageId}/files`, { key: owner.key, file, idem });
const blobs = () =>
  db.rows<Loose>(
    sql`SELECT encode(sha256, 'hex') AS sha256, claims, touched_at AS touched FROM blobs ORDER BY sha256`,
  );
const rowsOf = (messageId: string) =>
  db.rows<Loose>(
    sql`SELECT id, encode(sha256, 'hex') AS sha256 FROM files WHERE message_id = ${messageId}`,
  );
const HOUR = 3_600_000;
const text = async (id: string) => (await f.send('GET', `/api/v1/files/${id}`)).text;

describe('at the same time', () => {
  it('[file.ten] two uploads for the tenth place: one gets it, and nothing is left of the other', async () => {
    const messageId = await post();
    for (let file = 0; file < 9; file++) await f.attach(owner, messageId);
    const before = [(await kept()).length, (await blobs()).length];
    // Both were told that they may come before either is there.
    beforePut.shut();
    const racing = together(4, () => send(there, messageId, fresh()));
    await beforePut.stands(4);
    beforePut.open();
    const answers = (await racing)
      .map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code} ${body.limit}`))
      .sort();
    expect(answers).toEqual(['200', ...Array(3).fill('422 limit_exceeded 10')]);
    expect(await rowsOf(messageId)).toHaveLength(10);
    expect([(await kept()).length, (await blobs()).length, await arriving()]).toEqual([
      (before[0] as number) + 1,
      (before[1] as number) + 1,
      [],
    ]);
  });

  it('[file.once] the same bytes many times, on two nodes: stored once', async () => {
    const file = fresh();
    const messages = await together(8, post);
    beforePut.shut();
    const racing = Promise.all(
      messages.map((messageId, index) => send(index % 2 ? f : there, messageId, file)),
    );
    await beforePut.stands(4);
    beforePut.open();
    const rows = (await racing).map(({ body }) => body);
    const hash = rows[0].sha256;
    expect(rows.map(({ sha256 }) => sha256)).toEqual(Array(8).fill(hash));
    expect((await blobs()).filter(({ sha256 }) => sha256 === hash)).toEqual([
      { sha256: hash, claims: 0, touched: null },
    ]);
    expect((await kept()).filter((name) => name.endsWith(hash))).toHaveLength(1);
    for (const { id } of rows) expect(await text(id)).toBe(file.bytes);
  });

  it('[file.idempotent] the same upload twice, on two nodes: one file', async () => {
    const [messageId, file, idem] = [await post(), fresh(), randomUUID()];
    beforePut.shut();
    const racing = together(3, () => send(there, messageId, file, idem));
    await beforePut.stands(3);
    const here = await send(f, messageId, file, idem);
    beforePut.open();
    for (const { status, text } of await racing) expect([status, text]).toEqual([200, here.text]);
    expect(await rowsOf(messageId)).toHaveLength(1);
    expect((await blobs()).filter(({ sha256 }) => sha256 === here.body.sha256)).toEqual([
      { sha256: here.body.sha256, claims: 0, touched: null },
    ]);
  });

  it('[file.never-lost] one upload fails and another has the same bytes: they stay for it', async () => {
    const [doomed, fine, file] = [await post(), await post(), fresh()];
    afterPut.shut();
    const failing = send(there, doomed, file);
    await afterPut.stands(1);
    beforePut.shut();
    const going = send(there, fine, file);
    await beforePut.stands(1);
    await f.ok('DELETE', `/api/v1/admin/messages/${doomed}`, { admin: true });
    afterPut.open();
    expect(await failing).toMatchObject(refused(410, 'gone'));
    beforePut.open();
    const { status, body } = await going;
    expect([status, await text(body.id)]).toEqual([200, file.bytes]);
  });

  it('[file.never-lost] one upload cannot even claim its bytes and another has the same: they stay for it', async () => {
    const [one, two, file] = [await post(), await post(), fresh()];
    await db.run(
      sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is on fire'; END $$`,
    );
    afterPut.shut();
    const going = send(there, one, file);
    await afterPut.stands(1);
    await db.run(
      sql`CREATE TRIGGER no_claims BEFORE UPDATE ON blobs FOR EACH ROW WHEN (NEW.claims > OLD.claims) EXECUTE FUNCTION refuse()`,
    );
    expect(await send(f, two, file)).toMatchObject(refused(500, 'internal_error'));
    await db.run(sql`DROP TRIGGER no_claims ON blobs`);
    afterPut.open();
    const { status, body } = await going;
    expect([status, await text(body.id)]).toEqual([200, file.bytes]);
  });

  it('[file.committed-last] [file.author] the message is deleted while its file arrives: no row and no bytes', async () => {
    const [messageId, file] = [await post(), fresh()];
    const before = [await kept(), await blobs()];
    afterPut.shut();
    const going = send(there, messageId, file);
    await afterPut.stands(1);
    expect(await rowsOf(messageId)).toEqual([]);
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    afterPut.open();
    expect(await going).toMatchObject(refused(410, 'gone'));
    expect([await kept(), await blobs(), await arriving()]).toEqual([...before, []]);
  });
});

describe('the collector', () => {
  /** Bytes whose only file was deleted more than a day ago. */
  async function forgotten(): Promise<SentFile & { sha256: string }> {
    const [messageId, file] = [await post(), fresh()];
    const { sha256 } = await f.attach(owner, messageId, file);
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    app.clock.advance(25 * HOUR);
    return { ...file, sha256 };
  }
  const collect = () => app.app.jobs.runDue();

  it('[file.collected] takes what nothing refers to within a day, and nothing else', async () => {
    const [one, two, file] = [await post(), await post(), fresh()];
    const shared = await f.attach(owner, one, file);
    const alone = await f.attach(owner, one, fresh());
    const second = await f.attach(owner, two, file);
    await f.ok('DELETE', `/api/v1/admin/messages/${one}`, { admin: true });
    app.clock.advance(12 * HOUR);
    await collect();
    expect(await local.has(alone.sha256)).toBe(true);
    app.clock.advance(12 * HOUR);
    await collect();
    expect([await local.has(alone.sha256), await local.has(shared.sha256)]).toEqual([false, true]);
    expect(await text(second.id)).toBe(file.bytes);
    expect((await blobs()).filter(({ touched }) => touched !== null)).toEqual([]);
  });

  it('[file.never-lost] leaves old bytes to an upload that has just found them', async () => {
    const file = await forgotten();
    const messageId = await post();
    afterPut.shut();
    const going = send(there, messageId, file);
    await afterPut.stands(1);
    await collect();
    afterPut.open();
    const { status, body } = await going;
    expect([status, await text(body.id)]).toEqual([200, file.bytes]);
  });

  it('[file.never-lost] lets an upload wait while it takes the same bytes, which are then stored anew', async () => {
    const file = await forgotten();
    const messageId = await post();
    beforeDelete.shut();
    const collecting = other.app.jobs.runDue();
    await beforeDelete.stands(1);
    const going = send(f, messageId, file);
    await until(
      'the upload waits for the row',
      async () =>
        ((
          await db.first<{ n: number }>(
            sql`SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO blobs%'`,
          )
        )?.n ?? 0) > 0,
    );
    beforeDelete.open();
    await collecting;
    const { status, body } = await going;
    expect([status, await text(body.id)]).toEqual([200, file.bytes]);
  });

  it('[file.collected] keeps the row while the bytes cannot be deleted', async () => {
    const file = await forgotten();
    const broken = await app.another(
      {},
      { blobs: { ...local, delete: () => Promise.reject(new Error('the disk is on fire')) } },
    );
    await broken.app.jobs.runDue().catch(() => {});
    expect((await blobs()).map(({ sha256 }) => sha256)).toContain(file.sha256);
    await collect();
    expect([
      (await blobs()).map(({ sha256 }) => sha256).includes(file.sha256),
      await local.has(file.sha256),
    ]).toEqual([false, false]);
  });

  it('[file.collected] takes what an upload left that died before its bytes were stored, and it cannot come back', async () => {
    const [messageId, file] = [await post(), fresh()];
    beforePut.shut();
    const dead = send(there, messageId, file);
    await beforePut.stands(1);
    const claimed = (await blobs()).filter(({ claims }) => claims > 0);
    expect([claimed.length, (await arriving()).length]).toEqual([1, 1]);
    app.clock.advance(HOUR);
    await collect();
    expect((await arriving()).length).toBe(1);
    app.clock.advance(24 * HOUR);
    await collect();
    expect([(await blobs()).filter(({ claims }) => claims > 0), await arriving()]).toEqual([
      [],
      [],
    ]);
    beforePut.open();
    expect(await dead).toMatchObject(refused(503, 'unavailable'));
    expect(await rowsOf(messageId)).toEqual([]);
  });

  it('[file.committed-last] [file.collected] takes what an upload left that died after its bytes were stored', async () => {
    const [messageId, file] = [await post(), fresh()];
    afterPut.shut();
    const dead = send(there, messageId, file);
    await afterPut.stands(1);
    const [{ sha256 }] = (await blobs()).filter(({ claims }) => claims > 0);
    expect(await local.has(sha256)).toBe(true);
    app.clock.advance(25 * HOUR);
    await collect();
    expect([await local.has(sha256), (await blobs()).filter(({ claims }) => claims > 0)]).toEqual([
      false,
      [],
    ]);
    // Whoever comes back from the dead finds its claim gone: the database does not take the row.
    afterPut.open();
    expect((await dead).status).toBe(500);
    expect(await rowsOf(messageId)).toEqual([]);
  });
});

describe('a store of files that is down', () => {
  it('[file.store-down] [file.committed-last] is unavailable, and the same upload succeeds when it is back', async () => {
    const [messageId, file, idem] = [await post(), fresh(), randomUUID()];
    const folder = join(app.dataDir, 'files', 'stored', 'x'.repeat(300));
    const full = factories(await app.another({}, { blobs: localBlobs(folder) }));
    const answer = await send(full, messageId, file, idem);
    expect(answer).toMatchObject(refused(503, 'unavailable'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([await rowsOf(messageId), await arriving()]).toEqual([[], []]);
    const again = await send(f, messageId, file, idem);
    expect([
      again.status,
      again.headers.get('idempotency-replayed'),
      await text(again.body.id),
    ]).toEqual([200, null, file.bytes]);
    app.clock.advance(25 * HOUR);
    await app.app.jobs.runDue();
    expect(await text(again.body.id)).toBe(file.bytes);
  });
});
