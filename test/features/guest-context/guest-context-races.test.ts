import { describe, expect, it } from 'vitest';
import { findBroken, invariants } from '../../../src/cli/doctor/invariants.store.ts';
import { sql } from '../../../src/db/sql.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp } from '../../support/app.ts';
import {
  type Answer,
  buildProblem,
  createContextKey,
  factories,
  type Json,
  runConcurrently,
} from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

// A job that removes expired contexts raises the versions of all contexts that come after it.
const app = await startApp({}, { manualJobs: true });
const { db } = app.app.env;
const other = await app.startNode();
const f = factories(app);
const nodes = [f, factories(other)] as const;
const MINUTE = 60_000;

const entryPath = (key: string) => `/api/v1/guest-context/${key}`;
const pickNode = (n: number) => nodes[n % 2 ? 1 : 0];
const put = (context: string, key: string, body: object, n = 0) =>
  pickNode(n).send('PUT', entryPath(key), { context, body });
const remove = (context: string, key: string, body: object = {}, n = 0) =>
  pickNode(n).send('DELETE', entryPath(key), { context, body });
const get = (context: string, key: string) => f.send('GET', entryPath(key), { context });
const filterSucceeded = (answers: readonly Answer<Json>[]) =>
  answers.filter(({ status }) => status === 200);
const missing = buildProblem(404, 'not_found');
const versionConflict = (currentVersion: number) =>
  buildProblem(409, 'version_conflict', { currentVersion });
const listContexts = () => db.rows<{ floor: number }>(sql`SELECT floor FROM guest_contexts`);
const listEntries = async () =>
  (await db.rows<{ key: string }>(sql`SELECT key FROM guest_entries ORDER BY key`)).map(
    ({ key }) => key,
  );
const runJobs = () => Promise.all([app.app.jobs.runDue(), other.app.jobs.runDue()]);
/** Every context and entry expires when the clock advances. */
async function forgetAll(): Promise<void> {
  app.clock.advance(31 * 24 * 60 * MINUTE);
  await runJobs();
  expect({ contexts: await listContexts(), entries: await listEntries() }).toEqual({
    contexts: [],
    entries: [],
  });
}

describe('concurrent writes on two nodes', () => {
  it('[guest.version-race] have one winner when they expect the same version', async () => {
    const context = createContextKey();
    for (let version = 0; version < 5; version++) {
      const answers = await runConcurrently(12, (n) =>
        put(context, 'a', { value: n, expectedVersion: version }, n),
      );
      expect(filterSucceeded(answers).map(({ body }) => body.version)).toEqual([version + 1]);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toMatchObject(versionConflict(version + 1));
      expect((await get(context, 'a')).body.value).toBe(
        answers.findIndex(({ status }) => status === 200),
      );
    }
    // Deletions and writes race too.
    const ends = await runConcurrently(10, (n) =>
      n % 2
        ? remove(context, 'a', { expectedVersion: 5 }, n >> 1)
        : put(context, 'a', { value: n, expectedVersion: 5 }, n >> 1),
    );
    expect(filterSucceeded(ends)).toHaveLength(1);
  });

  it('[guest.version-race] make one version each when they expect none', async () => {
    const context = createContextKey();
    const answers = await runConcurrently(20, (n) => put(context, 'a', { value: n }, n));
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(
      answers.map((_, n) => n + 1),
    );
    const last = answers.findIndex(({ body }) => body.version === 20);
    expect((await get(context, 'a')).body).toMatchObject({ value: last, version: 20 });
  });

  it('[idem.race] [guest.idem-scope] run once with one idempotency key', async () => {
    const context = createContextKey();
    const race = async (method: 'PUT' | 'DELETE', body: object) => {
      const answers = await runConcurrently(20, (n) =>
        pickNode(n).send(method, entryPath('a'), { context, idem: `once-${method}`, body }),
      );
      const [first, ...more] = answers.filter(
        ({ status, headers }) => status === 200 && headers.get('idempotency-replayed') === null,
      );
      expect({ status: first?.status, more }).toEqual({ status: 200, more: [] });
      for (const answer of answers)
        expect(answer.status === 200 ? answer.text : answer.body.code).toBe(
          answer.status === 200 ? first?.text : 'idempotency_in_progress',
        );
    };
    await race('PUT', { value: { n: 1 } });
    expect((await get(context, 'a')).body).toMatchObject({ version: 1 });
    await race('DELETE', {});
    expect(await get(context, 'a')).toMatchObject(missing);
    expect(
      await db.rows(sql`
        SELECT 1
        FROM idempotency_records
        WHERE scope = ${`context:${sha256(context).toString('hex')}`}
      `),
    ).toHaveLength(2);
  });

  it('[guest.quota-race] get eight keys in total', async () => {
    const context = createContextKey();
    const answers = await runConcurrently(24, (n) => put(context, `key-${n}`, { value: n }, n));
    expect(filterSucceeded(answers)).toHaveLength(8);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: 8 }));
    const reads = await runConcurrently(24, (n) => get(context, `key-${n}`));
    expect(reads.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 200 : 404)),
    );
  });

  it('[guest.quota-race] get 64 KiB in total', async () => {
    const context = createContextKey();
    // Each takes 3 + 2 + 20,000 bytes, so three fit.
    const answers = await runConcurrently(8, (n) =>
      put(context, `b-${n}`, { value: 'x'.repeat(20_000) }, n),
    );
    expect(filterSucceeded(answers)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: 65_536 }));
    const growing = await runConcurrently(8, (n) =>
      put(context, `c-${n}`, { value: 'x'.repeat(3_000) }, n),
    );
    expect(filterSucceeded(growing)).toHaveLength(1);
    const sum = await db.first<{
      bytes: number;
    }>(sql`
      SELECT sum(e.bytes) AS bytes
      FROM guest_entries e
      JOIN guest_contexts c ON c.id = e.context_id
      WHERE c.key_sha256 = ${sha256(context)}
    `);
    expect(sum?.bytes).toBe(3 * 20_005 + 3_005);
  });
});

