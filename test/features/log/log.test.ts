import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openCheckpoint } from '../../../client/src/receipts/checkpoint.ts';
import {
  computeEntry,
  verifyConsistency,
  verifyInclusion,
} from '../../../client/src/receipts/verify-merkle.ts';
import { sql } from '../../../src/db/sql.ts';
import { integrateReceipts } from '../../../src/features/log/integrate-receipts.job.ts';
import {
  buildConsistencyPath,
  EMPTY_FRONTIER,
  growTree,
  hashLeaf,
} from '../../../src/features/log/merkle-tree.rules.ts';
import { openLog } from '../../../src/features/log/open-log.ts';
import { findProof, findProofs } from '../../../src/features/log/proof.store.ts';
import { buildIdBefore, splitHashes } from '../../../src/features/log/rules.ts';
import {
  canonicalizePayload,
  toReceiptPayload,
} from '../../../src/features/receipts/receipt-payload.ts';
import { listReceipts } from '../../../src/features/receipts/store.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, runConcurrently, waitUntil } from '../../support/factories.ts';
import {
  fillLog,
  listEntries,
  merkleTreeHash,
  waitForLogSize,
  writeReceipts,
} from './merkle-reference.ts';

const app = await startApp();
const { db, hub, installation, random } = app.app.env;
const f = factories(app);
const get = (path: string, options = {}) => f.send('GET', `/log/${path}`, options);
const getCheckpoint = async () =>
  openCheckpoint((await get('checkpoint')).text, (await get('vkey')).text.trim());
const decodeBase64 = (text: string) => Buffer.from(text, 'base64');

/**
 * Returns the error of an integration. Another node may be integrating, so it retries until this
 * node gets its turn.
 */
async function waitForFailure(): Promise<string> {
  const log = await openLog(app.app.env, null);
  let message = '';
  await waitUntil('it fails', async () => {
    message = await integrateReceipts({ db, random, installation, hub }, log).then(
      () => '',
      (error: Error) => error.message,
    );
    return message !== '';
  });
  return message;
}

/** Builds the log entry of an act from its receipt and its proof. */
async function buildEntry(eventId: string, salt: string | null): Promise<Uint8Array> {
  const [event] = await listReceipts(db, [eventId], installation);
  if (!event) throw new Error('There is no such act.');
  return computeEntry(
    canonicalizePayload(toReceiptPayload(event)).sha256,
    salt === null ? null : decodeBase64(salt),
  );
}

describe('getCheckpoint of a new installation', () => {
  it('[log.checkpoint] [log.key] signs an empty log with its name', async () => {
    const origin = `${app.url.replace('http://', '')}/log`;
    expect(await getCheckpoint()).toEqual({
      origin,
      size: 0,
      root: new Uint8Array(createHash('sha256').digest()),
    });
    const key = await get('vkey');
    expect(key.text).toMatch(new RegExp(`^${origin}\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44}\n$`));
    for (const answer of [key, await get('checkpoint')])
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await get('tile/0/000.p/1')).toMatchObject(buildProblem(404, 'not_found'));
    expect((await f.ok('GET', '/api/v1/capabilities')).links.log).toBe(`${app.url}/log`);
  });
});

