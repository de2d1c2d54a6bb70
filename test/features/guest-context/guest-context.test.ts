import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  createContextKey,
  factories,
  type Json,
  type RequestOptions,
} from '../../support/factories.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

// A job that removes expired contexts raises the versions of all contexts that come after it.
const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const now = () => new Date(app.clock()).toISOString();
const addSeconds = (seconds: number) => new Date(app.clock() + seconds * 1000).toISOString();
const entryPath = (key: string) => `/api/v1/guest-context/${key}`;
const put = (context: string, key: string, body: Json, more: RequestOptions = {}) =>
  f.send('PUT', entryPath(key), { context, body, ...more });
const remove = (context: string, key: string, body: Json = {}, more: RequestOptions = {}) =>
  f.send('DELETE', entryPath(key), { context, body, ...more });
const get = (context: string, key: string) => f.send('GET', entryPath(key), { context });
const missing = buildProblem(404, 'not_found');
const versionConflict = (currentVersion: number) =>
  buildProblem(409, 'version_conflict', { currentVersion });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the key of a guest context', () => {
  it('[guest.key] is 64 lowercase hexadecimal digits and nothing else', async () => {
    const good = createContextKey();
    const before = await listStoredRows(db);
    const agent = await f.createAgent();
    const wrong = [
      '',
      'x',
      good.slice(1),
      `${good}0`,
      good.replace(/^./, 'g'),
      `0x${good.slice(2)}`,
      `${good}, ${good}`,
      agent.key,
      `A${good.slice(1)}`,
      'ABCDEF0123456789'.repeat(4),
      '٠'.repeat(32),
    ];
    const stored = await listStoredRows(db);
    expect(stored).not.toEqual(before);
    for (const key of wrong) {
      const headers = { 'x-context-key': Buffer.from(key).toString('latin1') };
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await f.send(method, entryPath('notes'), {
          headers,
          ...(method !== 'GET' && { body: method === 'PUT' ? { value: 1 } : {} }),
        });
        expect(answer, key).toMatchObject(buildProblem(401, 'invalid_credential'));
        expect(answer.headers.get('www-authenticate')).toBe('ApiKey header="X-Context-Key"');
      }
    }
    const none = await f.send('PUT', entryPath('notes'), { body: { value: 1 } });
    expect(none).toMatchObject(buildProblem(401, 'unauthenticated'));
    expect(none.headers.get('www-authenticate')).toBe('ApiKey header="X-Context-Key"');
    expect(await listStoredRows(db)).toEqual(stored);
    expect((await put('0123456789abcdef'.repeat(4), 'notes', { value: 1 })).status).toBe(200);
  });

  it('[guest.key-hash] is absent from database and log, and values from the log', async () => {
    const context = createContextKey();
    const value = `only-for-${createContextKey()}`;
    for (const [key, body] of [
      ['notes', { value }],
      ['notes', { value, expectedVersion: 9 }],
      ['no!', { value }],
    ] as const)
      await put(context, key, body);
    await get(context, 'notes');
    await remove(context, 'nothing');
    await f.send('GET', '/api/v1/rooms', { context });
    await put(`${context}0`, 'notes', { value });
    const stored = await listStoredRows(db);
    expect(findRowsContaining(stored, context)).toEqual([]);
    expect(findRowsContaining(stored, value)).toHaveLength(1);
    expect(
      stored.filter((row) => row.includes(sha256(context))).map((row) => row.split(' ')[0]),
    ).toEqual(['guest_contexts', 'idempotency_records']);
    for (const text of [context, value])
      expect(app.logs.filter((line) => line.includes(text))).toEqual([]);
    expect(app.logs.some((line) => line.includes('writeGuestContext'))).toBe(true);
  });

  it('[guest.first-write] makes the context at the first write, for that key alone', async () => {
    const mine = createContextKey();
    const other = createContextKey();
    const before = await listStoredRows(db);
    expect(await get(mine, 'notes')).toMatchObject(missing);
    expect(await remove(mine, 'notes')).toMatchObject(missing);
    expect(await put(mine, 'notes', { value: 1, expectedVersion: 1 })).toMatchObject(
      versionConflict(0),
    );
    expect(await put(mine, 'notes', { value: 'x'.repeat(70_000) })).toMatchObject(
      buildProblem(422, 'limit_exceeded'),
    );
    expect(await listStoredRows(db)).toEqual(before);
    expect((await put(mine, 'notes', { value: 'mine' })).status).toBe(200);
    expect((await get(mine, 'notes')).body).toMatchObject({ key: 'notes', value: 'mine' });
    // The answer is the same for a context that does not exist, an entry of another context and a
    // missing entry.
    const answers = [await get(other, 'notes'), await get(mine, 'nothing')];
    for (const { body } of answers)
      expect({ ...body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
    expect(await remove(other, 'notes')).toMatchObject(missing);
    expect((await put(other, 'notes', { value: 'theirs', expectedVersion: 0 })).status).toBe(200);
    expect((await get(mine, 'notes')).body.value).toBe('mine');
  });
});

