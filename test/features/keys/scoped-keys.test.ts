import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import type { AnyOperation } from '../../../src/kernel/operation/any-operation.ts';
import { operations } from '../../../src/operations.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp({ RESEARCH_ENABLED: 'on', INTERACTIONS_ENABLED: 'on' });
const { db } = app.app.env;
const f = factories(app);
const create = (key: string, body: unknown) => f.send('POST', '/api/v1/me/keys', { key, body });
const list = (key: string): Promise<Json[]> => f.ok('GET', '/api/v1/me/keys', { key });

/** Creates an agent that may make keys with "credentials", and one such key. */
async function createManager(...scopes: string[]) {
  const agent = await f.createAgent();
  await f.grantCapability(agent, 'credentials');
  return {
    ...agent,
    scoped: (await f.createScopedKey(agent, ['credentials', ...scopes])).apiKey as string,
  };
}

describe('createKey', () => {
  it('[key.create-scoped] grants exactly the requested scopes', async () => {
    const ada = await createManager();
    const asked = {
      scopes: ['credentials', 'forum'],
      label: ' Nächtlicher Leser ',
      expiresAt: '2026-03-01T14:00:00+01:00',
    };
    const { status, body } = await create(ada.key, asked);
    const createdAt = new Date(app.clock()).toISOString();
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      apiKey: expect.stringMatching(/^stoa_/),
      scopes: ['credentials', 'forum'],
      label: 'Nächtlicher Leser',
      expiresAt: '2026-03-01T13:00:00.000Z',
      createdAt,
    });
    expect((await list(body.apiKey)).find(({ id }) => id === body.id)).toMatchObject({
      kind: 'scoped',
      scopes: asked.scopes,
      label: body.label,
      current: true,
    });
    expect(
      (await create(ada.key, { scopes: ['forum'], label: '😀'.repeat(80) })).body,
    ).toMatchObject({ scopes: ['forum'], expiresAt: null });
  });

  it('[attack.2-5] createKey makes no key that outlives the calling one', async () => {
    const ada = await f.createAgent();
    await f.grantCapability(ada, 'credentials');
    const end = new Date(app.clock() + 3_600_000).toISOString();
    const later = new Date(app.clock() + 3_600_001).toISOString();
    const lent = await f.createScopedKey(ada, ['credentials', 'forum'], { expiresAt: end });
    expect(await create(lent.apiKey, { scopes: ['forum'] })).toMatchObject({
      body: { expiresAt: end },
    });
    expect(await create(lent.apiKey, { scopes: ['forum'], expiresAt: later })).toMatchObject(
      buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/expiresAt' }] }),
    );
    const { body } = await f.send('POST', '/api/v1/me/keys/rotate', { key: lent.apiKey });
    expect(await list(ada.key)).toContainEqual(
      expect.objectContaining({ id: body.keyId, expiresAt: end }),
    );
    const unlimited = await f.createScopedKey(ada, ['credentials']);
    expect((await create(unlimited.apiKey, { scopes: ['credentials'] })).body.expiresAt).toBe(null);
  });

  it('[key.list] listKeys says when each key ends', async () => {
    const ada = await f.createAgent();
    const { id } = await f.createScopedKey(ada, ['forum'], {
      expiresAt: '2026-03-01T14:00:00+01:00',
    });
    expect(await list(ada.key)).toMatchObject([
      { id, expiresAt: '2026-03-01T13:00:00.000Z' },
      { kind: 'original', expiresAt: null },
    ]);
  });

  it('[key.create-scoped] rejects invalid requests and stores nothing', async () => {
    const ada = await createManager();
    const before = await listStoredRows(db);
    const wrong: [string, unknown][] = [
      ['/body/scopes', {}],
      ...[[], ['forum', 'forum'], ['admin'], ['forum', ''], 'forum', null].map(
        (scopes): [string, unknown] => ['/body/scopes', { scopes }],
      ),
      ['/body/label', { scopes: ['forum'], label: 'x'.repeat(81) }],
      ['/body/label', { scopes: ['forum'], label: 7 }],
      ['/body/kind', { scopes: ['forum'], kind: 'original' }],
    ];
    for (const [pointer, body] of wrong) {
      const answer = await create(ada.key, body);
      expect(answer, JSON.stringify(body)).toMatchObject(buildProblem(400, 'invalid_request'));
      expect(answer.body.errors[0].pointer).toMatch(new RegExp(`^${pointer}`));
    }
    expect(await listStoredRows(db)).toEqual(before);
  });

  it('[key.active-capabilities] needs active capabilities, except for forum', async () => {
    const ada = await f.createAgent();
    expect((await create(ada.key, { scopes: ['forum'] })).status).toBe(200);
    for (const scopes of [['credentials'], ['forum', 'credentials']])
      expect(await create(ada.key, { scopes })).toMatchObject(
        buildProblem(403, 'capability_not_active', { capability: 'credentials' }),
      );
    await f.grantCapability(ada, 'credentials', 'revoked');
    expect(await create(ada.key, { scopes: ['credentials'] })).toMatchObject(
      buildProblem(403, 'capability_revoked', { capability: 'credentials' }),
    );
    await f.grantCapability(ada, 'credentials');
    expect((await create(ada.key, { scopes: ['credentials'] })).status).toBe(200);
    for (const capability of ['adjudication', 'credits', 'reviewer'])
      expect(await create(ada.key, { scopes: [capability] })).toMatchObject(
        buildProblem(403, 'capability_disabled', { capability }),
      );
    expect((await list(ada.key)).map(({ scopes }) => scopes)).toEqual([
      ['credentials'],
      ['forum'],
      ['forum'],
    ]);
  });

  it('[key.manage-credentials] needs "credentials" or the original key', async () => {
    const ada = await createManager();
    const plain = await f.createScopedKey(ada, ['forum']);
    const victim = await f.createScopedKey(ada, ['forum']);
    const lacking = buildProblem(403, 'insufficient_scope', { requiredScope: 'credentials' });
    const revoke = (key: string) => f.send('DELETE', `/api/v1/me/keys/${victim.id}`, { key });
    expect(await revoke(plain.apiKey)).toMatchObject(lacking);
    expect(await create(plain.apiKey, { scopes: ['forum'] })).toMatchObject(lacking);
    expect((await list(plain.apiKey)).map(({ id }) => id)).toEqual([plain.id]);
    expect((await f.send('GET', '/api/v1/me', { key: victim.apiKey })).status).toBe(200);

    expect(await list(ada.scoped)).toHaveLength(4);
    const made = await create(ada.scoped, { scopes: ['credentials'] });
    expect(made.status).toBe(200);
    expect((await revoke(ada.scoped)).status).toBe(200);
    expect(
      (await f.send('DELETE', `/api/v1/me/keys/${made.body.id}`, { key: ada.key })).status,
    ).toBe(200);
    expect(await list(ada.key)).toHaveLength(3);
  });

  it('[key.original-safe] (API5) never revokes the original key', async () => {
    const ada = await createManager();
    const original = (await list(ada.key)).find(({ kind }) => kind === 'original');
    const revoke = (key: string, id = original?.id) =>
      f.send('DELETE', `/api/v1/me/keys/${id}`, { key });
    expect(await revoke(ada.scoped)).toMatchObject(buildProblem(403, 'forbidden'));
    expect((await f.send('GET', '/api/v1/me', { key: ada.key })).status).toBe(200);
    // Nobody learns of the keys of others.
    const bob = await createManager();
    expect(await revoke(bob.scoped)).toMatchObject(buildProblem(404, 'not_found'));
    expect((await revoke(ada.key)).status).toBe(200);
  });

  it('[key.no-escalation] grants no scope that the calling key lacks', async () => {
    const ada = await createManager();
    await f.grantCapability(ada, 'research');
    const before = await listStoredRows(db);
    for (const scope of ['forum', 'interactions', 'research']) {
      for (const scopes of [[scope], ['credentials', scope]])
        expect(await create(ada.scoped, { scopes })).toMatchObject(
          buildProblem(403, 'insufficient_scope', { requiredScope: scope }),
        );
    }
    expect(await listStoredRows(db)).toEqual(before);
    const both = await createManager('forum');
    expect((await create(both.scoped, { scopes: ['forum'] })).body.scopes).toEqual(['forum']);
  });

  it('[key.no-later-rights] grants nothing by a later activation', async () => {
    const open = await app.startNode({ SELF_SERVICE_ACTIVATION: 'on' });
    const ada = await f.createAgent();
    const plain = await f.createScopedKey(ada, ['forum']);
    await factories(open).ok('POST', '/api/v1/me/activation', {
      key: ada.key,
      body: { capabilities: ['credentials'], consent: 'service-upgrade/1' },
    });
    expect((await list(ada.key)).map(({ kind, scopes }) => [kind, scopes])).toEqual([
      ['scoped', ['forum']],
      ['original', ['forum']],
    ]);
    expect(await create(plain.apiKey, { scopes: ['forum'] })).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'credentials' }),
    );
    expect((await f.ok('POST', '/api/v1/me/keys/rotate', { key: plain.apiKey })).scopes).toEqual([
      'forum',
    ]);
  });
});

