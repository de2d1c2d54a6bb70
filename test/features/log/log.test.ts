import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openCheckpoint } from '../../../client/checkpoint.ts';
import { entryOf, verifyConsistency, verifyInclusion } from '../../../client/verify-merkle.ts';
import { sql } from '../../../src/db/sql.ts';
import { integrate } from '../../../src/features/log/integrate-receipts.job.ts';
import { openLog } from '../../../src/features/log/open-log.ts';
import { findProof, findProofs } from '../../../src/features/log/proof.store.ts';
import { apart, idBefore } from '../../../src/features/log/rules.ts';
import { canonicalOf, payloadOf } from '../../../src/features/receipts/receipt-payload.ts';
import { listEvents } from '../../../src/features/receipts/store.ts';
import { consistencyPath, EMPTY_FRONTIER, grow, leafHash } from '../../../src/kernel/merkle.ts';
import { startApp } from '../../support/app.ts';
import { factories, refused, together, until } from '../../support/factories.ts';
import { entriesOf, fillLog, inLog, mth, writeActs } from '../../log.ts';

const app = await startApp();
const { db, installation, random } = app.app.env;
const f = factories(app);
const get = (path: string, options = {}) => f.send('GET', `/log/${path}`, options);
const checkpoint = async () =>
  openCheckpoint((await get('checkpoint')).text, (await get('vkey')).text.trim());
const base64 = (text: string) => Buffer.from(text, 'base64');

/** How integration fails. Another node may be at it, so it is tried until this one is. */
async function failure(): Promise<string> {
  const log = await openLog(app.app.env, null);
  let message = '';
  await until('it fails', async () => {
    message = await integrate({ db, random, installation }, log).then(
      () => '',
      (error: Error) => error.message,
    );
    return message !== '';
  });
  return message;
}

/** The entry of an act as its receipt and its proof say it is. */
async function entryBy(eventId: string, salt: string | null): Promise<Uint8Array> {
  const [event] = await listEvents(db, [eventId], installation);
  if (!event) throw new Error('There is no such act.');
  return entryOf(canonicalOf(payloadOf(event)).sha256, salt === null ? null : base64(salt));
}

describe('the log of a new installation', () => {
  it('[log.checkpoint] [log.key] is named after its address and empty, and signs that', async () => {
    const origin = `${app.url.replace('http://', '')}/log`;
    expect(await checkpoint()).toEqual({
      origin,
      size: 0,
      root: new Uint8Array(createHash('sha256').digest()),
    });
    const key = await get('vkey');
    expect(key.text).toMatch(new RegExp(`^${origin}\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44}\n$`));
    for (const answer of [key, await get('checkpoint')])
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await get('tile/0/000.p/1')).toMatchObject(refused(404, 'not_found'));
    expect((await f.ok('GET', '/api/v1/capabilities')).links.log).toBe(`${app.url}/log`);
  });
});

