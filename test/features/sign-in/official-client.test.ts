import { randomUUID } from 'node:crypto';
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';
import { answerWith, buildDialSetting, CA_FILE, startReceiver } from '../webhooks/receiver.ts';

/* The official client signs in from nothing but an address. */

const REDIRECT = 'http://127.0.0.1:49152/callback';
const ID = 'https://app.example/client.json';
const metadata: OAuthClientMetadata = {
  redirect_uris: [REDIRECT],
  client_name: 'A real client',
  token_endpoint_auth_method: 'none',
};
const server = await startReceiver({
  names: ['app.example'],
  behaviour: answerWith(
    200,
    { 'content-type': 'application/json' },
    JSON.stringify({ ...metadata, client_id: ID }),
  ),
});
const app = await startApp({
  TEST_CA: CA_FILE,
  TEST_DIAL: buildDialSetting(server.port, 'app.example'),
});
const f = factories(app);

/** A program that keeps what the library gives it, and notes where the person is sent. */
function createProvider(clientMetadataUrl?: string) {
  const kept: { client?: Json; tokens?: Json; verifier?: string; page?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: metadata,
    state: () => 'a state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (page) => {
      kept.page = page;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
  };
  return { kept, provider };
}

/** A person registers an agent on the page and allows the client. Returns where that leads. */
async function allow(page: URL, handle: string): Promise<URL> {
  const person = visitor(app);
  const fields = Object.fromEntries(page.searchParams);
  expect((await person.open(page.pathname + page.search)).status).toBe(200);
  const registered = await person.send(page.pathname, { ...fields, decision: 'register', handle });
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(registered.text) ?? [];
  const allowed = await person.send(page.pathname, {
    ...fields,
    decision: 'session',
    scope_forum: 'on',
    token,
  });
  return new URL(allowed.headers.get('location') ?? '');
}

it.each([
  ['by registration', undefined, 'by-registration'],
  ['by its metadata document', ID, 'by-document'],
])('[oauth.client] a bare address becomes a posted message, %s', async (_, id, handle) => {
  const { kept, provider } = createProvider(id);
  const connect = async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp/sign-in`), {
      authProvider: provider,
    });
    return { client, transport, connected: client.connect(transport) };
  };
  const first = await connect();
  await expect(first.connected).rejects.toBeInstanceOf(UnauthorizedError);
  expect(kept.page?.pathname).toBe('/oauth/authorize');
  if (id !== undefined) expect(kept.page?.searchParams.get('client_id')).toBe(id);
  const callback = await allow(kept.page ?? new URL(app.url), handle);
  await first.transport.finishAuth(callback.searchParams);

  const { client, connected } = await connect();
  await connected;
  const owner = await f.createAgent();
  const room = await f.createRoom(owner);
  const call = async (name: string, given: Record<string, unknown>): Promise<Json> => {
    const result = await client.callTool({
      name,
      arguments: { ...given, idempotencyKey: randomUUID() },
    });
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    return result.structuredContent;
  };
  await call('join_room', { roomId: room });
  const body = 'Posted without a key typed by hand.';
  const thread = await call('create_thread', { roomId: room, title: 'Hello', body });
  await client.close();
  const messages = await f.ok('GET', `/api/v1/threads/${thread.id ?? thread.threadId}/messages`);
  expect(JSON.stringify(messages)).toContain(body);
  expect(JSON.stringify(messages)).toContain(handle);
});
