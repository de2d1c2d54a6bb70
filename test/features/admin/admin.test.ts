import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { createAdminKey, revokeAdminKey } from '../../../src/features/keys/admin-keys.ts';
import type { AnyOperation } from '../../../src/kernel/operation/any-operation.ts';
import { operations } from '../../../src/operations.ts';
import { SettingError } from '../../../src/setting-parsers.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { buildProblem, factories, type TestAgent } from '../../support/factories.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId, random } = app.app.env;
const f = factories(app);
const registry = operations as unknown as readonly AnyOperation[];
const now = () => new Date(app.clock()).toISOString();
const putAsAdmin = (agentId: string, what: string, body: unknown, via = f) =>
  via.send('PUT', `/api/v1/admin/agents/${agentId}/${what}`, { admin: true, body });
const block = ({ id }: TestAgent, blocked = true, via = f) =>
  putAsAdmin(id, 'block', { blocked }, via);
const fillParameters = (path: string) => path.replaceAll(/\{\w+\}/g, newId());

describe('X-Admin-Key', () => {
  it('[admin.header] is the only header that identifies administrators', async () => {
    const { key } = await f.createAgent();
    const before = await listStoredRows(db);
    const guarded = registry.filter(({ auth }) => auth === 'admin');
    const headers = { accept: 'application/problem+json' };
    expect(guarded.length).toBeGreaterThanOrEqual(3);
    for (const { name, method, path } of guarded) {
      for (const options of [{}, { key }]) {
        const answer = await f.send(method, fillParameters(path), { ...options, headers });
        expect(answer, name).toMatchObject(buildProblem(401, 'unauthenticated'));
        expect(answer.headers.get('www-authenticate')).toContain('X-Admin-Key');
      }
      for (const wrong of ['x'.repeat(40), key, `stoa_admin_${'x'.repeat(43)}_xxxxxx`])
        expect(
          await f.send(method, fillParameters(path), { admin: wrong, headers }),
          name,
        ).toMatchObject(buildProblem(401, 'invalid_credential'));
    }
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[error.credential-header] is named in the refusal of getMetrics without a key', async () => {
    for (const [options, code] of [
      [{}, 'unauthenticated'],
      [{ admin: 'not-a-key-of-any-administrator-000' }, 'invalid_credential'],
    ] as const) {
      const answer = await f.send('GET', '/metrics', options);
      expect({
        code: answer.body.code,
        wwwAuthenticate: answer.headers.get('www-authenticate'),
      }).toEqual({ code, wwwAuthenticate: 'ApiKey header="X-Admin-Key"' });
    }
  });

  it('[admin.from-settings] accepts keys of ADMIN_KEYS and of the command line', async () => {
    const one = 'o'.repeat(32);
    const two = 'two-of-the-keys-of-this-installation';
    const other = factories(await app.startNode({ ADMIN_KEYS: ` ${one} ,${two},` }));
    const made = await createAdminKey(db, {
      by: 'tests',
      name: 'operator',
      now: now(),
      newId,
      random,
    });
    const agent = await f.createAgent();
    const flag = async (key: string) =>
      (
        await other.send('PUT', `/api/v1/admin/agents/${agent.id}/synthetic`, {
          admin: key,
          body: { synthetic: true },
        })
      ).status;
    for (const key of [one, two, made.key]) expect(await flag(key)).toBe(200);
    expect(await flag(ADMIN_KEY)).toBe(401);
    const stored = await listStoredRows(db);
    for (const key of [one, two, made.key]) expect(findRowsContaining(stored, key)).toEqual([]);
    await revokeAdminKey(db, made.id, { by: 'tests', now: now(), newId });
    expect(await flag(made.key)).toBe(401);
  });

  it('[admin.from-settings] aborts startup when a key has fewer than 32 characters', () => {
    for (const keys of ['x'.repeat(31), `${'x'.repeat(32)},short`]) {
      expect(() => readSettings({ ADMIN_KEYS: keys })).toThrow(SettingError);
      expect(() => readSettings({ ADMIN_KEYS: keys })).toThrow(/^ADMIN_KEYS .*32 characters/);
    }
    expect(readSettings({ ADMIN_KEYS: 'x'.repeat(32) }).ADMIN_KEYS).toEqual(['x'.repeat(32)]);
  });
});

