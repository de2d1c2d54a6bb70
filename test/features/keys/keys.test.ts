import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { readSettings } from '../../../src/config.ts';
import { sql } from '../../../src/db/sql.ts';
import { createAdminKey } from '../../../src/features/keys/admin-keys.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  call,
  factories,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId, random } = app.app.env;
const f = factories(app);
const getMe = (key: string) => f.send('GET', '/api/v1/me', { key });
const rotate = (key: string) => f.send('POST', '/api/v1/me/keys/rotate', { key, idem: false });
const invalid = buildProblem(401, 'invalid_credential');
const MINUTE = 60_000;

describe('keys', () => {
  it('[key.format] have the format stoa_, 43 base64url characters, _ and a checksum', async () => {
    const ada = await f.createAgent();
    for (const key of [
      ada.key,
      (await f.createScopedKey(ada, ['forum'])).apiKey,
      (await rotate(ada.key)).body.apiKey,
    ])
      expect(key).toMatch(/^stoa_[A-Za-z0-9_-]{43}_[A-Za-z0-9_-]{6}$/);
  });

  it('[key.format] with a changed character are refused without a query', async () => {
    const settings = readSettings({ PORT: '0', RATE_LIMITS: 'off' });
    await using offline = createApp(settings, {
      connection: { host: '/nowhere', port: 1, user: 'x', database: 'x' },
      log: pino({ level: 'silent' }),
    });
    const url = await offline.listen();
    const { key } = await f.createAgent();
    expect(await call(url, 'GET', '/api/v1/me', { key })).toMatchObject(
      buildProblem(503, 'unavailable'),
    );
    for (let at = 0; at < key.length; at++) {
      const typo = `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`;
      expect(await call(url, 'GET', '/api/v1/me', { key: typo }), typo).toMatchObject(invalid);
    }
    for (const wrong of ['', 'stoa_', key.slice(0, -1), `${key}x`, key.toUpperCase(), ` ${key} x`])
      expect(await call(url, 'GET', '/api/v1/me', { key: wrong }), wrong).toMatchObject(invalid);
  });

  it('[key.secret] are shown once and stored as SHA-256 only', async () => {
    const ada = await f.createAgent('secretive');
    const scoped = await f.createScopedKey(ada, ['forum'], { label: 'job' });
    const rotated = (await rotate(ada.key)).body;
    const secrets = [ada.key, scoped.apiKey, rotated.apiKey];
    const later = await Promise.all(
      ['/me', '/me/keys', '/me/capabilities', '/agents/secretive'].map((path) =>
        f.send('GET', `/api/v1${path}`, { key: rotated.apiKey }),
      ),
    );
    await app.app.jobs.runDue();
    const stored = await listStoredRows(db);
    for (const secret of secrets) {
      for (const { status, text } of later)
        expect({ status, hasSecret: text.includes(secret) }).toEqual({
          status: 200,
          hasSecret: false,
        });
      expect(findRowsContaining(stored, secret)).toEqual([]);
      expect(app.logs.filter((line) => line.includes(secret))).toEqual([]);
      expect(stored.filter((row) => row.includes(sha256(secret).toString('hex')))).toEqual([
        expect.stringMatching(/^api_keys /),
      ]);
    }
  });

  it('[key.kinds-apart] do not work in place of keys of another kind', async () => {
    const { key: admin } = await createAdminKey(db, {
      by: 'tests',
      name: 'tests',
      now: new Date(app.clock()).toISOString(),
      newId,
      random,
    });
    const ada = await f.createAgent();
    const { token } = await f.ok('POST', `/api/v1/rooms/${await f.createRoom(ada)}/invitations`, {
      key: ada.key,
    });
    const block = (key: string) =>
      f.send('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
        admin: key,
        body: { blocked: false },
      });
    expect((await block(admin)).status).toBe(200);
    for (const key of [ada.key, token]) expect(await block(key)).toMatchObject(invalid);
    for (const key of [admin, token]) {
      expect(await getMe(key)).toMatchObject(invalid);
      expect(await f.send('GET', '/api/v1/agents', { key })).toMatchObject(invalid);
    }
  });

  it('[key.original-forum] of registration keep the scope forum alone', async () => {
    const ada = await f.createAgent();
    const getOriginalKey = async (key: string) =>
      (await f.ok('GET', '/api/v1/me/keys', { key }))[0];
    expect(await getOriginalKey(ada.key)).toMatchObject({ kind: 'original', scopes: ['forum'] });
    await f.grantCapability(ada, 'credentials');
    expect(await getOriginalKey(ada.key)).toMatchObject({ kind: 'original', scopes: ['forum'] });
    expect((await rotate(ada.key)).body.scopes).toEqual(['forum']);
  });

  it('[key.list] are listed with prefix, last use and the calling key', async () => {
    const ada = await f.createAgent();
    const eve = await f.createAgent();
    const createdAt = new Date(app.clock()).toISOString();
    app.clock.advance(90_500);
    const scoped = await f.createScopedKey(ada, ['forum'], { label: 'night' });
    app.clock.advance(MINUTE);
    const usedAt = new Date(app.clock()).toISOString();
    await getMe(ada.key);
    app.clock.advance(10 * MINUTE);
    await app.app.jobs.runDue();
    const list = await f.ok('GET', '/api/v1/me/keys', { key: ada.key });
    const summary = {
      label: null,
      kind: 'original',
      scopes: ['forum'],
      createdAt,
      lastUsedAt: `${usedAt.slice(0, 16)}:00.000Z`,
      expiresAt: null,
      current: true,
    };
    expect(list).toEqual([
      {
        ...summary,
        id: scoped.id,
        prefix: scoped.apiKey.slice(0, 12),
        label: 'night',
        kind: 'scoped',
        createdAt: scoped.createdAt,
        lastUsedAt: null,
        current: false,
      },
      { ...summary, id: expect.any(String), prefix: ada.key.slice(0, 12) },
    ]);
    expect(
      (await f.ok('GET', '/api/v1/me/keys', { key: eve.key })).map(
        ({ prefix }: { prefix: string }) => prefix,
      ),
    ).toEqual([eve.key.slice(0, 12)]);
    expect(await f.ok('GET', '/api/v1/me/keys?limit=1&offset=1', { key: ada.key })).toMatchObject([
      { id: list[1].id },
    ]);
  });

  it('[key.expired] work until their expiresAt and not from then on', async () => {
    const ada = await f.createAgent();
    const until = new Date(app.clock() + MINUTE).toISOString();
    const { apiKey } = await f.createScopedKey(ada, ['forum'], { expiresAt: until });
    const rotated = (
      await rotate((await f.createScopedKey(ada, ['forum'], { expiresAt: until })).apiKey)
    ).body.apiKey;
    app.clock.advance(MINUTE - 1);
    for (const key of [apiKey, rotated]) expect((await getMe(key)).status).toBe(200);
    app.clock.advance(1);
    for (const key of [apiKey, rotated]) {
      expect(await getMe(key)).toMatchObject(invalid);
      expect(await f.send('GET', '/api/v1/rooms', { key })).toMatchObject(invalid);
      expect(await rotate(key)).toMatchObject(invalid);
    }
    for (const expiresAt of [until, new Date(app.clock() - 1).toISOString(), 'tomorrow'])
      expect(
        await f.send('POST', '/api/v1/me/keys', {
          key: ada.key,
          body: { scopes: ['forum'], expiresAt },
        }),
      ).toMatchObject(
        buildProblem(400, 'invalid_request', {
          errors: [{ pointer: '/body/expiresAt', detail: expect.any(String) }],
        }),
      );
  });
});

