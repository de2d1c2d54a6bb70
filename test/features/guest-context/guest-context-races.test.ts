import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { broken, invariants } from '../../../src/cli/invariants.store.ts';
import { startApp } from '../../support/app.ts';
import { type Answer, contextKey, factories, type Loose, refused, together } from '../../support/factories.ts';
import { everythingStored } from '../../support/stored-rows.ts';

const app = await startApp();
const { db } = app.app.env;
const other = await app.another();
const f = factories(app);
const nodes = [f, factories(other)] as const;
const MINUTE = 60_000;

const path = (key: string) => `/api/v1/guest-context/${key}`;
const on = (n: number) => nodes[n % 2 ? 1 : 0];
const put = (context: string, key: string, body: object, n = 0) =>
  on(n).send('PUT', path(key), { context, body });
const remove = (context: string, key: string, body: object = {}, n = 0) =>
  on(n).send('DELETE', path(key), { context, body });
const get = (context: string, key: string) => f.send('GET', path(key), { context });
const winners = (answers: readonly Answer<Loose>[]) =>
  answers.filter(({ status }) => status === 200);
const missing = refused(404, 'not_found');
const conflict = (currentVersion: number) => refused(409, 'version_conflict', { currentVersion });
const contexts = () => db.rows<{ floor: number }>(sql`SELECT floor FROM guest_contexts`);
const entries = async () =>
  (await db.rows<{ key: string }>(sql`SELECT key FROM guest_entries ORDER BY key`)).map(
    ({ key }) => key,
  );
const runJobs = () => Promise.all([app.app.jobs.runDue(), other.app.jobs.runDue()]);
/** Every context and entry goes with the clock. */
async function forgetAll(): Promise<void> {
  app.clock.advance(31 * 24 * 60 * MINUTE);
  await runJobs();
  expect([await contexts(), await entries()]).toEqual([[], []]);
}

describe('writers at once, on two nodes', () => {
  it('[guest.version-race] that expect the same version: one wins, first for a context that is not there', async () => {
    const context = contextKey();
    for (let version = 0; version < 5; version++) {
      const answers = await together(12, (n) =>
        put(context, 'a', { value: n, expectedVersion: version }, n),
      );
      expect(winners(answers).map(({ body }) => body.version)).toEqual([version + 1]);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toMatchObject(conflict(version + 1));
      expect((await get(context, 'a')).body.value).toBe(
        answers.findIndex(({ status }) => status === 200),
      );
    }
    // Of those who delete and those who write, too.
    const ends = await together(10, (n) =>
      n % 2
        ? remove(context, 'a', { expectedVersion: 5 }, n >> 1)
        : put(context, 'a', { value: n, expectedVersion: 5 }, n >> 1),
    );
    expect(winners(ends)).toHaveLength(1);
  });

  it('[guest.version-race] that expect nothing: each makes a version of its own', async () => {
    const context = contextKey();
    const answers = await together(20, (n) => put(context, 'a', { value: n }, n));
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(
      answers.map((_, n) => n + 1),
    );
    const last = answers.findIndex(({ body }) => body.version === 20);
    expect((await get(context, 'a')).body).toMatchObject({ value: last, version: 20 });
  });

  it('[idem.race] [guest.idem-scope] with one idempotency key write and delete once', async () => {
    const context = contextKey();
    const race = async (method: 'PUT' | 'DELETE', body: object) => {
      const answers = await together(20, (n) =>
        on(n).send(method, path('a'), { context, idem: `once-${method}`, body }),
      );
      const [first, ...more] = answers.filter(
        ({ status, headers }) => status === 200 && headers.get('idempotency-replayed') === null,
      );
      expect([first?.status, more]).toEqual([200, []]);
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
      await db.rows(
        sql`SELECT 1 FROM idempotency_records WHERE scope = ${`context:${sha256(context).toString('hex')}`}`,
      ),
    ).toHaveLength(2);
  });

  it('[guest.quota-race] get eight keys between them', async () => {
    const context = contextKey();
    const answers = await together(24, (n) => put(context, `key-${n}`, { value: n }, n));
    expect(winners(answers)).toHaveLength(8);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused(422, 'limit_exceeded', { limit: 8 }));
    const reads = await together(24, (n) => get(context, `key-${n}`));
    expect(reads.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 200 : 404)),
    );
  });

  it('[guest.quota-race] get 64 KiB between them', async () => {
    const context = contextKey();
    // Each takes 3 + 2 + 20,000 bytes: three fit.
    const answers = await together(8, (n) =>
      put(context, `b-${n}`, { value: 'x'.repeat(20_000) }, n),
    );
    expect(winners(answers)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused(422, 'limit_exceeded', { limit: 65_536 }));
    const growing = await together(8, (n) =>
      put(context, `c-${n}`, { value: 'x'.repeat(3_000) }, n),
    );
    expect(winners(growing)).toHaveLength(1);
    const sum = await db.first<{
      bytes: number;
    }>(sql`SELECT sum(e.bytes) AS bytes FROM guest_entries e JOIN guest_contexts c ON c.id = e.context_id
      WHERE c.key_sha256 = ${sha256(context)}`);
    expect(sum?.bytes).toBe(3 * 20_005 + 3_005);
  });
});