describe('the limit of 20 live keys', () => {
  const isLive = async (id: string) =>
    (
      await db.rows(sql`
      SELECT 1
      FROM api_keys
      WHERE agent_id = ${id} AND revoked_at IS NULL
    `)
    ).length;

  it('[key.limit] holds against concurrent requests to two nodes', async () => {
    const ada = await f.createAgent();
    const nodes = [f, factories(await app.startNode())];
    const answers = await runConcurrently(30, (n) =>
      (nodes[n % 2] ?? f).send('POST', '/api/v1/me/keys', {
        key: ada.key,
        body: { scopes: ['forum'] },
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: 20 }));
    expect(await isLive(ada.id)).toBe(20);
  });

  it('[key.limit] ignores revoked and expired keys', async () => {
    const ada = await f.createAgent();
    const short = await f.createScopedKey(ada, ['forum'], {
      expiresAt: new Date(app.clock() + 1000).toISOString(),
    });
    const made = await runConcurrently(18, () => f.createScopedKey(ada, ['forum']));
    const full = buildProblem(422, 'limit_exceeded', { limit: 20 });
    expect(await create(ada.key, { scopes: ['forum'] })).toMatchObject(full);
    await f.ok('DELETE', `/api/v1/me/keys/${made[0].id}`, { key: ada.key });
    expect((await create(ada.key, { scopes: ['forum'] })).status).toBe(200);
    expect(await create(ada.key, { scopes: ['forum'] })).toMatchObject(full);
    app.clock.advance(1000);
    expect(await f.send('GET', '/api/v1/me', { key: short.apiKey })).toMatchObject(
      buildProblem(401, 'invalid_credential'),
    );
    expect((await create(ada.key, { scopes: ['forum'] })).status).toBe(200);
    expect(await create(ada.key, { scopes: ['forum'] })).toMatchObject(full);
  });
});

