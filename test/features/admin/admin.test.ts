import { describe, expect, it } from 'vitest';
import { readSettings, SettingError } from '../../../src/config.ts';
import { createAdminKey, revokeAdminKey } from '../../../src/features/keys/admin-keys.ts';
import type { AnyOperation } from '../../../src/kernel/operation/any-operation.ts';
import { operations } from '../../../src/operations.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, refused, type TestAgent } from '../../support/factories.ts';
import { everythingStored, holding } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId, random } = app.app.env;
const f = factories(app);
const registry = operations as unknown as readonly AnyOperation[];
const now = () => new Date(app.clock()).toISOString();
const admin = (agentId: string, what: string, body: unknown, via = f) =>
  via.send('PUT', `/api/v1/admin/agents/${agentId}/${what}`, { admin: true, body });
const block = ({ id }: TestAgent, blocked = true, via = f) => admin(id, 'block', { blocked }, via);
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, newId());

describe('administrators', () => {
  it('[admin.header] are known by X-Admin-Key alone', async () => {
    const { key } = await f.agent();
    const before = await everythingStored(db);
    const guarded = registry.filter(({ auth }) => auth === 'admin');
    const headers = { accept: 'application/problem+json' };
    expect(guarded.length).toBeGreaterThanOrEqual(3);
    for (const { name, method, path } of guarded) {
      for (const options of [{}, { key }]) {
        const answer = await f.send(method, filled(path), { ...options, headers });
        expect(answer, name).toMatchObject(refused(401, 'unauthenticated'));
        expect(answer.headers.get('www-authenticate')).toContain('X-Admin-Key');
      }
      for (const wrong of ['x'.repeat(40), key, `stoa_admin_${'x'.repeat(43)}_xxxxxx`])
        expect(await f.send(method, filled(path), { admin: wrong, headers }), name).toMatchObject(
          refused(401, 'invalid_credential'),
        );
    }
    expect(await everythingStored(db)).toEqual(before);
  });

  it('[error.credential-header] are told the header of their key where metrics are refused', async () => {
    for (const [options, code] of [
      [{}, 'unauthenticated'],
      [{ admin: 'not-a-key-of-any-administrator-000' }, 'invalid_credential'],
    ] as const) {
      const answer = await f.send('GET', '/metrics', options);
      expect([answer.body.code, answer.headers.get('www-authenticate')]).toEqual([
        code,
        'ApiKey header="X-Admin-Key"',
      ]);
    }
  });

  it('[admin.from-settings] come from ADMIN_KEYS and from the command line, stored hashed', async () => {
    const [one, two] = ['o'.repeat(32), 'two-of-the-keys-of-this-installation'];
    const other = factories(await app.another({ ADMIN_KEYS: ` ${one} ,${two},` }));
    const made = await createAdminKey(db, {
      by: 'tests',
      name: 'operator',
      now: now(),
      newId,
      random,
    });
    const agent = await f.agent();
    const flag = async (key: string) =>
      (
        await other.send('PUT', `/api/v1/admin/agents/${agent.id}/synthetic`, {
          admin: key,
          body: { synthetic: true },
        })
      ).status;
    for (const key of [one, two, made.key]) expect(await flag(key)).toBe(200);
    expect(await flag(ADMIN_KEY)).toBe(401);
    const stored = await everythingStored(db);
    for (const key of [one, two, made.key]) expect(holding(stored, key)).toEqual([]);
    await revokeAdminKey(db, made.id, { by: 'tests', now: now(), newId });
    expect(await flag(made.key)).toBe(401);
  });

  it('[admin.from-settings] stop the start with a key under 32 characters', () => {
    for (const keys of ['x'.repeat(31), `${'x'.repeat(32)},short`]) {
      expect(() => readSettings({ ADMIN_KEYS: keys })).toThrow(SettingError);
      expect(() => readSettings({ ADMIN_KEYS: keys })).toThrow(/^ADMIN_KEYS .*32 characters/);
    }
    expect(readSettings({ ADMIN_KEYS: 'x'.repeat(32) }).ADMIN_KEYS).toEqual(['x'.repeat(32)]);
  });
});

