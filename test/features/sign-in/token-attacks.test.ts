import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { forgetClients } from '../../../src/features/sign-in/forget-clients.job.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { signInClient } from './client.ts';
import { createPkce, send, sendForm, sendJson } from './requests.ts';

/* Attacks on codes and tokens, each by name. All of them must fail. */

const app = await startApp();
const f = factories(app);
const client = signInClient(app);
const owner = await f.createAgent();
const clientId = await client.register();

it('[oauth.code] attack: a code used twice ends the tokens that it gave', async () => {
  const { code, verifier } = await client.getCode(clientId, owner.key);
  const { body: tokens } = await client.exchange(clientId, code, verifier);
  const again = await client.exchange(clientId, code, verifier);
  expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await client.whoIs(tokens.access_token)).toBe(401);
  expect((await client.refresh(clientId, tokens.refresh_token)).status).toBe(400);
});

it('[oauth.code] attack: a code used by two at once gives tokens to one at most', async () => {
  const { code, verifier } = await client.getCode(clientId, owner.key);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => client.exchange(clientId, code, verifier)),
  );
  const given = answers.filter(({ status }) => status === 200);
  expect(given).toHaveLength(1);
  expect(await client.whoIs(given[0]?.body.access_token)).toBe(401);
});

it.each([
  ['the wrong verifier', { code_verifier: createPkce().verifier }],
  ['no verifier', { code_verifier: undefined }],
  ['another redirect', { redirect_uri: 'https://client.example/other' }],
  ['another resource', { resource: 'https://other.example/mcp' }],
  ['no client', { client_id: undefined }],
])('[oauth.pkce] attack: a stolen code with %s', async (_, changes) => {
  const { code, verifier } = await client.getCode(clientId, owner.key);
  expect((await client.exchange(clientId, code, verifier, changes)).status).toBe(400);
});

it('[oauth.pkce] attack: a code with the challenge as verifier', async () => {
  const { code, request } = await client.getCode(clientId, owner.key);
  const challenge = request.code_challenge ?? '';
  expect((await client.exchange(clientId, code, challenge)).status).toBe(400);
});

it('[oauth.code] attack: the code of another client', async () => {
  const other = await client.register();
  const { code, verifier } = await client.getCode(clientId, owner.key);
  expect((await client.exchange(other, code, verifier)).status).toBe(400);
});

it('[oauth.code] attack: a code after 60 seconds', async () => {
  const { code, verifier } = await client.getCode(clientId, owner.key);
  app.clock.advance(60_000);
  expect((await client.exchange(clientId, code, verifier)).status).toBe(400);
});

it('[oauth.refresh] attack: reuse of an old refresh token ends the family', async () => {
  const first = await client.signIn(clientId, owner.key);
  const { body: second } = await client.refresh(clientId, first.refresh_token);
  expect((await client.refresh(clientId, first.refresh_token)).status).toBe(400);
  expect(await client.whoIs(second.access_token)).toBe(401);
  expect((await client.refresh(clientId, second.refresh_token)).status).toBe(400);
});