describe('integrateReceipts', () => {
  it('[log.every-act] [log.private] [log.by-itself] logs private acts as 32 bytes', async () => {
    const owner = await f.createAgent();
    const open = await f.createRoom(owner, 'public');
    const closed = await f.createRoom(owner, 'private');
    const threads = [await f.createThread(owner, open), await f.createThread(owner, closed)];
    for (const thread of threads) await f.postMessage(owner, thread, 'Hello');
    // No job is called here, because integration runs by itself.
    const events = await db.rows<{ id: string; visibility: string }>(
      sql`SELECT id, visibility FROM portable_events ORDER BY id`,
    );
    await waitForLogSize(app, events.length);
    const entries = await listEntries(app);
    expect(entries.length).toBe(events.length);
    expect(new Set(entries.map(String)).size).toBe(events.length);
    for (const [index, { id, visibility }] of events.entries()) {
      const proof = await findProof(db, id);
      expect(proof?.salt === null).toBe(visibility === 'public');
      const entry = await buildEntry(id, proof?.salt ?? null);
      expect(Buffer.from(entry).equals(entries[proof?.index ?? -1] as Buffer)).toBe(true);
      const plain = await buildEntry(id, null);
      expect(entries.some((one) => one.equals(plain))).toBe(visibility === 'public');
      expect(index).toBeLessThan(events.length);
    }
    expect(events.filter(({ visibility }) => visibility === 'private').length).toBeGreaterThan(1);
  });

  it('[log.private] salts each private act separately, so hashes reveal nothing', async () => {
    await fillLog(app, 30);
    const salts = await db.first(sql`
      SELECT count(salt) >= 10 AS many, count(DISTINCT salt) = count(salt) AS "ofTheirOwn"
      FROM log_entries
    `);
    expect(salts).toEqual({ many: true, ofTheirOwn: true });
  });

  it('[log.proof] [log.proof-fixed] publishes proofs that never change', async () => {
    const ids = (await db.rows<{ id: string }>(sql`SELECT id FROM portable_events`)).map(
      ({ id }) => id,
    );
    const vkey = (await get('vkey')).text.trim();
    const before = await findProofs(db, ids);
    for (const [id, { checkpoint, index, size, root, proof, salt }] of before) {
      const tree = await openCheckpoint(checkpoint, vkey);
      expect({ size: tree.size, root: Buffer.from(tree.root).toString('base64') }).toEqual({
        size,
        root,
      });
      expect(
        await verifyInclusion({
          entry: await buildEntry(id, salt),
          index,
          size,
          root: tree.root,
          proof: proof.map(decodeBase64),
        }),
      ).toBe(true);
    }
    await fillLog(app, 700);
    expect([...(await findProofs(db, ids))].sort()).toEqual([...before].sort());
    expect(await findProof(db, '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f')).toBeNull();
  });

  it('[log.append-only] [log.proof] proves every act and every prefix', async () => {
    const sizes = [1, 44, 255, 256, 257, 300].map((more) => more);
    for (const more of sizes) await fillLog(app, more);
    const leaves = (await listEntries(app)).map(hashLeaf);
    const trees = await db.rows<{ size: number; root: Buffer }>(
      sql`SELECT size, root FROM log_checkpoints ORDER BY size`,
    );
    expect(trees.length).toBeGreaterThan(sizes.length);
    for (const { size, root } of trees)
      expect(root.equals(merkleTreeHash(leaves.slice(0, size))), `root of ${size}`).toBe(true);
    const now = trees.at(-1) as (typeof trees)[number];
    for (const old of trees) {
      const proof = buildConsistencyPath(old.size, now.size).map(({ start, end }) =>
        merkleTreeHash(leaves.slice(start, end)),
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
    const entries = await listEntries(app);
    expect(proofs.size).toBe(now.size);
    for (const { index, size, root, proof } of proofs.values())
      expect(
        await verifyInclusion({
          entry: entries[index] as Buffer,
          index,
          size,
          root: decodeBase64(root),
          proof: proof.map(decodeBase64),
        }),
        `entry ${index} of ${size}`,
      ).toBe(true);
  });

  it('[log.recipients] adds acts to the streams of those concerned, in log order', async () => {
    const rows = await db.rows<{ seq: number; place: number }>(sql`
      SELECT r.seq, e.leaf_index + 1 AS place
      FROM portable_recipients r
      JOIN log_entries e USING (event_id)
      WHERE e.leaf_index < 4
      ORDER BY r.seq
    `);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map(({ place }) => place));
    expect(new Set(rows.map(({ seq }) => seq))).toEqual(new Set([1, 2, 3, 4]));
  });
});

describe('integrateReceipts on several nodes', () => {
  it('[log.one-writer] gives every act one place without gaps', async () => {
    const other = await app.startNode();
    const before = (await getCheckpoint()).size;
    await writeReceipts(app, 3_000, true);
    const logs = await runConcurrently(2, () => openLog(app.app.env, null));
    const nodes = [app, other].flatMap(({ app: { env } }, nr) =>
      Array.from({ length: 4 }, () => ({ env, log: logs[nr] as (typeof logs)[number] })),
    );
    await Promise.all(
      nodes.map(async ({ env, log }) => {
        while ((await getCheckpoint()).size < before + 3_000) await integrateReceipts(env, log);
      }),
    );
    const [facts] = await db.rows<object>(sql`
      SELECT count(*) AS count, count(DISTINCT event_id) AS acts, max(leaf_index) AS last
      FROM log_entries
    `);
    expect(facts).toEqual({ count: before + 3_000, acts: before + 3_000, last: before + 2_999 });
  });

  it('[log.one-writer] gives an act that was queued twice one place', async () => {
    const { size } = await getCheckpoint();
    await db.run(sql`
      INSERT INTO portable_queue
      SELECT event_id, '{}'
      FROM log_entries
      WHERE leaf_index < 5
    `);
    await writeReceipts(app, 2, true);
    await db.run(sql`INSERT INTO portable_queue SELECT * FROM portable_queue`);
    await waitUntil(
      'nothing waits',
      async () => (await db.rows(sql`SELECT 1 FROM portable_queue`)).length === 0,
    );
    expect((await getCheckpoint()).size).toBe(size + 2);
  });

  it('[log.all-or-nothing] publishes nothing when it fails midway, and retries', async () => {
    const before = (await get('checkpoint')).text;
    await db.run(sql`ALTER TABLE log_checkpoints ADD CONSTRAINT broken CHECK (size < 0) NOT VALID`);
    await writeReceipts(app, 3, true);
    expect(await waitForFailure()).toContain('broken');
    expect((await get('checkpoint')).text).toBe(before);
    expect(
      await db.rows(sql`
        SELECT 1
        FROM log_entries
        WHERE leaf_index >= (SELECT max(size) FROM log_checkpoints)
      `),
    ).toEqual([]);
    await db.run(sql`ALTER TABLE log_checkpoints DROP CONSTRAINT broken`);
    await waitForLogSize(app, Number(before.split('\n')[1]) + 3);
  });

  it('[log.append-only] stops when the tree is not the one signed last', async () => {
    const before = (await get('checkpoint')).text;
    await db.run(sql`UPDATE log_state SET frontier = sha256('x') || substr(frontier, 33)`);
    await writeReceipts(app, 1, true);
    expect(await waitForFailure()).toContain('not the one that was signed last');
    expect((await get('checkpoint')).text).toBe(before);
    const { size } = await getCheckpoint();
    const [known] = await db.rows<{ tree: Buffer }>(
      sql`SELECT string_agg(entry, ''::bytea ORDER BY leaf_index) AS tree FROM log_entries`,
    );
    const leaves = splitHashes(known?.tree ?? Buffer.alloc(0)).map(hashLeaf);
    await db.run(sql`
      UPDATE log_state
      SET frontier = ${Buffer.concat(growTree(EMPTY_FRONTIER, leaves, () => {}).hashes)}
    `);
    await waitForLogSize(app, size + 1);
  });

  it('[log.sweep] finds acts that an older version wrote without queueing them', async () => {
    const { size } = await getCheckpoint();
    await writeReceipts(app, 7, false);
    const restarted = await app.startNode();
    await restarted.app.jobs.runDue();
    await waitForLogSize(app, size + 7);
    const [row] = await db.rows<{ missing: number }>(sql`
      SELECT count(*) AS missing
      FROM portable_events p
      WHERE NOT EXISTS (SELECT 1 FROM log_entries e WHERE e.event_id = p.id)
    `);
    expect(row?.missing).toBe(0);

    // The clock of the older node was behind.
    const getSweptTo = () =>
      db.first<{ id: string | null }>(sql`SELECT swept_to AS id FROM log_state`);
    await waitUntil('it has looked at all', async () => (await getSweptTo())?.id != null);
    const late = buildIdBefore(String((await getSweptTo())?.id), 1_800_000);
    await db.run(sql`
      INSERT INTO portable_events (
        id, kind, visibility, occurred_at, subject_type, subject_id, content_sha256, issuer, realm
      )
      VALUES (
        ${late}, 'message.deleted', 'public', now(), 'message', ${late}, sha256('late'), ${app.url},
        'test'
      )
    `);
    await (await app.startNode()).app.jobs.runDue();
    await waitForLogSize(app, size + 8);
    expect((await findProof(db, late))?.index).toBe(size + 7);
  });

  it('[log.every-act] gives no place to queued ids that are no acts', async () => {
    const { size } = await getCheckpoint();
    await db.run(
      sql`INSERT INTO portable_queue (event_id, concerned) VALUES (${app.app.env.newId()}, '{}')`,
    );
    await writeReceipts(app, 2, true);
    await waitUntil(
      'nothing waits',
      async () => (await db.first(sql`SELECT 1 FROM portable_queue`)) === undefined,
    );
    expect((await listEntries(app)).length).toBe(size + 2);
    expect((await getCheckpoint()).size).toBe(size + 2);
  });
});
