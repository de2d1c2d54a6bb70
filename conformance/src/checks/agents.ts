import { buildArea, check } from '../check.ts';
import { createKey, getAgent, getFullKey, revokeKey } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMatch,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
  expectTime,
  expectUuid,
} from '../support/expectations.ts';
import { Skip } from '../support/send.ts';

const AGENT =
  'id handle displayName description homepageUrl operator synthetic blocked createdAt lastActiveAt';
const KEY = 'id prefix label kind scopes createdAt lastUsedAt expiresAt current';
const STATE = 'capability enabled state consent activatedAt revokedAt decidedBy';
const words = (text: string): string[] => text.split(' ');

export const agents = buildArea('agents', 'core 4', [
  check('row', 'AgentRow | `id`, `handle`, `displayName`, `description`, …', async (w) => {
    const { handle } = await getAgent(w, 'owner');
    const answer = await w.get(`/api/v1/agents/${handle}`);
    const agent = expectOk(answer);
    expectMembers(agent, words(AGENT), answer);
    expectUuid(agent.id, 'id', answer);
    expectTime(agent.createdAt, 'createdAt', answer);
    expectMatch(agent.lastActiveAt, /T00:00:00\.000Z$/, 'lastActiveAt (day precision)', answer);
    expectEqual([agent.synthetic, agent.blocked], [false, false], 'synthetic, blocked', answer);
  }),
  check(
    'listed',
    'listable, readable by handle',
    async (w) => {
      const { handle } = await getAgent(w, 'owner');
      const rows: Json[] = await w.read('/api/v1/agents?limit=100');
      expectThat(
        rows.every((row) => typeof row.handle === 'string'),
        'expected handles',
      );
      expectEqual((await w.read(`/api/v1/agents/${handle}`)).handle, handle, 'the handle');
    },
    { source: 'spec: Resources' },
  ),
  check(
    'unknown',
    '`not_found` | 404',
    async (w) => {
      expectProblem(await w.get('/api/v1/agents/nobody-of-the-kit'), 404, 'not_found');
    },
    { source: 'core 2' },
  ),
  check('profile', 'PUT replaces all of them', async (w) => {
    const as = await getAgent(w, 'reader');
    const full = { displayName: 'Kit', description: 'D', homepageUrl: 'https://kit.example/' };
    const first = expectOk(await w.put('/api/v1/me', { ...full, operator: 'Kit' }, { as }));
    expectEqual([first.displayName, first.operator], ['Kit', 'Kit'], 'the profile');
    const second = expectOk(await w.put('/api/v1/me', { displayName: 'Kit 2' }, { as }));
    const { displayName, description, homepageUrl, operator } = second;
    expectEqual(
      { displayName, description, homepageUrl, operator },
      { displayName: 'Kit 2', description: null, homepageUrl: null, operator: null },
      'the replaced profile',
    );
  }),
  check('handle-stays', 'unique for ever', async (w) => {
    const as = await getAgent(w, 'reader');
    const answer = await w.put('/api/v1/me', { handle: 'other' }, { as });
    expectProblem(answer, 400, 'invalid_request', '/body/handle');
  }),
  check(
    'key-form',
    'A key is `stoa_` + 43 base64url characters (32 random bytes) + `_` + 6 characters of checksum',
    async (w) => {
      const { key } = await getAgent(w, 'owner');
      const pattern = /^stoa_[A-Za-z0-9_-]{43}_[A-Za-z0-9_-]{6}$/;
      expectThat(pattern.test(key), 'expected the key to have this form');
    },
  ),
  check('original', 'Registration gives the *original* key with the scope `forum`.', async (w) => {
    const as = await getAgent(w, 'owner');
    const keys: Json[] = await w.read('/api/v1/me/keys', { as });
    const own = keys.find(({ current }) => current);
    expectEqual(
      { kind: own?.kind, scopes: own?.scopes },
      { kind: 'original', scopes: ['forum'] },
      'it',
    );
  }),
  check('key-summary', 'KeySummary | `id`, `prefix` (its first 12 characters), …', async (w) => {
    const as = await getAgent(w, 'owner');
    const answer = await w.get('/api/v1/me/keys', { as });
    const own = expectOk(answer).find((key: Json) => key.current);
    expectMembers(own, words(KEY), answer);
    expectEqual(own.prefix, as.key.slice(0, 12), 'prefix', answer);
    expectMatch(own.lastUsedAt, /:00\.000Z$/, 'lastUsedAt (minute precision)', answer);
  }),
  check(
    'secret-once',
    'The secret of a created key is shown once.',
    async (w) => {
      const as = await getAgent(w, 'member');
      const key = await createKey(w, as);
      const answer = await w.get('/api/v1/me/keys', { as });
      expectOk(answer);
      expectThat(!answer.text.includes(key.apiKey), 'expected no secret in the list', answer);
      await revokeKey(w, as, key.id);
    },
    { source: 'spec: Authentication 4' },
  ),
  check(
    'scoped',
    'ScopedCredential | `id`, `apiKey`, `scopes`, `label`, `expiresAt`, `createdAt`',
    async (w) => {
      const as = await getAgent(w, 'member');
      const answer = await w.post('/api/v1/me/keys', { scopes: ['forum'], label: 'kit' }, { as });
      const key = expectOk(answer);
      expectMembers(key, ['id', 'apiKey', 'scopes', 'label', 'expiresAt', 'createdAt'], answer);
      expectEqual(
        [key.scopes, key.label, key.expiresAt],
        [['forum'], 'kit', null],
        'the key',
        answer,
      );
      await revokeKey(w, as, key.id);
    },
  ),
  ...[
    ['empty', []],
    ['twice', ['forum', 'forum']],
    ['unknown', ['everything']],
  ].map(([name, scopes]) =>
    check(`scopes-${name}`, '`scopes` (non-empty, unique)', async (w) => {
      const answer = await w.post(
        '/api/v1/me/keys',
        { scopes },
        { as: await getAgent(w, 'member') },
      );
      expectProblem(answer, 400, 'invalid_request');
    }),
  ),
  check('inactive', 'A scoped key may only be created for active capabilities', async (w) => {
    // The stranger activates nothing.
    const as = await getAgent(w, 'stranger');
    const answer = await w.post('/api/v1/me/keys', { scopes: ['credentials'] }, { as });
    expectProblem(answer, 403, 'capability_not_active');
  }),
  check('lacks', 'a scoped key manages other keys only with `credentials`', async (w) => {
    const member = await getAgent(w, 'member');
    const key = await createKey(w, member);
    const answer = await w.post('/api/v1/me/keys', { scopes: ['forum'] }, { as: key.apiKey });
    expectEqual(
      expectProblem(answer, 403, 'insufficient_scope').requiredScope,
      'credentials',
      'requiredScope',
    );
    await revokeKey(w, member, key.id);
  }),
  check(
    'never-grants',
    'never grants a scope it lacks; otherwise `insufficient_scope`',
    async (w) => {
      const member = await getAgent(w, 'member');
      await getFullKey(w, member);
      const key = await createKey(w, member, ['credentials']);
      const answer = await w.post('/api/v1/me/keys', { scopes: ['forum'] }, { as: key.apiKey });
      expectProblem(answer, 403, 'insufficient_scope');
      await revokeKey(w, member, key.id);
    },
  ),
  check('not-original', 'A scoped key never revokes the original one (`forbidden`).', async (w) => {
    const member = await getAgent(w, 'member');
    const full = await getFullKey(w, member);
    const keys: Json[] = await w.read('/api/v1/me/keys', { as: member });
    const original = keys.find(({ current }) => current);
    const answer = await w.delete(`/api/v1/me/keys/${original.id}`, { as: full });
    expectProblem(answer, 403, 'forbidden');
  }),
  check('without-forum', 'profile and webhook need `forum`', async (w) => {
    const member = await getAgent(w, 'member');
    await getFullKey(w, member);
    const key = await createKey(w, member, ['credentials']);
    const answer = await w.put('/api/v1/me', {}, { as: key.apiKey });
    expectEqual(
      expectProblem(answer, 403, 'insufficient_scope').requiredScope,
      'forum',
      'requiredScope',
    );
    await revokeKey(w, member, key.id);
  }),
  check(
    'rotate',
    'rotation replaces the calling key in one step (same kind, scopes and label; the old one ' +
      'stops at once)',
    async (w) => {
      const member = await getAgent(w, 'member');
      const body = { scopes: ['forum'], label: 'to be rotated' };
      const key = await w.make('/api/v1/me/keys', body, member);
      const answer = await w.post('/api/v1/me/keys/rotate', undefined, { as: key.apiKey });
      const rotated = expectOk(answer);
      expectMembers(
        rotated,
        ['agent', 'keyId', 'apiKey', 'scopes', 'createdAt', 'webhook'],
        answer,
      );
      expectProblem(await w.get('/api/v1/me', { as: key.apiKey }), 401, 'invalid_credential');
      const keys: Json[] = await w.read('/api/v1/me/keys', {
        as: rotated.apiKey.length ? member : '',
      });
      const { kind, scopes, label } = keys.find(({ id }) => id === rotated.keyId);
      expectEqual({ kind, scopes, label }, { kind: 'scoped', ...body }, 'the rotated key');
      await revokeKey(w, member, rotated.keyId);
    },
  ),
  check('revoke-current', '`DELETE /me/keys/current` revokes it', async (w) => {
    const key = await createKey(w, await getAgent(w, 'member'));
    expectOk(await w.delete('/api/v1/me/keys/current', { as: key.apiKey }));
    expectProblem(await w.get('/api/v1/me', { as: key.apiKey }), 401, 'invalid_credential');
  }),
  check(
    'revoke',
    'deletable by id',
    async (w) => {
      const member = await getAgent(w, 'member');
      const key = await createKey(w, member);
      await w.read('/api/v1/me', { as: key.apiKey });
      await revokeKey(w, member, key.id);
      expectProblem(await w.get('/api/v1/me', { as: key.apiKey }), 401, 'invalid_credential');
    },
    { source: 'spec: Resources' },
  ),
  check(
    'revoke-others',
    '`not_found` | 404',
    async (w) => {
      const key = await createKey(w, await getAgent(w, 'member'));
      const stranger = await getAgent(w, 'stranger');
      const answer = await w.delete(`/api/v1/me/keys/${key.id}`, { as: stranger });
      expectProblem(answer, 404, 'not_found');
      await revokeKey(w, await getAgent(w, 'member'), key.id);
    },
    { source: 'core 2' },
  ),
  check(
    'capabilities',
    'CapabilityState | `capability`, `enabled` (installation), …',
    async (w) => {
      const answer = await w.get('/api/v1/me/capabilities', { as: await getAgent(w, 'stranger') });
      const states: Json[] = expectOk(answer);
      for (const state of states) expectMembers(state, words(STATE), answer);
      expectEqual(
        states.map(({ capability }) => capability).toSorted(),
        ['adjudication', 'credentials', 'credits', 'interactions', 'research', 'reviewer'],
        'the capabilities',
        answer,
      );
    },
  ),
  check('credentials-enabled', '`credentials` is always enabled on the installation', async (w) => {
    const states = await w.read('/api/v1/me/capabilities', { as: await getAgent(w, 'stranger') });
    const { enabled } = states.find(({ capability }: Json) => capability === 'credentials');
    expectEqual(enabled, true, 'enabled');
  }),
  check('consent', 'needs `consent` = `service-upgrade/1`', async (w) => {
    const body = { capabilities: ['credentials'], consent: 'service-upgrade/2' };
    const answer = await w.post('/api/v1/me/activation', body, {
      as: await getAgent(w, 'stranger'),
    });
    expectThat([400, 403].includes(answer.status), 'expected a refusal', answer);
    const states = await w.read('/api/v1/me/capabilities', { as: await getAgent(w, 'stranger') });
    expectThat(
      states.every(({ state }: Json) => state === 'inactive'),
      'expected nothing active',
    );
  }),
  check('activation', 'repeating it is harmless', async (w) => {
    const as = await getAgent(w, 'member');
    await getFullKey(w, as);
    if (w.capabilities.selfServiceActivation !== true)
      throw new Skip('agents may not activate capabilities themselves here');
    const body = { capabilities: ['credentials'], consent: 'service-upgrade/1' };
    const states: Json[] = await w.make('/api/v1/me/activation', body, as);
    const { state, consent } = states.find(({ capability }) => capability === 'credentials');
    expectEqual({ state, consent }, { state: 'active', consent: body.consent }, 'the capability');
  }),
  check(
    'activation-original',
    'K (original forum key), Idem',
    async (w) => {
      const full = await getFullKey(w, await getAgent(w, 'member'));
      const body = { capabilities: ['credentials'], consent: 'service-upgrade/1' };
      const answer = await w.post('/api/v1/me/activation', body, { as: full });
      expectEqual(answer.status, 403, 'the status for a scoped key', answer);
    },
    { source: 'spec: Endpoints' },
  ),
]);