describe('rotateKey', () => {
  const listKeys = (key: string) => f.ok('GET', '/api/v1/me/keys', { key });
  const findCurrentKey = async (key: string) =>
    (await listKeys(key)).find((summary: { current: boolean }) => summary.current);

  it('[key.rotate] returns a key with the same attributes and stops the old one', async () => {
    const ada = await f.createAgent();
    await f.grantCapability(ada, 'credentials');
    const scoped = await f.createScopedKey(ada, ['forum', 'credentials'], { label: 'night' });
    for (const key of [ada.key, scoped.apiKey]) {
      const before = await findCurrentKey(key);
      const { status, body } = await rotate(key);
      expect(status).toBe(200);
      expect(body).toEqual({
        agent: expect.objectContaining({ id: ada.id }),
        keyId: expect.any(String),
        apiKey: expect.any(String),
        scopes: before.scopes,
        createdAt: expect.any(String),
        webhook: null,
      });
      expect(body.keyId).not.toBe(before.id);
      for (const path of ['/api/v1/me', '/api/v1/agents'])
        expect(await f.send('GET', path, { key })).toMatchObject(invalid);
      expect(await rotate(key)).toMatchObject(invalid);
      expect(await findCurrentKey(body.apiKey)).toEqual({
        ...before,
        id: body.keyId,
        prefix: body.apiKey.slice(0, 12),
        createdAt: body.createdAt,
        // The first use is noted at once.
        lastUsedAt: `${new Date(app.clock()).toISOString().slice(0, 16)}:00.000Z`,
      });
      expect(await listKeys(body.apiKey)).toHaveLength(2);
    }
  });

  it('[key.rotate] makes one key when called twenty times at once', async () => {
    const { key, id } = await f.createAgent();
    const answers = await runConcurrently(20, () => rotate(key));
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(answers.filter(({ body }) => body.code === 'invalid_credential')).toHaveLength(19);
    expect(
      await db.rows(sql`
        SELECT id
        FROM api_keys
        WHERE agent_id = ${id} AND revoked_at IS NULL
      `),
    ).toEqual([{ id: won?.body.keyId }]);
  });

  it('[key.rotate-always] is open to any key, as is revoking itself', async () => {
    const ada = await f.createAgent();
    await f.grantCapability(ada, 'credentials');
    const narrow = await f.createScopedKey(ada, ['credentials']);
    for (let n = 0; n < 18; n++) await f.createScopedKey(ada, ['forum']);
    expect(
      await f.send('POST', '/api/v1/me/keys', { key: ada.key, body: { scopes: ['forum'] } }),
    ).toMatchObject(buildProblem(422, 'limit_exceeded'));
    const rotated = await rotate(narrow.apiKey);
    const original = await rotate(ada.key);
    expect({ rotated: rotated.status, original: original.status }).toEqual({
      rotated: 200,
      original: 200,
    });
    expect(await listKeys(original.body.apiKey)).toHaveLength(20);
    await f.grantCapability(ada, 'credentials', 'revoked');
    const again = await rotate(rotated.body.apiKey);
    expect(again.status).toBe(200);
    expect(await f.ok('DELETE', '/api/v1/me/keys/current', { key: again.body.apiKey })).toEqual({
      id: again.body.keyId,
    });
    expect(await getMe(again.body.apiKey)).toMatchObject(invalid);
  });
});

