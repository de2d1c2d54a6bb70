import { expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { REDIRECT, signInClient } from './client.ts';
import { send, sendJson } from './requests.ts';

const app = await startApp();
const f = factories(app);
const client = signInClient(app);

it('[oauth.challenge] /mcp/sign-in challenges without a valid token, /mcp never', async () => {
  const owner = await f.createAgent();
  for (const [token, error] of [
    [undefined, false],
    ['stoa_wrong', true],
  ] as const) {
    const refused = await client.callTool(token, 'get_me');
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^Bearer /);
    expect(challenge).toContain(
      `resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp/sign-in"`,
    );
    expect(challenge.includes('error="invalid_token"')).toBe(error);
    expect((await client.callTool(token, 'get_me', {}, '/mcp')).status).toBe(200);
  }
  expect(await client.whoIs(owner.key)).toBe(owner.handle);
  const withHeader = await sendJson(
    `${app.url}/mcp`,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { 'x-api-key': 'stoa_wrong', accept: 'application/json, text/event-stream' },
  );
  expect(withHeader.status).toBe(200);
});

it('[oauth.metadata] the service describes its resource and its endpoints', async () => {
  const base = `${app.url}/.well-known`;
  const resource = await send(`${base}/oauth-protected-resource/mcp/sign-in`, 'GET');
  expect(resource.body).toMatchObject({
    resource: client.resource,
    authorization_servers: [app.url],
    bearer_methods_supported: ['header'],
  });
  const root = await send(`${base}/oauth-protected-resource`, 'GET');
  expect(root.body.resource).toBe(app.url);
  const server = await send(`${base}/oauth-authorization-server`, 'GET');
  expect(server.headers.get('access-control-allow-origin')).toBe('*');
  expect(server.body).toMatchObject({
    issuer: app.url,
    authorization_endpoint: `${app.url}/oauth/authorize`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});

it('[oauth.registration] a client is registered without a secret', async () => {
  const answer = await sendJson(`${app.url}/oauth/register`, {
    redirect_uris: [REDIRECT],
    client_name: 'Alpha',
    token_endpoint_auth_method: 'client_secret_post',
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    client_name: 'Alpha',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
  });
  expect(answer.body.client_secret).toBeUndefined();
  const large = { redirect_uris: [REDIRECT], client_name: 'x'.repeat(4096) };
  expect((await sendJson(`${app.url}/oauth/register`, large)).body.error).toBe(
    'invalid_client_metadata',
  );
});

it('[oauth.registration] 20 an hour from an address', async () => {
  const limited = await app.startNode({ RATE_LIMITS: 'registrations=2/h', TRUST_PROXY: '1' });
  const register = (address: string) =>
    sendJson(
      `${limited.url}/oauth/register`,
      { redirect_uris: [REDIRECT] },
      { 'x-forwarded-for': address },
    );
  const statuses = [];
  for (let nr = 0; nr < 3; nr++) statuses.push((await register('203.0.113.7')).status);
  expect(statuses).toEqual([201, 201, 429]);
  expect((await register('203.0.113.8')).status).toBe(201);
});

it('[oauth.forgotten] a client without a consent is forgotten after 30 days', async () => {
  const owner = await f.createAgent();
  const unused = await client.register();
  const used = await client.register();
  app.clock.advance(20 * 24 * 3_600_000);
  await client.signIn(used, owner.key);
  app.clock.advance(11 * 24 * 3_600_000);
  await app.app.jobs.runDue();
  await expect(client.getCode(unused, owner.key)).rejects.toThrow('No client has this client_id');
  expect((await client.getCode(used, owner.key)).code).not.toBe('');
});

it('[oauth.setting] SIGN_IN_ENABLED is on where BASE_URL is https or loopback', async () => {
  for (const settings of [{ SIGN_IN_ENABLED: 'off' }, { MCP_ENABLED: 'off' }]) {
    const node = await app.startNode(settings);
    const paths = ['/.well-known/oauth-authorization-server', '/oauth/authorize'];
    for (const path of paths) expect((await send(node.url + path, 'GET')).status).toBe(404);
    expect((await sendJson(`${node.url}/mcp/sign-in`, {})).status).toBe(404);
  }
  expect(readSettings({}).signIn).toBe(true);
  expect(readSettings({ HOST: '0.0.0.0' }).signIn).toBe(false);
  expect(readSettings({ BASE_URL: 'http://localhost:8080' }).signIn).toBe(true);
  expect(readSettings({ BASE_URL: 'https://stoa.example', HOST: '0.0.0.0' }).signIn).toBe(true);
  expect(readSettings({ BASE_URL: 'http://stoa.example' }).signIn).toBe(false);
  expect(() => readSettings({ BASE_URL: 'http://stoa.example', SIGN_IN_ENABLED: 'on' })).toThrow(
    'SIGN_IN_ENABLED',
  );
});