describe('the end of an entry', () => {
  it('[guest.expiry] is when the clock reaches expiresAt, whatever the job does', async () => {
    const context = contextKey();
    for (let n = 0; n < 8; n++)
      await put(context, `key-${n}`, { value: 'x'.repeat(8_000), ttlSeconds: 60 + n });
    expect(await put(context, 'key-8', { value: 1 })).toMatchObject(refused(422, 'limit_exceeded'));
    const rows = (await entries()).length;
    app.clock.advance(MINUTE - 1);
    expect((await get(context, 'key-0')).status).toBe(200);
    for (const past of [1, 1]) {
      app.clock.advance(past);
      expect(await get(context, 'key-0')).toMatchObject(missing);
    }
    expect(await remove(context, 'key-0')).toMatchObject(missing);
    expect(await put(context, 'key-0', { value: 1, expectedVersion: 1 })).toMatchObject(
      conflict(0),
    );
    expect((await entries()).length).toBe(rows);
    // It counts neither as a key nor in bytes.
    expect(
      (await put(context, 'key-8', { value: 'x'.repeat(8_000), expectedVersion: 0 })).status,
    ).toBe(200);
    expect(await put(context, 'key-9', { value: 1 })).toMatchObject(
      refused(422, 'limit_exceeded', { limit: 8 }),
    );
    app.clock.advance(1_000);
    const again = await put(context, 'key-1', { value: 2, expectedVersion: 0 });
    expect(again.body).toMatchObject({ action: 'written' });
    expect((await get(context, 'key-1')).body).toMatchObject({
      createdAt: again.body.recordedAt,
      updatedAt: again.body.recordedAt,
    });
    // A write begins its life anew.
    app.clock.advance(5_000);
    expect(
      [await get(context, 'key-7'), await put(context, 'key-7', { value: 1, ttlSeconds: 60 })].map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200]);
    app.clock.advance(MINUTE - 1);
    expect((await get(context, 'key-7')).status).toBe(200);
  });

  it('[guest.expiry-job] is tidied up: expired entries and empty contexts, and nothing else', async () => {
    await forgetAll();
    const [one, two, three] = [contextKey(), contextKey(), contextKey()];
    await put(one, 'short', { value: 1, ttlSeconds: 60 });
    const { version } = (await put(one, 'long', { value: 1, ttlSeconds: 600 })).body;
    await put(two, 'two', { value: 1, ttlSeconds: 61 });
    await put(three, 'three', { value: 1 });
    await remove(three, 'three');
    await runJobs();
    expect([(await contexts()).length, await entries()]).toEqual([2, ['long', 'short', 'two']]);
    app.clock.advance(MINUTE);
    await runJobs();
    expect([(await contexts()).length, await entries()]).toEqual([2, ['long', 'two']]);
    app.clock.advance(1_000);
    await runJobs();
    expect([(await contexts()).length, await entries()]).toEqual([1, ['long']]);
    expect((await get(one, 'long')).body).toMatchObject({ version, value: 1 });
    const before = await everythingStored(db);
    await runJobs();
    expect(await everythingStored(db)).toEqual(before);
  });

  it('[guest.expiry-job] takes any number of contexts, while others write to them', async () => {
    await forgetAll();
    const keys = Array.from({ length: 450 }, contextKey);
    await db.run(sql`INSERT INTO guest_contexts (id, key_sha256, due_at)
      SELECT gen_random_uuid(), sha256(convert_to(key, 'UTF8')), ${new Date(app.clock()).toISOString()} FROM unnest(${keys}::text[]) key`);
    const chosen = keys.slice(0, 40);
    const [answers] = await Promise.all([
      Promise.all(chosen.map((key, n) => put(key, 'a', { value: n }, n))),
      runJobs(),
      runJobs(),
    ]);
    expect(winners(answers)).toHaveLength(40);
    await runJobs();
    expect((await contexts()).length).toBe(40);
    expect(
      (await Promise.all(chosen.map((key) => get(key, 'a')))).map(({ body }) => body.value),
    ).toEqual(chosen.map((_, n) => n));
    for (const invariant of invariants)
      expect([invariant.breaks, await broken(db, invariant)]).toEqual([
        invariant.breaks,
        { count: 0, example: null },
      ]);
  });
});

describe('a version', () => {
  it('[guest.version-once] never comes again: after deletion, expiry or removal of the context', async () => {
    await forgetAll();
    const context = contextKey();
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
      // Of the three ways in which an expired entry goes: by a write to the context, by the job, with the context.
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
        conflict(0),
      );
      expect(await remove(context, 'a', { expectedVersion: last })).toMatchObject(missing);
    }
    await write();
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });
});