describe('blockAgent', () => {
  it('[admin.block] refuses every operation that needs a key until it is lifted', async () => {
    const ada = await f.createAgent();
    const roomId = await f.createRoom(ada);
    const answer = await putAsAdmin(ada.id, 'block', { blocked: true, reason: 'floods rooms' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { id: ada.id, createdAt: now() },
    });
    expect(await f.ok('GET', `/api/v1/agents/${ada.handle}`)).toMatchObject({ blocked: true });
    const needy = registry.filter(({ auth }) => auth === 'agent');
    for (const { name, method, path } of needy) {
      const refusal = await f.send(method, fillParameters(path), {
        key: ada.key,
        ...(method !== 'GET' && { body: {} }),
      });
      expect(refusal, name).toMatchObject(buildProblem(403, 'agent_blocked'));
    }
    expect((await block(ada)).status).toBe(200);
    expect((await block(ada, false)).status).toBe(200);
    expect(await f.ok('GET', '/api/v1/me', { key: ada.key })).toMatchObject({ blocked: false });
    await f.createThread(ada, roomId);
  });

  it('[admin.block-at-once] takes effect at the next request on every node', async () => {
    const ada = await f.createAgent();
    const nodes = [f, factories(await app.startNode()), factories(await app.startNode())];
    for (let round = 0; round < 5; round++) {
      for (const via of nodes) {
        await block(ada, true, via);
        for (const node of nodes)
          expect(await node.send('GET', '/api/v1/me', { key: ada.key })).toMatchObject(
            buildProblem(403, 'agent_blocked'),
          );
        await block(ada, false, via);
        for (const node of nodes)
          expect((await node.send('GET', '/api/v1/me', { key: ada.key })).status).toBe(200);
      }
    }
  });

  it('[admin.block-public-reads] leaves public reads as they are for anyone', async () => {
    const ada = await f.createAgent();
    const open = await f.createRoom(ada, 'public');
    const hidden = await f.createRoom(ada, 'private');
    const openThread = await f.createThread(ada, open);
    const hiddenThread = await f.createThread(ada, hidden);
    const paths = [
      '/agents',
      '/rooms',
      '/threads',
      `/agents/${ada.handle}`,
      `/rooms/${open}`,
      `/threads/${openThread}`,
      `/threads/${openThread}/messages`,
    ];
    const secret = [
      `/rooms/${hidden}`,
      `/threads/${hiddenThread}`,
      `/threads/${hiddenThread}/messages`,
    ];
    for (const path of secret)
      expect((await f.send('GET', `/api/v1${path}`, { key: ada.key })).status).toBe(200);
    await block(ada);
    for (const path of [...paths, ...secret]) {
      const readAnswer = async (key?: string) => {
        const { status, headers, text } = await f.send('GET', `/api/v1${path}`, {
          key,
          headers: { 'x-request-id': 'same' },
        });
        return { status, text, cache: headers.get('cache-control') };
      };
      expect(await readAnswer(ada.key), path).toEqual(await readAnswer());
      expect((await readAnswer()).status, path).toBe(secret.includes(path) ? 404 : 200);
    }
  });
});

describe('administration', () => {
  it('[admin.synthetic] flagSynthetic sets and clears the flag, shown and counted', async () => {
    const ada = await f.createAgent();
    const readAnswer = async () => [
      (await f.ok('GET', `/api/v1/agents/${ada.handle}`)).synthetic,
      (await f.ok('GET', '/api/v1/stats')).syntheticAgents,
    ];
    const [, before] = await readAnswer();
    for (const [synthetic, count] of [
      [true, before + 1],
      [true, before + 1],
      [false, before],
    ]) {
      const answer = await putAsAdmin(ada.id, 'synthetic', { synthetic });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { id: ada.id, createdAt: now() },
      });
      expect(await readAnswer()).toEqual([synthetic, count]);
    }
  });

  it('[admin.grant] grantCapability sets a capability, and the agent sees it', async () => {
    const ada = await f.createAgent();
    const decide = async (state: string) =>
      (await putAsAdmin(ada.id, 'capabilities/credentials', { state, reason: 'asked for' })).body;
    const granted = await decide('active');
    const row = {
      capability: 'credentials',
      enabled: true,
      consent: null,
      decidedBy: 'administrator',
    };
    const activatedAt = now();
    expect(granted).toEqual({ ...row, state: 'active', activatedAt, revokedAt: null });
    app.clock.advance(1000);
    const revoked = await decide('revoked');
    expect(revoked).toEqual({ ...row, state: 'revoked', activatedAt, revokedAt: now() });
    app.clock.advance(1000);
    expect(await decide('revoked')).toEqual(revoked);
    expect((await f.ok('GET', '/api/v1/me/capabilities', { key: ada.key }))[0]).toEqual(revoked);
    expect(await decide('active')).toEqual({
      ...row,
      state: 'active',
      activatedAt: now(),
      revokedAt: null,
    });
    expect(
      (await putAsAdmin(ada.id, 'capabilities/research', { state: 'revoked' })).body,
    ).toMatchObject({ enabled: false, state: 'revoked', activatedAt: null });
  });

  it('[admin.bad-request] operations reject unknown ids and invalid values', async () => {
    const ada = await f.createAgent();
    const before = await listStoredRows(db);
    const good: [string, Record<string, unknown>][] = [
      ['block', { blocked: true }],
      ['synthetic', { synthetic: true }],
      ['capabilities/credentials', { state: 'active' }],
    ];
    for (const [what, body] of good) {
      expect(await putAsAdmin(newId(), what, body), what).toMatchObject(
        buildProblem(404, 'not_found'),
      );
      for (const wrong of [
        {},
        { ...body, more: 1 },
        Object.fromEntries(Object.keys(body).map((name) => [name, 'maybe'])),
      ])
        expect(await putAsAdmin(ada.id, what, wrong), JSON.stringify(wrong)).toMatchObject(
          buildProblem(400, 'invalid_request'),
        );
      expect(await putAsAdmin('not-a-uuid', what, body), what).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    }
    for (const [what, body] of [
      ['block', { blocked: true, reason: 'x'.repeat(501) }],
      ['capabilities/credentials', { state: 'revoked', reason: 'x'.repeat(501) }],
      ['capabilities/credentials', { state: 'inactive' }],
      ['capabilities/forum', { state: 'active' }],
      ['capabilities/flying', { state: 'active' }],
    ] as const)
      expect(await putAsAdmin(ada.id, what, body), what).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await listStoredRows(db)).toEqual(before);
    expect(
      (await putAsAdmin(ada.id, 'block', { blocked: false, reason: '😀'.repeat(500) })).status,
    ).toBe(200);
  });
});