describe('revokeKey', () => {
  const revoke = (agent: Pick<TestAgent, 'key'>, id: string) =>
    f.send('DELETE', `/api/v1/me/keys/${id}`, { key: agent.key });

  it('[key.revoke] stops a key at once, the calling one or another', async () => {
    const ada = await f.createAgent();
    const one = await f.createScopedKey(ada, ['forum']);
    const two = await f.createScopedKey(ada, ['forum']);
    expect((await revoke(ada, one.id)).body).toEqual({ id: one.id });
    expect(await getMe(one.apiKey)).toMatchObject(invalid);
    expect(await revoke(ada, one.id)).toMatchObject(buildProblem(404, 'not_found'));
    expect((await revoke({ key: two.apiKey }, two.id)).body).toEqual({ id: two.id });
    expect(await getMe(two.apiKey)).toMatchObject(invalid);
    const [{ id }] = await f.ok('GET', '/api/v1/me/keys', { key: ada.key });
    expect(await f.ok('DELETE', '/api/v1/me/keys/current', { key: ada.key })).toEqual({ id });
    expect(await getMe(ada.key)).toMatchObject(invalid);
  });

  it('[key.revoke] does not reach the key of another agent', async () => {
    const ada = await f.createAgent();
    const eve = await f.createAgent();
    const [{ id }] = await f.ok('GET', '/api/v1/me/keys', { key: ada.key });
    const before = await listStoredRows(db);
    const foreign = await revoke(eve, id);
    const unknown = await revoke(eve, newId());
    expect(foreign).toMatchObject(buildProblem(404, 'not_found'));
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect(await listStoredRows(db)).toEqual(before);
    expect((await getMe(ada.key)).status).toBe(200);
  });
});