describe('an entry of a guest context', () => {
  it('[guest.value] [guest.receipt] [guest.ttl] has six fields, its receipt seven', async () => {
    const context = createContextKey();
    const receipt = (await put(context, 'a', { value: { b: [1, 2], a: 'é' } })).body;
    const shown = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key: 'a',
      recordedAt: now(),
      jws: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
    };
    expect(receipt).toEqual({
      ...shown,
      action: 'written',
      version: 1,
      valueSha256: sha256('{"a":"é","b":[1,2]}'),
    });
    const made = {
      key: 'a',
      value: { b: [1, 2], a: 'é' },
      version: 1,
      createdAt: now(),
      updatedAt: now(),
      expiresAt: addSeconds(2_592_000),
    };
    expect((await get(context, 'a')).body).toEqual(made);

    app.clock.advance(5_000);
    const second = (await put(context, 'a', { value: null, ttlSeconds: 60, expectedVersion: null }))
      .body;
    expect(second).toEqual({
      ...receipt,
      jws: shown.jws,
      id: second.id,
      version: 2,
      valueSha256: sha256('null'),
      recordedAt: now(),
    });
    expect(second.id > receipt.id).toBe(true);
    expect((await get(context, 'a')).body).toEqual({
      ...made,
      value: null,
      version: 2,
      updatedAt: now(),
      expiresAt: addSeconds(60),
    });

    const gone = await remove(context, 'a', { expectedVersion: 2 });
    expect(gone.body).toEqual({
      ...shown,
      id: gone.body.id,
      recordedAt: now(),
      action: 'deleted',
      version: 2,
      valueSha256: null,
    });
    expect(await get(context, 'a')).toMatchObject(missing);
  });

  it('[guest.entry-key] has a key of 1 to 128 allowed characters', async () => {
    const context = createContextKey();
    for (const key of ['a', 'Z9._:-', 'a'.repeat(128), '0', '...', ':']) {
      expect((await put(context, key, { value: key })).status, key).toBe(200);
      expect((await get(context, key)).body).toMatchObject({ key, value: key });
      expect((await remove(context, key)).status).toBe(200);
    }
    const before = await listStoredRows(db);
    for (const key of [
      'a'.repeat(129),
      'a b',
      'a/b',
      'é',
      'a\n',
      '\0',
      '%',
      'a,b',
      '{key}',
      ' ',
      '٣',
    ]) {
      const answers = [
        await put(context, encodeURIComponent(key), { value: 1 }),
        await get(context, encodeURIComponent(key)),
      ];
      for (const answer of answers)
        expect(answer, key).toMatchObject(
          buildProblem(400, 'invalid_request', { errors: [{ pointer: '/path/key' }] }),
        );
    }
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[guest.version] changes in the expected version, or in any', async () => {
    const context = createContextKey();
    expect(await put(context, 'a', { value: 1, expectedVersion: 3 })).toMatchObject(
      versionConflict(0),
    );
    const steps = [0, undefined, null, 3];
    for (const [n, expectedVersion] of steps.entries())
      expect((await put(context, 'a', { value: n, expectedVersion })).body).toMatchObject({
        version: n + 1,
      });
    const before = await listStoredRows(db);
    for (const expectedVersion of [0, 3, 5, Number.MAX_SAFE_INTEGER]) {
      expect(await put(context, 'a', { value: 'lost', expectedVersion })).toMatchObject(
        versionConflict(4),
      );
      expect(await remove(context, 'a', { expectedVersion })).toMatchObject(versionConflict(4));
    }
    for (const expectedVersion of ['4', -1, 1.5, 2 ** 53, true, [4], {}]) {
      expect(await put(context, 'a', { value: 'lost', expectedVersion })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
      expect(await remove(context, 'a', { expectedVersion })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    }
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[guest.delete] is deleted by a body that may expect a version', async () => {
    const context = createContextKey();
    for (const body of [{}, { expectedVersion: null }]) {
      await put(context, 'a', { value: 1 });
      expect((await remove(context, 'a', body)).status).toBe(200);
      expect(await remove(context, 'a', body)).toMatchObject(missing);
    }
    await put(context, 'a', { value: 1 });
    const before = await listStoredRows(db);
    const bodies: RequestOptions[] = [
      { body: undefined },
      { raw: 'null' },
      { raw: '[]' },
      { body: { expected: 1 } },
      { body: { value: 1 } },
    ];
    for (const options of bodies)
      expect(await f.send('DELETE', entryPath('a'), { context, ...options })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[guest.ttl] lives as long as its last write says', async () => {
    const context = createContextKey();
    for (const ttlSeconds of [60, 61, 2_592_000, null]) {
      app.clock.advance(1_000);
      expect((await put(context, 'a', { value: 1, ttlSeconds })).status).toBe(200);
      expect((await get(context, 'a')).body.expiresAt).toBe(addSeconds(ttlSeconds ?? 2_592_000));
    }
    for (const ttlSeconds of [59, 2_592_001, 0, -60, 60.5, '60', 1e300])
      expect(await put(context, 'a', { value: 1, ttlSeconds })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
  });
});

describe('an idempotency key of a guest context', () => {
  it('[guest.idem-scope] [idem.scope] belongs to that context', async () => {
    const one = createContextKey();
    const two = createContextKey();
    const first = await put(one, 'a', { value: 1 }, { idem: 'same' });
    const other = await put(two, 'a', { value: 2 }, { idem: 'same' });
    expect({
      status: other.status,
      idempotencyReplayed: other.headers.get('idempotency-replayed'),
    }).toEqual({ status: 200, idempotencyReplayed: null });
    const again = await put(one, 'a', { value: 1 }, { idem: 'same' });
    expect({
      text: again.text,
      idempotencyReplayed: again.headers.get('idempotency-replayed'),
    }).toEqual({ text: first.text, idempotencyReplayed: 'true' });
    for (const [key, body] of [
      ['a', { value: 2 }],
      ['b', { value: 1 }],
      ['a', { value: 1, expectedVersion: 0 }],
    ] as const)
      expect(await put(one, key, body, { idem: 'same' })).toMatchObject(
        buildProblem(422, 'idempotency_key_reused'),
      );
    // Another operation is another call, and the agent whose key is sent beside it is irrelevant.
    const { key } = await f.createAgent();
    expect(
      (await remove(one, 'a', {}, { idem: 'same', key })).headers.get('idempotency-replayed'),
    ).toBeNull();
    expect((await remove(one, 'a', {}, { idem: 'same' })).headers.get('idempotency-replayed')).toBe(
      'true',
    );
    // The stored answer stays the answer after the entry is gone.
    expect((await put(one, 'a', { value: 1 }, { idem: 'same' })).text).toBe(first.text);
    expect(await get(one, 'a')).toMatchObject(missing);
  });
});
