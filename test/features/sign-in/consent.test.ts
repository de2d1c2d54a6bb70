import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';
import { REDIRECT, signInClient } from './client.ts';
import { createPkce } from './requests.ts';

const app = await startApp();
const f = factories(app);
const client = signInClient(app);

it('[oauth.consent-page] shows the host, marks the name, has no script', async () => {
  const clientId = await client.register([REDIRECT], 'Claude <b>');
  const { text, status, headers } = await client.open(
    client.buildRequest(clientId, createPkce().challenge),
  );
  expect(status).toBe(200);
  expect(text).toContain('<h1>client.example</h1>');
  expect(text).toContain('Claude &lt;b&gt;');
  expect(text).toContain('Nobody proved that name');
  expect(text).not.toContain('<script');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain(`form-action 'self' ${REDIRECT};`);
  expect(policy).toContain("default-src 'none'");
  expect(headers.get('cache-control')).toBe('private, no-store');
});

it('[oauth.token] a person registers an agent on the page and goes on with it', async () => {
  const clientId = await client.register();
  const { challenge, verifier } = createPkce();
  const request = client.buildRequest(clientId, challenge) as Record<string, string>;
  const person = visitor(app);
  const registered = await person.send('/oauth/authorize', {
    ...request,
    decision: 'register',
    handle: 'fresh-agent',
  });
  expect(registered.status).toBe(200);
  const [, key = ''] = /<code>(stoa_[\w-]+)<\/code>/.exec(registered.text) ?? [];
  expect((await f.ok('GET', '/api/v1/me', { key })).handle).toBe('fresh-agent');
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(registered.text) ?? [];
  const allowed = await person.send('/oauth/authorize', {
    ...request,
    decision: 'session',
    scope_forum: 'on',
    token,
  });
  expect(allowed.status).toBe(303);
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { body } = await client.exchange(clientId, code, verifier);
  expect(await client.whoIs(body.access_token)).toBe('fresh-agent');
});

it('[oauth.token] a signed-in person allows it with the session', async () => {
  const owner = await f.createAgent();
  const person = visitor(app);
  await person.signIn(owner.key);
  const clientId = await client.register();
  const { challenge } = createPkce();
  const request = client.buildRequest(clientId, challenge) as Record<string, string>;
  const page = await person.open(`/oauth/authorize?${new URLSearchParams(request)}`);
  expect(page.text).toContain(`Allow for @${owner.handle}`);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.text) ?? [];
  const fields = { ...request, decision: 'session', scope_forum: 'on' };
  expect((await person.send('/oauth/authorize', fields)).status).toBe(403);
  expect((await person.send('/oauth/authorize', { ...fields, token })).status).toBe(303);
});

it('[oauth.token] a person grants only scopes that the agent could use', async () => {
  const owner = await f.createAgent();
  const clientId = await client.register();
  const request = client.buildRequest(clientId, createPkce().challenge, {
    scope: 'forum credentials',
  });
  const choose = (scopes: Record<string, string>) =>
    client.decide({ ...request, decision: 'key', key: owner.key, ...scopes });
  const refused = await choose({ scope_forum: 'on', scope_credentials: 'on' });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('Activate &quot;credentials&quot; first');
  expect(refused.text).not.toContain('{op:');
  expect((await choose({})).status).toBe(400);
  expect((await choose({ scope_forum: 'on' })).status).toBe(303);
});

it('[oauth.iss] a refusal goes to the redirect, with state and issuer', async () => {
  const clientId = await client.register();
  const request = client.buildRequest(clientId, createPkce().challenge);
  const { headers } = await client.decide({ ...request, decision: 'deny' });
  const location = new URL(headers.get('location') ?? '');
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'a state',
    iss: app.url,
  });
});

it('[oauth.consent-page] an address that no policy can name is reached by a link', async () => {
  const owner = await f.createAgent();
  const redirect = 'http://[::1]:7777/cb';
  const clientId = await client.register(['http://[::1]/cb']);
  const request = client.buildRequest(clientId, createPkce().challenge, { redirect_uri: redirect });
  const answer = await client.decide({
    ...request,
    decision: 'key',
    key: owner.key,
    scope_forum: 'on',
  });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('href="http://[::1]:7777/cb?code=');
});

it.each(['session', 'deny'])(
  '[attack.41-1] (ASVS 3.4) who is led to another port of this name is signed out, by %s',
  async (decision) => {
    const owner = await f.createAgent();
    const clientId = await client.register(['http://127.0.0.1/cb', 'http://localhost/cb']);
    for (const [host, signedOut] of [
      ['localhost', false],
      ['127.0.0.1', true],
    ] as const) {
      const person = visitor(app);
      await person.signIn(owner.key);
      const request = client.buildRequest(clientId, createPkce().challenge, {
        redirect_uri: `http://${host}:49152/cb`,
      }) as Record<string, string>;
      const page = await person.open(`/oauth/authorize?${new URLSearchParams(request)}`);
      const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.text) ?? [];
      const fields = { ...request, decision, scope_forum: 'on', token };
      const answer = await person.send('/oauth/authorize', fields);
      expect(answer.headers.get('location')).toContain(`http://${host}:49152/cb?`);
      expect(answer.headers.get('set-cookie') !== null).toBe(signedOut);
      expect((await person.open('/session')).text.includes('Sign out')).toBe(!signedOut);
    }
  },
);

it('[attack.51-6] (ASVS 3.4) a faulty request of another port signs nobody out', async () => {
  const clientId = await client.register(['http://127.0.0.1/cb']);
  const person = visitor(app);
  await person.signIn((await f.createAgent()).key);
  const request = client.buildRequest(clientId, createPkce().challenge, {
    redirect_uri: 'http://127.0.0.1:49152/cb',
    response_type: 'token',
  }) as Record<string, string>;
  const page = await person.open(`/oauth/authorize?${new URLSearchParams(request)}`);
  expect(page.text).toContain('This request does not work');
  expect(page.text).not.toContain('href="http://127.0.0.1:49152');
  expect((await person.open('/session')).text).toContain('Sign out');
  // A link from another site brings no cookie, but the next click does.
  const { text } = await f.send('GET', `/oauth/authorize?${new URLSearchParams(request)}`);
  expect(text).not.toContain('href="http://127.0.0.1:49152');
});