describe('acts in the log', () => {
  it('[log.every-act] [log.private] [log.by-itself] all get a place, private ones as 32 bytes that nobody can connect to anything', async () => {
    const owner = await f.agent();
    const [open, closed] = [await f.room(owner, 'public'), await f.room(owner, 'private')];
    const threads = [await f.thread(owner, open), await f.thread(owner, closed)];
    for (const thread of threads) await f.post(owner, thread, 'Hello');
    // No job is called: it happens by itself.
    const events = await db.rows<{ id: string; visibility: string }>(
      sql`SELECT id, visibility FROM portable_events ORDER BY id`,
    );
    await inLog(app, events.length);
    const entries = await entriesOf(app);
    expect(entries.length).toBe(events.length);
    expect(new Set(entries.map(String)).size).toBe(events.length);
    for (const [index, { id, visibility }] of events.entries()) {
      const proof = await findProof(db, id);
      expect(proof?.salt === null).toBe(visibility === 'public');
      const entry = await entryBy(id, proof?.salt ?? null);
      expect(Buffer.from(entry).equals(entries[proof?.index ?? -1] as Buffer)).toBe(true);
      const plain = await entryBy(id, null);
      expect(entries.some((one) => one.equals(plain))).toBe(visibility === 'public');
      expect(index).toBeLessThan(events.length);
    }
    expect(events.filter(({ visibility }) => visibility === 'private').length).toBeGreaterThan(1);
  });

  it('[log.private] have each a salt of its own, so that whoever may read one learns nothing of another', async () => {
    await fillLog(app, 30);
    const salts = await db.first(
      sql`SELECT count(salt) >= 10 AS many, count(DISTINCT salt) = count(salt) AS "ofTheirOwn" FROM log_entries`,
    );
    expect(salts).toEqual({ many: true, ofTheirOwn: true });
  });

  it('[log.proof] [log.proof-fixed] have proofs that hold against the signed tree that was published with them, and never change', async () => {
    const ids = (await db.rows<{ id: string }>(sql`SELECT id FROM portable_events`)).map(
      ({ id }) => id,
    );
    const vkey = (await get('vkey')).text.trim();
    const before = await findProofs(db, ids);
    for (const [id, { checkpoint, index, size, root, proof, salt }] of before) {
      const tree = await openCheckpoint(checkpoint, vkey);
      expect([tree.size, Buffer.from(tree.root).toString('base64')]).toEqual([size, root]);
      expect(
        await verifyInclusion({
          entry: await entryBy(id, salt),
          index,
          size,
          root: tree.root,
          proof: proof.map(base64),
        }),
      ).toBe(true);
    }
    await fillLog(app, 700);
    expect([...(await findProofs(db, ids))].sort()).toEqual([...before].sort());
    expect(await findProof(db, '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f')).toBeNull();
  });

  it('[log.append-only] [log.proof] are proven, each of a thousand and around the edges of tiles, and every tree begins with each before it', async () => {
    const sizes = [1, 44, 255, 256, 257, 300].map((more) => more);
    for (const more of sizes) await fillLog(app, more);
    const leaves = (await entriesOf(app)).map(leafHash);
    const trees = await db.rows<{ size: number; root: Buffer }>(
      sql`SELECT size, root FROM log_checkpoints ORDER BY size`,
    );
    expect(trees.length).toBeGreaterThan(sizes.length);
    for (const { size, root } of trees)
      expect(root.equals(mth(leaves.slice(0, size))), `root of ${size}`).toBe(true);
    const now = trees.at(-1) as (typeof trees)[number];
    for (const old of trees) {
      const proof = consistencyPath(old.size, now.size).map(({ start, end }) =>
        mth(leaves.slice(start, end)),
      );
      expect(
        await verifyConsistency({
          oldSize: old.size,
          oldRoot: old.root,
          size: now.size,
          root: now.root,
          proof,
        }),
      ).toBe(true);
    }
    const ids = (await db.rows<{ id: string }>(sql`SELECT event_id AS id FROM log_entries`)).map(
      ({ id }) => id,
    );
    const proofs = await findProofs(db, ids);
    const entries = await entriesOf(app);
    expect(proofs.size).toBe(now.size);
    for (const { index, size, root, proof } of proofs.values())
      expect(
        await verifyInclusion({
          entry: entries[index] as Buffer,
          index,
          size,
          root: base64(root),
          proof: proof.map(base64),
        }),
        `entry ${index} of ${size}`,
      ).toBe(true);
  });

  it('[log.recipients] stand in the streams of those whom they concern, numbered by their place', async () => {
    const rows = await db.rows<{ seq: number; place: number }>(
      sql`SELECT r.seq, e.leaf_index + 1 AS place FROM portable_recipients r JOIN log_entries e USING (event_id) WHERE e.leaf_index < 4 ORDER BY r.seq`,
    );
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map(({ place }) => place));
    expect(new Set(rows.map(({ seq }) => seq))).toEqual(new Set([1, 2, 3, 4]));
  });
});

