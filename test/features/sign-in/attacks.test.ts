import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';
import { REDIRECT, signInClient } from './client.ts';
import { createPkce, send, sendJson } from './requests.ts';

/* Attacks on requests and on the consent page, each by name. All of them must fail. */

const app = await startApp();
const f = factories(app);
const client = signInClient(app);
const owner = await f.createAgent();
const clientId = await client.register();

/** Opens the consent page of a request with a change, and returns its status. */
async function openChanged(changes: Record<string, string | undefined>): Promise<number> {
  const request = client.buildRequest(clientId, createPkce().challenge, changes);
  const answer = await client.open(request);
  // Whatever is wrong with a request, nobody is sent anywhere.
  expect(answer.headers.get('location')).toBeNull();
  return answer.status;
}

it.each([
  ['a redirect that begins like the named one', { redirect_uri: `${REDIRECT}.evil` }],
  ['a path below the named one', { redirect_uri: `${REDIRECT}/more` }],
  ['a path with dots', { redirect_uri: `${REDIRECT}/../callback` }],
  ['a query behind the named one', { redirect_uri: `${REDIRECT}?next=//evil.example` }],
  ['another port', { redirect_uri: 'https://client.example:8443/callback' }],
  ['a subdomain', { redirect_uri: 'https://evil.client.example/callback' }],
  ['credentials before the host', { redirect_uri: 'https://client.example@evil.example/callback' }],
  ['plain http', { redirect_uri: 'http://client.example/callback' }],
  ['a script as redirect', { redirect_uri: 'javascript:alert(1)' }],
  ['no redirect', { redirect_uri: undefined }],
  ['a client that nobody knows', { client_id: '0190f0f0-0000-7000-8000-000000000000' }],
  ['a token instead of a code', { response_type: 'token' }],
  ['no challenge', { code_challenge: undefined }],
  ['a challenge in plain', { code_challenge_method: 'plain' }],
  ['the resource of another server', { resource: 'https://other.example/mcp' }],
  ['a resource that begins like ours', { resource: `${app.url}.evil.example/mcp/sign-in` }],
])('[oauth.request] attack: %s', async (_, changes) => {
  expect(await openChanged(changes)).toBe(400);
});

it('[oauth.request] attack: a parameter twice', async () => {
  const request = client.buildRequest(clientId, createPkce().challenge) as Record<string, string>;
  const query = `${new URLSearchParams(request)}&redirect_uri=https%3A%2F%2Fevil.example`;
  expect((await send(`${app.url}/oauth/authorize?${query}`, 'GET')).status).toBe(400);
});

it('[oauth.request] attack: a form whose request was changed after the page', async () => {
  const request = client.buildRequest(clientId, createPkce().challenge, {
    redirect_uri: 'https://evil.example/callback',
  });
  const decision = { decision: 'key', key: owner.key, scope_forum: 'on' };
  const answer = await client.decide({ ...request, ...decision });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
});

it('[oauth.redirect] attack: an open redirect by a request that is wrong', async () => {
  const evil = await client.register(['https://evil.example/']);
  const request = client.buildRequest(evil, '', { redirect_uri: 'https://evil.example/' });
  const answer = await client.open(request);
  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
});

it.each([
  ['http on a host', 'http://evil.example/'],
  ['a file', 'file:///etc/passwd'],
  ['data', 'data:text/html,x'],
  ['a host that only looks like loopback', 'http://127.0.0.1.evil.example/'],
  ['letters of another alphabet', 'https://clаude.ai/callback'],
  ['a backslash', 'https://claude.ai\\@evil.example/'],
])('[oauth.registration] attack: a redirect to %s', async (_, redirect) => {
  const answer = await sendJson(`${app.url}/oauth/register`, { redirect_uris: [redirect] });
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
});

it('[oauth.consent-page] attack: a form sent by the page of another site', async () => {
  const request = client.buildRequest(clientId, createPkce().challenge);
  const fields = { ...request, decision: 'key', key: owner.key, scope_forum: 'on' };
  const foreign = { origin: 'https://evil.example' };
  expect((await client.decide(fields, foreign)).status).toBe(403);
  expect((await client.decide(fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

it('[oauth.consent-page] attack: a session without the token of the page', async () => {
  const person = visitor(app);
  await person.signIn(owner.key);
  const request = client.buildRequest(clientId, createPkce().challenge) as Record<string, string>;
  const fields = { ...request, decision: 'session', scope_forum: 'on' };
  for (const token of ['', 'guess'])
    expect((await person.send('/oauth/authorize', { ...fields, token })).status).toBe(403);
  expect((await client.decide(fields)).status).toBe(401);
});

it('[oauth.consent-page] attack: a frame, a script in a name, a look-alike host', async () => {
  const redirect = 'https://xn--clude-3ve.ai/cb';
  const evil = await client.register([redirect], '<script>alert(1)</script>Claude\u202e');
  const request = client.buildRequest(evil, createPkce().challenge, { redirect_uri: redirect });
  const { text, headers } = await client.open(request);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(text).toContain('<h1>xn--clude-3ve.ai</h1>');
  expect(text).not.toContain('<script');
  expect(text).not.toContain('\u202e');
});

it('[oauth.consent-page] attack: an administrator key on the consent page', async () => {
  const request = client.buildRequest(clientId, createPkce().challenge);
  const fields = { ...request, decision: 'key', scope_forum: 'on' };
  expect((await client.decide({ ...fields, key: 'guess' })).status).toBe(401);
  const { status, headers } = await client.decide({
    ...fields,
    key: 'administrator-key-of-the-test-suite-0001',
  });
  expect(status).toBe(401);
  expect(headers.get('location')).toBeNull();
});

it('[oauth.iss] attack: mixed-up issuers are told apart by the answer', async () => {
  const other = await app.startNode();
  const { location } = await client.getCode(clientId, owner.key);
  expect(location.searchParams.get('iss')).toBe(app.url);
  expect(location.searchParams.get('iss')).not.toBe(other.url);
});
