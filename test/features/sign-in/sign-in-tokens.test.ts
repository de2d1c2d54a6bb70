import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { REDIRECT, signInClient } from './client.ts';

const app = await startApp();
const f = factories(app);
const client = signInClient(app);

it('[oauth.token] a token is a key of the agent for an hour, and acts for it', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  const { location, code, verifier } = await client.getCode(clientId, owner.key);
  expect(location.origin + location.pathname).toBe(REDIRECT);
  expect(location.searchParams.get('state')).toBe('a state');
  expect(location.searchParams.get('iss')).toBe(app.url);
  const { body, headers } = await client.exchange(clientId, code, verifier);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'forum' });
  expect(await client.whoIs(body.access_token)).toBe(owner.handle);
  const keys = await f.ok('GET', '/api/v1/me/keys', { key: owner.key });
  expect(keys[0]).toMatchObject({ label: 'client.example', kind: 'scoped', scopes: ['forum'] });
  app.clock.advance(3_600_001);
  expect(await client.whoIs(body.access_token)).toBe(401);
});

it('[oauth.refresh] a refresh works within 90 days and gives a new one', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  const first = await client.signIn(clientId, owner.key);
  app.clock.advance(80 * 24 * 3_600_000);
  const { body: second } = await client.refresh(clientId, first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await client.whoIs(second.access_token)).toBe(owner.handle);
  app.clock.advance(91 * 24 * 3_600_000);
  const late = await client.refresh(clientId, second.refresh_token);
  expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

it('[oauth.refresh] a refresh ends the access token that it replaces', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  const first = await client.signIn(clientId, owner.key);
  const { body: second } = await client.refresh(clientId, first.refresh_token);
  expect(await client.whoIs(first.access_token)).toBe(401);
  expect(await client.whoIs(second.access_token)).toBe(owner.handle);
});

it('[oauth.former] a new consent for the same client ends the former', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  const otherId = await client.register();
  const first = await client.signIn(clientId, owner.key);
  const other = await client.signIn(otherId, owner.key);
  const second = await client.signIn(clientId, owner.key);
  expect(await client.whoIs(first.access_token)).toBe(401);
  expect((await client.refresh(clientId, first.refresh_token)).body.error).toBe('invalid_grant');
  expect(await client.whoIs(second.access_token)).toBe(owner.handle);
  expect(await client.whoIs(other.access_token)).toBe(owner.handle);
});

it('[oauth.not-counted] tokens do not count among the 20 keys', async () => {
  const owner = await f.createAgent();
  const make = () =>
    f.sendForOutcome('POST', '/api/v1/me/keys', { key: owner.key, body: { scopes: ['forum'] } });
  for (let nr = 0; nr < 19; nr++) expect(await make()).toBe('200');
  expect(await make()).toBe('422 limit_exceeded');
  const { access_token: token } = await client.signIn(await client.register(), owner.key);
  expect(await client.whoIs(token)).toBe(owner.handle);
  await f.ok('DELETE', `/api/v1/me/keys/${(await listKeys(owner.key))[1].id}`, { key: owner.key });
  expect(await make()).toBe('200');
});

const listKeys = (key: string) => f.ok('GET', '/api/v1/me/keys', { key });

it('[oauth.keys] listKeys shows what can be refreshed, revokeKey ends it', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  const tokens = await client.signIn(clientId, owner.key);
  app.clock.advance(2 * 3_600_000);
  const [shown] = await listKeys(owner.key);
  expect(shown.label).toBe('client.example');
  await f.ok('DELETE', `/api/v1/me/keys/${shown.id}`, { key: owner.key });
  expect((await client.refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect(await listKeys(owner.key)).toHaveLength(1);
});

it('[oauth.ends] the key that consented ends its tokens at once on every node', async () => {
  const node = await app.startNode();
  const clientOnNode = signInClient(node);
  const owner = await f.createAgent();
  const consenting = await f.ok('POST', '/api/v1/me/keys', {
    key: owner.key,
    body: { scopes: ['forum'] },
  });
  const clientId = await client.register();
  // A key with the scope "forum" alone makes no keys, so it cannot consent either.
  await expect(client.signIn(clientId, consenting.apiKey)).rejects.toThrow('credentials');
  const tokens = await client.signIn(clientId, owner.key);
  expect(await clientOnNode.whoIs(tokens.access_token)).toBe(owner.handle);
  const rotated = await f.ok('POST', '/api/v1/me/keys/rotate', { key: owner.key });
  expect(await clientOnNode.whoIs(tokens.access_token)).toBe(401);
  expect((await client.refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
  const next = await client.signIn(clientId, rotated.apiKey);
  await f.ok('DELETE', '/api/v1/me/keys/current', { key: rotated.apiKey });
  expect(await clientOnNode.whoIs(next.access_token)).toBe(401);
});

it('[oauth.ends] a key that a token rotates to ends with the key that consented', async () => {
  const owner = await f.createAgent();
  const tokens = await client.signIn(await client.register(), owner.key);
  const { apiKey } = await f.ok('POST', '/api/v1/me/keys/rotate', { key: tokens.access_token });
  expect(await client.whoIs(apiKey)).toBe(owner.handle);
  await f.ok('DELETE', '/api/v1/me/keys/current', { key: owner.key });
  expect(await client.whoIs(apiKey)).toBe(401);
});

it('[oauth.revocation] a client ends its own tokens, by either of them', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  for (const name of ['access_token', 'refresh_token']) {
    const tokens = await client.signIn(clientId, owner.key);
    expect((await client.revoke(await client.register(), tokens[name])).status).toBe(200);
    expect(await client.whoIs(tokens.access_token)).toBe(owner.handle);
    expect((await client.revoke(clientId, tokens[name])).status).toBe(200);
    expect(await client.whoIs(tokens.access_token)).toBe(401);
    expect((await client.refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
  }
  expect((await client.revoke(clientId, owner.key)).status).toBe(200);
  expect(await client.whoIs(owner.key)).toBe(owner.handle);
});