it('[guest.clock-back] accepts a write on a node whose clock is behind', async () => {
  const context = createContextKey();
  const created = await put(context, 'note', { value: 1 });
  app.clock.advance(-10 * MINUTE);
  try {
    expect((await put(context, 'note', { value: 2, ttlSeconds: 60 })).status).toBe(200);
    const { body } = await get(context, 'note');
    expect(body).toMatchObject({ value: 2, version: 2, createdAt: created.body.recordedAt });
    expect(body.updatedAt).toBe(body.createdAt);
    expect(Date.parse(body.expiresAt)).toBe(Date.parse(body.createdAt) + MINUTE);
  } finally {
    app.clock.advance(10 * MINUTE);
  }
});

describe('expiry of guest contexts', () => {
  it('[guest.expiry] happens when the clock reaches expiresAt, before any job', async () => {
    const context = createContextKey();
    for (let n = 0; n < 8; n++)
      await put(context, `key-${n}`, { value: 'x'.repeat(8_000), ttlSeconds: 60 + n });
    expect(await put(context, 'key-8', { value: 1 })).toMatchObject(
      buildProblem(422, 'limit_exceeded'),
    );
    const rows = (await listEntries()).length;
    app.clock.advance(MINUTE - 1);
    expect((await get(context, 'key-0')).status).toBe(200);
    for (const past of [1, 1]) {
      app.clock.advance(past);
      expect(await get(context, 'key-0')).toMatchObject(missing);
    }
    expect(await remove(context, 'key-0')).toMatchObject(missing);
    expect(await put(context, 'key-0', { value: 1, expectedVersion: 1 })).toMatchObject(
      versionConflict(0),
    );
    expect((await listEntries()).length).toBe(rows);
    // It counts neither as a key nor in bytes.
    expect(
      (await put(context, 'key-8', { value: 'x'.repeat(8_000), expectedVersion: 0 })).status,
    ).toBe(200);
    expect(await put(context, 'key-9', { value: 1 })).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 8 }),
    );
    app.clock.advance(1_000);
    const again = await put(context, 'key-1', { value: 2, expectedVersion: 0 });
    expect(again.body).toMatchObject({ action: 'written' });
    expect((await get(context, 'key-1')).body).toMatchObject({
      createdAt: again.body.recordedAt,
      updatedAt: again.body.recordedAt,
    });
    // A write starts a new lifetime.
    app.clock.advance(5_000);
    expect(
      [await get(context, 'key-7'), await put(context, 'key-7', { value: 1, ttlSeconds: 60 })].map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200]);
    app.clock.advance(MINUTE - 1);
    expect((await get(context, 'key-7')).status).toBe(200);
  });

  it('[guest.expiry-job] job removes expired entries and empty contexts only', async () => {
    await forgetAll();
    const one = createContextKey();
    const two = createContextKey();
    const three = createContextKey();
    await put(one, 'short', { value: 1, ttlSeconds: 60 });
    const { version } = (await put(one, 'long', { value: 1, ttlSeconds: 600 })).body;
    await put(two, 'two', { value: 1, ttlSeconds: 61 });
    await put(three, 'three', { value: 1 });
    await remove(three, 'three');
    await runJobs();
    expect({
      contexts: (await listContexts()).length,
      entries: await listEntries(),
    }).toEqual({ contexts: 2, entries: ['long', 'short', 'two'] });
    app.clock.advance(MINUTE);
    await runJobs();
    expect({
      contexts: (await listContexts()).length,
      entries: await listEntries(),
    }).toEqual({ contexts: 2, entries: ['long', 'two'] });
    app.clock.advance(1_000);
    await runJobs();
    expect({
      contexts: (await listContexts()).length,
      entries: await listEntries(),
    }).toEqual({ contexts: 1, entries: ['long'] });
    expect((await get(one, 'long')).body).toMatchObject({ version, value: 1 });
    const before = await listStoredRows(db);
    await runJobs();
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[guest.expiry-job] job handles any number of contexts while others write', async () => {
    await forgetAll();
    const keys = Array.from({ length: 450 }, createContextKey);
    await db.run(sql`
      INSERT INTO guest_contexts (id, key_sha256, due_at)
      SELECT gen_random_uuid(), sha256(convert_to(key, 'UTF8')),
        ${new Date(app.clock()).toISOString()}
      FROM unnest(${keys}::text[]) key
    `);
    const chosen = keys.slice(0, 40);
    const [answers] = await Promise.all([
      Promise.all(chosen.map((key, n) => put(key, 'a', { value: n }, n))),
      runJobs(),
      runJobs(),
    ]);
    expect(filterSucceeded(answers)).toHaveLength(40);
    await runJobs();
    expect((await listContexts()).length).toBe(40);
    expect(
      (await Promise.all(chosen.map((key) => get(key, 'a')))).map(({ body }) => body.value),
    ).toEqual(chosen.map((_, n) => n));
    for (const invariant of invariants)
      expect({ breaks: invariant.breaks, broken: await findBroken(db, invariant) }).toEqual({
        breaks: invariant.breaks,
        broken: { count: 0, example: null },
      });
  });
});

