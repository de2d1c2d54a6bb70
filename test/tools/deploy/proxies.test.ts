import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { call, factories, type Json, toFormData, waitUntil } from '../../support/factories.ts';
import { findFreePort } from '../../support/service.ts';
import { installedProxies, startProxy } from './proxy.ts';
import { readExample } from './read-example.ts';

const MIB = 1024 * 1024;
const app = await startApp();
const f = factories(app);

interface ProxyRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface OpenResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly stream: ClientHttp2Stream;
}

/** Sends a request over HTTP/2. The body of the response is still on its way. */
async function open(
  session: ClientHttp2Session,
  path: string,
  { method = 'GET', headers = {}, body }: ProxyRequest = {},
): Promise<OpenResponse> {
  const encoded = new Response(body instanceof FormData ? body : JSON.stringify(body));
  const type = encoded.headers.get('content-type') ?? '';
  const stream = session.request({
    ':method': method,
    ':path': path,
    ...(method === 'POST' && {
      'content-type': body instanceof FormData ? type : 'application/json',
      'idempotency-key': randomUUID(),
    }),
    ...headers,
  });
  const head = new Promise<IncomingHttpHeaders>((resolve, reject) => {
    stream.once('response', resolve);
    stream.once('error', reject);
  });
  stream.end(body === undefined ? undefined : Buffer.from(await encoded.arrayBuffer()));
  const answered = await head;
  return { status: Number(answered[':status']), headers: answered, stream };
}

async function send(session: ClientHttp2Session, path: string, request?: ProxyRequest) {
  const { status, headers, stream } = await open(session, path, request);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const isJson = String(headers['content-type']).includes('json');
  const body: Json = isJson ? JSON.parse(bytes.toString()) : undefined;
  return { status, headers, bytes, body };
}

describe('deploy/nginx.conf and deploy/Caddyfile', () => {
  it('[deploy.proxies] wait as long as a long poll, and reuse no connection that ends', () => {
    const nginx = readExample('nginx.conf');
    const caddy = readExample('Caddyfile');
    const readSeconds = (text: string, name: string) =>
      Number(new RegExp(`\\b${name} (\\d+)s`).exec(text)?.[1]);
    for (const seconds of [
      readSeconds(nginx, 'proxy_read_timeout'),
      readSeconds(caddy, 'response_header_timeout'),
    ])
      expect(seconds).toBeGreaterThan(60);
    for (const seconds of [
      readSeconds(nginx, 'keepalive_timeout'),
      readSeconds(caddy, 'keepalive'),
    ])
      expect(seconds * 1000).toBeLessThan(app.app.http.server.keepAliveTimeout);
  });
});

it.each([
  ['nginx.conf', 'proxy_set_header NAME "";'],
  ['Caddyfile', 'header_up -NAME'],
  ['haproxy.cfg', 'http-request del-header NAME'],
])('[attack.42-2] (API8) deploy/%s passes no trace of callers on', (name, line) => {
  for (const header of ['traceparent', 'tracestate'])
    expect(readExample(name)).toContain(line.replace('NAME', header));
});

