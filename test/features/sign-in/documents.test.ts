import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { answerWith, buildDialSetting, CA_FILE, startReceiver } from '../webhooks/receiver.ts';
import { REDIRECT, signInClient } from './client.ts';
import { createPkce } from './requests.ts';

/* Clients whose id is the address of their metadata document. */

const HOST = 'app.example';
const ID = `https://${HOST}/client.json`;
const document = {
  client_id: ID,
  client_name: 'App',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: 'none',
};
const json = { 'content-type': 'application/json' };
const sendDocument = (changes: object = {}, headers: Record<string, string> = json) =>
  answerWith(200, headers, JSON.stringify({ ...document, ...changes }));

const server = await startReceiver({ names: [HOST, 'inside.example'] });
const app = await startApp({
  TEST_CA: CA_FILE,
  TEST_DIAL: [
    buildDialSetting(server.port, HOST),
    buildDialSetting(server.port, 'inside.example', '10.0.0.1'),
  ].join(','),
});
const f = factories(app);
const client = signInClient(app);
const open = (clientId = ID) => client.open(client.buildRequest(clientId, createPkce().challenge));

/** What is remembered of a document is forgotten. */
const forget = () => app.clock.advance(601_000);

it('[oauth.client-id] a client with a document signs in, and is named by its host', async () => {
  server.setBehaviour(sendDocument());
  const owner = await f.createAgent();
  const { text } = await open();
  expect(text).toContain('<h1>client.example</h1>');
  expect(text).toContain(`That is what <strong>${HOST}</strong> says of it.`);
  expect(text).not.toContain('Nobody proved that name');
  const tokens = await client.signIn(ID, owner.key);
  expect(await client.whoIs(tokens.access_token)).toBe(owner.handle);
  const [key] = await f.ok('GET', '/api/v1/me/keys', { key: owner.key });
  expect(key.label).toBe(HOST);
  // The document is read once and kept.
  expect(server.received).toHaveLength(1);
  expect(server.received[0]).toMatchObject({ method: 'GET', path: '/client.json' });
});

it.each([
  ['of another client', sendDocument({ client_id: `https://${HOST}/other.json` })],
  ['with a secret', sendDocument({ token_endpoint_auth_method: 'client_secret_post' })],
  ['with another redirect', sendDocument({ redirect_uris: ['https://other.example/'] })],
  ['that is too large', sendDocument({ client_name: 'x'.repeat(4096) })],
  ['that is much too large', answerWith(200, json, 'x'.repeat(200_000))],
  ['that is no JSON', answerWith(200, json, '{')],
  ['that is a page', sendDocument({}, { 'content-type': 'text/html' })],
  ['that is elsewhere', answerWith(302, { location: `https://${HOST}/client.json` })],
  ['that is not there', answerWith(404, json, JSON.stringify(document))],
])('[oauth.client-id] attack: a document %s', async (_, behaviour) => {
  server.setBehaviour(behaviour);
  forget();
  const answer = await open();
  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
});

it.each([
  'https://inside.example/client.json',
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/client.json',
  `https://${HOST}:8443/client.json`,
  `http://${HOST}/client.json`,
  `https://user@${HOST}/client.json`,
  `https://${HOST}/a/../client.json`,
])('[oauth.client-id] attack: the service calls %s', async (address) => {
  server.setBehaviour(sendDocument({ client_id: address }));
  const before = server.received.length;
  expect((await open(address)).status).toBe(400);
  expect(server.received).toHaveLength(before);
});

it('[oauth.client-id] a failure is remembered, so that nobody can make it call on', async () => {
  server.setBehaviour(answerWith(500));
  forget();
  const before = server.received.length;
  for (let nr = 0; nr < 5; nr++) expect((await open()).status).toBe(400);
  expect(server.received).toHaveLength(before + 1);
});

it('[attack.3-6] what the service reads for a stranger is counted like registrations', async () => {
  const limited = await app.startNode({ RATE_LIMITS: 'registrations=2/d' });
  const stranger = signInClient(limited);
  const { challenge } = createPkce();
  const ask = async (id: string) =>
    (await stranger.open(stranger.buildRequest(id, challenge))).status;
  const before = server.received.length;
  server.setBehaviour(answerWith(404, json, ''));
  const statuses: number[] = [];
  for (const nr of [1, 1, 2, 3, 1]) statuses.push(await ask(`${ID}?${nr}`));
  // What is remembered costs nothing.
  expect(statuses).toEqual([400, 400, 400, 429, 400]);
  expect(server.received.length - before).toBe(2);
});