describe('versions of guest contexts', () => {
  it('[guest.version-once] never return after deletion, expiry or removal', async () => {
    await forgetAll();
    const context = createContextKey();
    const seen: number[] = [];
    const write = async (more: object = {}) => {
      const { body } = await put(context, 'a', {
        value: seen.length,
        expectedVersion: 0,
        ttlSeconds: 60,
        ...more,
      });
      seen.push(body.version);
      const next = await put(context, 'a', { value: 'next', ttlSeconds: 60 });
      seen.push(next.body.version);
      return next.body.version as number;
    };
    const ends: (() => Promise<unknown>)[] = [
      () => remove(context, 'a'),
      async () => app.clock.advance(MINUTE),
      // An expired entry can be removed in three ways: by a write to the context, by the job, or
      // with the context.
      async () => {
        app.clock.advance(MINUTE);
        await put(context, 'b', { value: 1, ttlSeconds: 600 });
      },
      async () => {
        app.clock.advance(MINUTE);
        await runJobs();
      },
      async () => {
        for (const key of ['a', 'b']) await remove(context, key);
        await runJobs();
      },
      forgetAll,
    ];
    for (const end of ends) {
      const last = await write();
      await end();
      expect(await put(context, 'a', { value: 'late', expectedVersion: last })).toMatchObject(
        versionConflict(0),
      );
      expect(await remove(context, 'a', { expectedVersion: last })).toMatchObject(missing);
    }
    await write();
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });
});