it('[oauth.refresh] attack: one refresh token used by two at once', async () => {
  const { refresh_token: token } = await client.signIn(clientId, owner.key);
  const answers = await Promise.all([1, 2, 3].map(() => client.refresh(clientId, token)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given).toHaveLength(1);
  expect(await client.whoIs(given[0]?.body.access_token)).toBe(401);
});

it('[oauth.refresh] attack: the refresh token of another client', async () => {
  const other = await client.register();
  const { refresh_token: token } = await client.signIn(clientId, owner.key);
  expect((await client.refresh(other, token)).status).toBe(400);
});

it('[oauth.refresh] attack: more scopes by a refresh', async () => {
  const { refresh_token: token } = await client.signIn(clientId, owner.key);
  const grown = await client.refresh(clientId, token, { scope: 'forum credentials' });
  expect(grown).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
});

it('[oauth.token] attack: a token that makes itself more rights', async () => {
  const { access_token: token } = await client.signIn(clientId, owner.key);
  const make = (scopes: string[]) =>
    f.sendForOutcome('POST', '/api/v1/me/keys', { key: token, body: { scopes } });
  expect(await make(['forum'])).toBe('403 insufficient_scope');
  await expect(client.getCode(await client.register(), token)).rejects.toThrow('403');
});

it('[oauth.token] attack: a refresh token as a key, and a code as a key', async () => {
  const { code } = await client.getCode(clientId, owner.key);
  const { refresh_token: token } = await client.signIn(clientId, owner.key);
  for (const secret of [code, token]) expect(await client.whoIs(secret)).toBe(401);
});

it('[oauth.token] attack: a blocked agent exchanges, refreshes and calls', async () => {
  const blocked = await f.createAgent();
  const tokens = await client.signIn(clientId, blocked.key);
  const { code, verifier } = await client.getCode(await client.register(), blocked.key);
  await f.ok('PUT', `/api/v1/admin/agents/${blocked.id}/block`, {
    admin: true,
    body: { blocked: true },
  });
  expect((await client.exchange(clientId, code, verifier)).status).toBe(400);
  expect((await client.refresh(clientId, tokens.refresh_token)).status).toBe(400);
  const answer = await client.callTool(tokens.access_token, 'get_me');
  expect(answer.body.result.isError).toBe(true);
  await expect(client.getCode(clientId, blocked.key)).rejects.toThrow('blocked');
});

it('[oauth.revocation] attack: a stranger ends the tokens of others', async () => {
  const tokens = await client.signIn(clientId, owner.key);
  const stranger = await client.register();
  const known = await client.revoke(stranger, tokens.refresh_token);
  const unknown = await client.revoke(stranger, 'stoa_ref_unknown');
  expect(known.text).toBe(unknown.text);
  expect(known.status).toBe(unknown.status);
  expect(await client.whoIs(tokens.access_token)).toBe(owner.handle);
});

it('[oauth.token] attack: other grants, JSON bodies and fields twice', async () => {
  const path = `${app.url}/oauth/token`;
  const password = await sendForm(path, { grant_type: 'password', username: 'a', password: 'b' });
  expect(password.body.error).toBe('unsupported_grant_type');
  expect((await sendForm(path, { code: 'x' })).body.error).toBe('invalid_request');
  expect((await sendJson(path, { grant_type: 'authorization_code' })).status).toBe(415);
  const twice = await send(path, 'POST', 'grant_type=refresh_token&grant_type=password', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(twice.status).toBe(400);
});

it('[oauth.challenge] attack: a header of a client never meets a 401 at /mcp', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const accept = 'application/json, text/event-stream';
  for (const headers of [
    { 'x-api-key': 'stoa_wrong' },
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic eDp5' },
    { 'x-api-key': owner.key },
  ])
    expect((await sendJson(`${app.url}/mcp`, message, { accept, ...headers })).status).toBe(200);
});

it('[attack.3-7] refreshes of one consent are counted', async () => {
  const limited = await app.startNode({ RATE_LIMITS: 'writes=2/d' });
  const { key } = await f.createAgent();
  const clientId = await client.register();
  const tokens = await client.signIn(clientId, key);
  const audience = { resource: client.resource };
  let token: string = tokens.refresh_token;
  for (const status of [200, 200, 429]) {
    const answer = await signInClient(limited).refresh(clientId, token, audience);
    expect(answer.status).toBe(status);
    token = answer.body.refresh_token ?? token;
  }
  // The refusal did not use the token up.
  expect((await client.refresh(clientId, token)).status).toBe(200);
});

it('[attack.6-7] refreshes of all consents of an agent are counted together', async () => {
  const limited = await app.startNode({ RATE_LIMITS: 'writes=3/d' });
  const { key } = await f.createAgent();
  const audience = { resource: client.resource };
  const refresh = async () => {
    const id = await client.register();
    const { refresh_token: token } = await client.signIn(id, key);
    return (await signInClient(limited).refresh(id, token, audience)).status;
  };
  const statuses: number[] = [];
  for (let nr = 0; nr < 4; nr++) statuses.push(await refresh());
  expect(statuses).toEqual([200, 200, 200, 429]);
});

it('[attack.17-1] (API4) secrets that give nothing any more cost their agent nothing', async () => {
  const limited = await app.startNode({ RATE_LIMITS: 'writes=4/d' });
  const audience = { resource: client.resource };
  const agent = await f.createAgent();
  const id = await client.register();
  const { code, verifier } = await client.getCode(id, agent.key);
  const { body: first } = await client.exchange(id, code, verifier);
  const other = await client.register();
  const { body: second } = await client.refresh(id, first.refresh_token);
  const spend = async (): Promise<number[]> => {
    const node = signInClient(limited);
    const answers = [
      await node.refresh(other, second.refresh_token, audience),
      await node.refresh(id, second.refresh_token, { resource: 'https://other.example/mcp' }),
      await node.exchange(id, code, createPkce().verifier, audience),
      await node.refresh(id, first.refresh_token, audience),
      await node.refresh(id, second.refresh_token, audience),
    ];
    return answers.map(({ status }) => status);
  };
  const refused = [400, 400, 400, 400, 400];
  // The code and the refresh token that were used end the consent.
  expect(await spend()).toEqual(refused);
  // Now nothing waits for the agent either, whose row somebody holds.
  await app.app.env.db.transaction(async (tx) => {
    await tx.run(sql`SELECT 1 FROM agents WHERE id = ${agent.id} FOR UPDATE`);
    expect(await spend()).toEqual(refused);
    const { status } = await sendForm(`${limited.url}/oauth/revoke`, {
      token: second.refresh_token,
      client_id: id,
    });
    expect(status).toBe(200);
  });
  const room = { key: agent.key, body: { name: 'A room' } };
  const statuses: number[] = [];
  for (let nr = 0; nr < 5; nr++)
    statuses.push((await factories(limited).send('POST', '/api/v1/rooms', room)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});

it('[attack.3-9] a token that rotates itself does not outlive the consent', async () => {
  const person = await f.createAgent();
  const rotate = async (key: string): Promise<string> =>
    (await f.ok('POST', '/api/v1/me/keys/rotate', { key, idem: randomUUID() })).apiKey;
  const { access_token: token, refresh_token: refresh } = await client.signIn(clientId, person.key);
  const rotated = await rotate(await rotate(token));
  expect(await client.whoIs(rotated)).toBe(person.handle);
  // The client goes on as if nothing had happened.
  const { body: next } = await client.refresh(clientId, refresh);
  expect(await client.whoIs(rotated)).toBe(401);
  const again = await rotate(next.access_token);
  await client.signIn(clientId, person.key);
  expect(await client.whoIs(again)).toBe(401);
});

it('[attack.3-9] what a token made ends when its person ends the token', async () => {
  const person = await f.createAgent();
  await f.grantCapability(person, 'credentials');
  const { access_token: token } = await client.signIn(clientId, person.key, {
    scope: 'forum credentials',
  });
  const made = await f.ok('POST', '/api/v1/me/keys', {
    key: token,
    body: { scopes: ['forum'] },
    idem: randomUUID(),
  });
  expect(await client.whoIs(made.apiKey)).toBe(person.handle);
  const keys: Json[] = await f.ok('GET', '/api/v1/me/keys', { key: person.key });
  const tokenKey = keys.find(({ label }) => label === 'client.example');
  await f.ok('DELETE', `/api/v1/me/keys/${tokenKey.id}`, { key: person.key });
  expect(await client.whoIs(made.apiKey)).toBe(401);
});

it('[oauth.refresh] an access token is deleted a day after its end if not needed', async () => {
  const { key } = await f.createAgent();
  const clientId = await client.register();
  const first = await client.signIn(clientId, key);
  const tokens = [first];
  for (let times = 0; times < 3; times++) {
    const { body } = await client.refresh(clientId, tokens.at(-1)?.refresh_token);
    tokens.push(body);
  }
  const listKept = async () => {
    await forgetClients(app.app.env);
    const rows = await app.app.env.db.rows<{ hash: Buffer }>(
      sql`SELECT secret_sha256 AS hash FROM api_keys`,
    );
    const kept = new Set(rows.map(({ hash }) => hash.toString('hex')));
    return [...tokens.map((one) => one.access_token), key].map((secret) =>
      kept.has(sha256(secret).toString('hex')),
    );
  };
  expect(await listKept()).toEqual([true, true, true, true, true]);
  app.clock.advance(24 * 3_600_000 + 1);
  // The last one has expired, and its grant can still be refreshed.
  expect(await listKept()).toEqual([false, false, false, true, true]);
  const next = await client.refresh(clientId, tokens.at(-1)?.refresh_token);
  expect(await client.whoIs(next.body.access_token)).not.toBe(401);
});
