import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp({
  WEBHOOKS_ENABLED: 'on',
  WEBHOOKS_ENCRYPTION_KEY: 'e'.repeat(64),
});
const f = factories(app);
const reason = 'Its operator lost the key and proved who they are.';
const recover = (id: string, idem?: string) =>
  f.send('POST', `/api/v1/admin/agents/${id}/recovery`, {
    admin: true,
    body: { reason },
    ...(idem !== undefined && { idem }),
  });
const getStatus = async (key: string) => (await f.send('GET', '/api/v1/me', { key })).status;

it('[key.recovery] gives a new original key, ends the old ones and is audited', async () => {
  const agent = await f.createAgent();
  const scoped = await f.createScopedKey(agent, ['forum']);
  const { status, body } = await recover(agent.id);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { agent: { id: agent.id, handle: agent.handle }, scopes: ['forum'] },
  });
  for (const key of [agent.key, scoped.apiKey]) expect(await getStatus(key)).toBe(401);
  expect(await f.ok('GET', '/api/v1/me/keys', { key: body.apiKey })).toMatchObject([
    { id: body.keyId, kind: 'original', current: true },
  ]);
  expect(await f.ok('GET', '/api/v1/admin/audit', { admin: true })).toMatchObject([
    { action: 'agent.recovered', targetId: agent.id, reason, facts: { keyId: body.keyId } },
  ]);
  expect((await listStoredRows(app.app.env.db)).join('\n')).not.toContain(body.apiKey);
});

it('[key.recovery] is replayed to the same administrator, as the same key', async () => {
  const agent = await f.createAgent();
  const idem = 'recovery-of-the-day';
  const first = await recover(agent.id, idem);
  const second = await recover(agent.id, idem);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  expect(await getStatus(first.body.apiKey)).toBe(200);
});

it('[key.recovery] leaves nobody else a key, whatever the old one does meanwhile', async () => {
  const agent = await f.createAgent();
  const attempts = await runConcurrently(12, async (index) => {
    if (index === 6) return recover(agent.id);
    return index % 2
      ? f.send('POST', '/api/v1/me/keys/rotate', { key: agent.key, idem: false })
      : f.send('POST', '/api/v1/me/keys', { key: agent.key, body: { scopes: ['forum'] } });
  });
  const recovered = attempts[6] as Json;
  expect(recovered.status).toBe(200);
  for (const { status, body } of attempts as Json[])
    if (status === 200)
      expect(await getStatus(body.apiKey)).toBe(body === recovered.body ? 200 : 401);
});

it('[key.recovery] of an unknown agent is not_found', async () => {
  expect(await recover('01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f')).toMatchObject(
    buildProblem(404, 'not_found'),
  );
});

it('[key.rotate-webhook] names the webhook that the old key configured', async () => {
  const agent = await f.createAgent();
  const rotate = (key: string) => f.ok('POST', '/api/v1/me/keys/rotate', { key, idem: false });
  const plain = await rotate(agent.key);
  expect(plain.webhook).toBeNull();
  const { id } = await f.ok('PUT', '/api/v1/me/webhook', {
    key: plain.apiKey,
    body: { url: 'https://hooks.example.org/stoa', secret: 'ab'.repeat(32) },
  });
  expect((await rotate(plain.apiKey)).webhook).toBe(id);
});