describe('operations that need forum', () => {
  const registry = operations as unknown as readonly AnyOperation[];
  const needy = registry.filter(({ auth, scope }) => auth === 'agent' && scope === 'forum');

  it('[key.insufficient-scope] include all writes and the reads with a key', () => {
    expect(needy.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'updateProfile',
        'createRoom',
        'joinRoom',
        'listMembers',
        'createThread',
        'setSummary',
        'postMessage',
        'listEvents',
        'streamEvents',
      ]),
    );
    const open = registry
      .filter(({ auth, scope }) => auth === 'agent' && scope === undefined)
      .map(({ path }) => path);
    expect(
      open.filter(
        (path) =>
          !/^\/api\/v1\/me($|\/keys|\/capabilities$|\/activation$|\/research-consent$)/.test(path),
      ),
    ).toEqual([]);
  });

  it('[key.insufficient-scope] refuse a key without it before any other check', async () => {
    const { scoped } = await createManager();
    const { send } = factories(await app.startNode(await allFeaturesOn()));
    for (const { name, method, path } of needy) {
      const answer = await send(method, path.replaceAll(/\{\w+\}/g, app.app.env.newId()), {
        key: scoped,
        ...(method !== 'GET' && { body: {} }),
      });
      expect(answer, name).toMatchObject(
        buildProblem(403, 'insufficient_scope', { requiredScope: 'forum' }),
      );
    }
  });
});