describe('integration', () => {
  it('[log.one-writer] by several nodes at once gives every act one place, without a gap', async () => {
    const other = await app.another();
    const before = (await checkpoint()).size;
    await writeActs(app, 3_000, true);
    const logs = await together(2, () => openLog(app.app.env, null));
    const nodes = [app, other].flatMap(({ app: { env } }, nr) =>
      Array.from({ length: 4 }, () => ({ env, log: logs[nr] as (typeof logs)[number] })),
    );
    await Promise.all(
      nodes.map(async ({ env, log }) => {
        while ((await checkpoint()).size < before + 3_000) await integrate(env, log);
      }),
    );
    const [facts] = await db.rows<object>(
      sql`SELECT count(*) AS count, count(DISTINCT event_id) AS acts, max(leaf_index) AS last FROM log_entries`,
    );
    expect(facts).toEqual({ count: before + 3_000, acts: before + 3_000, last: before + 2_999 });
  });

  it('[log.one-writer] gives an act that was queued twice one place', async () => {
    const { size } = await checkpoint();
    await db.run(
      sql`INSERT INTO portable_queue SELECT event_id, '{}' FROM log_entries WHERE leaf_index < 5`,
    );
    await writeActs(app, 2, true);
    await db.run(sql`INSERT INTO portable_queue SELECT * FROM portable_queue`);
    await until(
      'nothing waits',
      async () => (await db.rows(sql`SELECT 1 FROM portable_queue`)).length === 0,
    );
    expect((await checkpoint()).size).toBe(size + 2);
  });

  it('[log.all-or-nothing] that fails half-way leaves nothing, publishes nothing and is done again', async () => {
    const before = (await get('checkpoint')).text;
    await db.run(sql`ALTER TABLE log_checkpoints ADD CONSTRAINT broken CHECK (size < 0) NOT VALID`);
    await writeActs(app, 3, true);
    expect(await failure()).toContain('broken');
    expect((await get('checkpoint')).text).toBe(before);
    expect(
      await db.rows(
        sql`SELECT 1 FROM log_entries WHERE leaf_index >= (SELECT max(size) FROM log_checkpoints)`,
      ),
    ).toEqual([]);
    await db.run(sql`ALTER TABLE log_checkpoints DROP CONSTRAINT broken`);
    await inLog(app, Number(before.split('\n')[1]) + 3);
  });

  it('[log.append-only] stops when the tree is not the one that was signed last, and signs nothing more', async () => {
    const before = (await get('checkpoint')).text;
    await db.run(sql`UPDATE log_state SET frontier = sha256('x') || substr(frontier, 33)`);
    await writeActs(app, 1, true);
    expect(await failure()).toContain('not the one that was signed last');
    expect((await get('checkpoint')).text).toBe(before);
    const { size } = await checkpoint();
    const [known] = await db.rows<{ tree: Buffer }>(
      sql`SELECT string_agg(entry, ''::bytea ORDER BY leaf_index) AS tree FROM log_entries`,
    );
    const leaves = apart(known?.tree ?? Buffer.alloc(0)).map(leafHash);
    await db.run(
      sql`UPDATE log_state SET frontier = ${Buffer.concat(grow(EMPTY_FRONTIER, leaves, () => {}).hashes)}`,
    );
    await inLog(app, size + 1);
  });

  it('[log.sweep] finds acts that an older version wrote without queueing them', async () => {
    const { size } = await checkpoint();
    await writeActs(app, 7, false);
    const restarted = await app.another();
    await restarted.app.jobs.runDue();
    await inLog(app, size + 7);
    const [row] = await db.rows<{ missing: number }>(
      sql`SELECT count(*) AS missing FROM portable_events p WHERE NOT EXISTS (SELECT 1 FROM log_entries e WHERE e.event_id = p.id)`,
    );
    expect(row?.missing).toBe(0);

    // The clock of the older node was behind.
    const sweptTo = () =>
      db.first<{ id: string | null }>(sql`SELECT swept_to AS id FROM log_state`);
    await until('it has looked at all', async () => (await sweptTo())?.id != null);
    const late = idBefore(String((await sweptTo())?.id), 1_800_000);
    await db.run(sql`INSERT INTO portable_events (id, kind, visibility, occurred_at, subject_type, subject_id, content_sha256, issuer, realm)
      VALUES (${late}, 'message.deleted', 'public', now(), 'message', ${late}, sha256('late'), ${app.url}, 'test')`);
    await (await app.another()).app.jobs.runDue();
    await inLog(app, size + 8);
    expect((await findProof(db, late))?.index).toBe(size + 7);
  });

  it('[log.every-act] gives no place to what is queued but is no act', async () => {
    const { size } = await checkpoint();
    await db.run(
      sql`INSERT INTO portable_queue (event_id, concerned) VALUES (${app.app.env.newId()}, '{}')`,
    );
    await writeActs(app, 2, true);
    await until(
      'nothing waits',
      async () => (await db.first(sql`SELECT 1 FROM portable_queue`)) === undefined,
    );
    expect((await entriesOf(app)).length).toBe(size + 2);
    expect((await checkpoint()).size).toBe(size + 2);
  });
});