describe.each(installedProxies)('deploy/ with %s', async (name) => {
  const port = await findFreePort();
  const node = await app.startNode({
    BASE_URL: `https://localhost:${port}`,
    TRUST_PROXY: '1',
    RATE_LIMITS: 'registrations=1/d',
  });
  const address = node.app.http.server.address() as { port: number };
  // Another node does not run: no request may be lost on it.
  const nodes = [await findFreePort(), address.port].map((one) => `127.0.0.1:${one}`);
  const session = (await startProxy(name, port, nodes)).openSession();
  const reader = await f.createAgent();
  const author = await f.createAgent();
  const threadId = await f.createThread(author, await f.createRoom(author));
  const key = { 'x-api-key': reader.key };
  const mention = (text: string) =>
    f.postMessage(author, threadId, `@${reader.handle} ${text}`).then(({ id }) => id);
  const isWaiting = async () => {
    const at = `http://127.0.0.1:${address.port}`;
    const { text } = await call(at, 'GET', '/metrics', { admin: true });
    return text.includes('stoa_under_way{kind="waits"} 1');
  };

  it('[deploy.proxies] shows pages over TLS and HTTP/2', async () => {
    const page = await send(session, '/start', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(session.alpnProtocol).toBe('h2');
    expect(page.bytes.toString()).toContain(`https://localhost:${port}`);
    expect(page.headers['strict-transport-security']).toBeDefined();
  });

  it('[attack.42-1] (API8) no answer to one caller has the node left out for others', async () => {
    const redirect = `https://client.example/${';'.repeat(1_900)}`;
    const { body: client } = await f.send('POST', '/oauth/register', {
      body: { redirect_uris: [redirect] },
    });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirect,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    for (let round = 0; round < 3; round++) {
      const page = await send(session, `/oauth/authorize?${query}`);
      const other = await send(session, '/api/v1/version');
      expect([page.status, other.status]).toEqual([200, 200]);
    }
  });

  it('[deploy.proxies] holds a long poll until its event comes', async () => {
    const cursor = (await f.listEvents(reader)).nextCursor;
    const poll = send(session, `/api/v1/events?cursor=${cursor}&wait=60`, { headers: key });
    await waitUntil('the poll waits', isWaiting);
    const messageId = await mention('one');
    const { status, headers, body } = await poll;
    expect(status).toBe(200);
    expect(body.events).toMatchObject([{ messageId }]);
    expect(headers['cache-control']).toMatch(/private|no-store/);
  });

  it('[deploy.proxies] passes each event of a stream on while the stream is open', async () => {
    const cursor = (await f.listEvents(reader)).nextCursor;
    const { status, headers, stream } = await open(
      session,
      `/api/v1/events/stream?cursor=${cursor}`,
      { headers: key },
    );
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/event-stream/);
    let seen = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
    });
    await waitUntil('the stream has begun', () => seen.includes(': still here'));
    for (const text of ['two', 'three']) {
      const messageId = await mention(text);
      await waitUntil('the event has come', () => seen.includes(messageId));
    }
    expect(stream.readableEnded).toBe(false);
    stream.close();
  });

  it('[deploy.proxies] takes a file of 10 MiB, and gives it back', async () => {
    const bytes = randomBytes(10 * MIB);
    const { id } = await f.postMessage(author, threadId, 'A file comes.');
    const sent = await send(session, `/api/v1/messages/${id}/files`, {
      method: 'POST',
      headers: { 'x-api-key': author.key },
      body: toFormData({ name: 'noise.bin', bytes }),
    });
    expect(sent).toMatchObject({ status: 200, body: { size: 10 * MIB } });
    const got = await send(session, `/api/v1/files/${sent.body.id}`, { headers: key });
    expect(got.status).toBe(200);
    const digest = (one: Buffer) => createHash('sha256').update(one).digest('hex');
    expect(digest(got.bytes)).toBe(digest(bytes));
  });

  it('[deploy.proxies] serves tools', async () => {
    const { status, bytes } = await send(session, '/mcp', {
      method: 'POST',
      headers: { ...key, accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });
    expect(status).toBe(200);
    expect(bytes.toString()).toContain('"send_message"');
  });

  it('[deploy.proxies] replaces addresses and request ids that a caller made up', async () => {
    const register = (forwarded: string) =>
      send(session, '/api/v1/agents', {
        method: 'POST',
        headers: { 'x-forwarded-for': forwarded, 'x-request-id': 'made-up' },
        body: { handle: `${name}-${forwarded.replaceAll('.', '-')}` },
      });
    // What the other proxy's caller took at this address is forgotten after a day.
    app.clock.advance(86_400_000);
    expect((await register('203.0.113.1')).status).toBe(200);
    const second = await register('203.0.113.2');
    expect([second.status, second.body.code]).toEqual([429, 'rate_limited']);
    expect(second.headers['x-request-id']).toMatch(/^[\w-]{32,36}$/);
  });

  it('[deploy.proxies] keeps no private answer for the next caller', async () => {
    const mine = await send(session, '/api/v1/me', { headers: key });
    expect(mine.body.handle).toBe(reader.handle);
    expect(mine.headers['cache-control']).toMatch(/private|no-store/);
    expect((await send(session, '/api/v1/me')).status).toBe(401);
  });
});