describe('a block', () => {
  it('[admin.block] refuses every operation that needs a key, until it is undone', async () => {
    const ada = await f.agent();
    const roomId = await f.room(ada);
    const answer = await admin(ada.id, 'block', { blocked: true, reason: 'floods rooms' });
    expect([answer.status, answer.body]).toEqual([200, { id: ada.id, createdAt: now() }]);
    expect(await f.ok('GET', `/api/v1/agents/${ada.handle}`)).toMatchObject({ blocked: true });
    const needy = registry.filter(({ auth }) => auth === 'agent');
    for (const { name, method, path } of needy) {
      const refusal = await f.send(method, filled(path), {
        key: ada.key,
        ...(method !== 'GET' && { body: {} }),
      });
      expect(refusal, name).toMatchObject(refused(403, 'agent_blocked'));
    }
    expect((await block(ada)).status).toBe(200);
    expect((await block(ada, false)).status).toBe(200);
    expect(await f.ok('GET', '/api/v1/me', { key: ada.key })).toMatchObject({ blocked: false });
    await f.thread(ada, roomId);
  });

  it('[admin.block-at-once] holds from the next request on, on every node', async () => {
    const ada = await f.agent();
    const nodes = [f, factories(await app.another()), factories(await app.another())];
    for (let round = 0; round < 5; round++) {
      for (const via of nodes) {
        await block(ada, true, via);
        for (const node of nodes)
          expect(await node.send('GET', '/api/v1/me', { key: ada.key })).toMatchObject(
            refused(403, 'agent_blocked'),
          );
        await block(ada, false, via);
        for (const node of nodes)
          expect((await node.send('GET', '/api/v1/me', { key: ada.key })).status).toBe(200);
      }
    }
  });

  it('[admin.block-public-reads] leaves public reads as anyone has them', async () => {
    const ada = await f.agent();
    const [open, hidden] = [await f.room(ada, 'public'), await f.room(ada, 'private')];
    const [openThread, hiddenThread] = [await f.thread(ada, open), await f.thread(ada, hidden)];
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
      const seen = async (key?: string) => {
        const { status, headers, text } = await f.send('GET', `/api/v1${path}`, {
          key,
          headers: { 'x-request-id': 'same' },
        });
        return { status, text, cache: headers.get('cache-control') };
      };
      expect(await seen(ada.key), path).toEqual(await seen());
      expect((await seen()).status, path).toBe(secret.includes(path) ? 404 : 200);
    }
  });
});

describe('administration', () => {
  it('[admin.synthetic] sets and clears synthetic, shown and counted', async () => {
    const ada = await f.agent();
    const seen = async () => [
      (await f.ok('GET', `/api/v1/agents/${ada.handle}`)).synthetic,
      (await f.ok('GET', '/api/v1/stats')).syntheticAgents,
    ];
    const [, before] = await seen();
    for (const [synthetic, count] of [
      [true, before + 1],
      [true, before + 1],
      [false, before],
    ]) {
      const answer = await admin(ada.id, 'synthetic', { synthetic });
      expect([answer.status, answer.body]).toEqual([200, { id: ada.id, createdAt: now() }]);
      expect(await seen()).toEqual([synthetic, count]);
    }
  });

  it('[admin.grant] decides about a capability, which the agent sees', async () => {
    const ada = await f.agent();
    const decide = async (state: string) =>
      (await admin(ada.id, 'capabilities/credentials', { state, reason: 'asked for' })).body;
    const [granted, row] = [
      await decide('active'),
      { capability: 'credentials', enabled: true, consent: null, decidedBy: 'administrator' },
    ];
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
    expect((await admin(ada.id, 'capabilities/research', { state: 'revoked' })).body).toMatchObject(
      { enabled: false, state: 'revoked', activatedAt: null },
    );
  });

  it('[admin.bad-request] is refused for unknown agents, capabilities, states and long reasons', async () => {
    const ada = await f.agent();
    const before = await everythingStored(db);
    const good: [string, Record<string, unknown>][] = [
      ['block', { blocked: true }],
      ['synthetic', { synthetic: true }],
      ['capabilities/credentials', { state: 'active' }],
    ];
    for (const [what, body] of good) {
      expect(await admin(newId(), what, body), what).toMatchObject(refused(404, 'not_found'));
      for (const wrong of [
        {},
        { ...body, more: 1 },
        Object.fromEntries(Object.keys(body).map((name) => [name, 'maybe'])),
      ])
        expect(await admin(ada.id, what, wrong), JSON.stringify(wrong)).toMatchObject(
          refused(400, 'invalid_request'),
        );
      expect(await admin('not-a-uuid', what, body), what).toMatchObject(
        refused(400, 'invalid_request'),
      );
    }
    for (const [what, body] of [
      ['block', { blocked: true, reason: 'x'.repeat(501) }],
      ['capabilities/credentials', { state: 'revoked', reason: 'x'.repeat(501) }],
      ['capabilities/credentials', { state: 'inactive' }],
      ['capabilities/forum', { state: 'active' }],
      ['capabilities/flying', { state: 'active' }],
    ] as const)
      expect(await admin(ada.id, what, body), what).toMatchObject(refused(400, 'invalid_request'));
    expect(await everythingStored(db)).toEqual(before);
    expect(
      (await admin(ada.id, 'block', { blocked: false, reason: '😀'.repeat(500) })).status,
    ).toBe(200);
  });
});
