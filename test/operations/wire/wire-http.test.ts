import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { ignoresUnknownQuery, isMutation } from '../../../src/kernel/operation/any-operation.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, call, factories, type RequestOptions } from '../../support/factories.ts';
import { makeValidCall } from '../cases.ts';
import { createFixture, fillPath, registry } from '../fixture.ts';

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const fixture = await createFixture(f);
const { owner } = fixture;

const namedOperations = registry.map((operation) => ({ name: operation.name, operation }));
const reads = namedOperations.filter(({ operation }) => !isMutation(operation));
const isOpen = ({ auth, method }: { readonly auth: string; readonly method: string }) =>
  auth === 'public' && method === 'GET';

async function resolveCall({
  name,
  operation,
}: (typeof namedOperations)[number]): Promise<{ path: string; as: RequestOptions }> {
  // These two end the key that they are called with.
  const own = ['rotateKey', 'revokeCurrentKey'].includes(name)
    ? { ...fixture, owner: await f.createAgent() }
    : fixture;
  const { input, as } = await makeValidCall(name, own, f);
  return { path: fillPath(operation, input), as };
}

/**
 * A connection on which anything can be sent; `answer` gives what came back when the other side
 * closes or pauses with a whole answer.
 */
async function rawRequest(
  ...pieces: readonly (string | Buffer)[]
): Promise<{ answer: string; socket: Socket }> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  const answer = new Promise<string>((resolve) => {
    const resolveWhenComplete = () => {
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (body !== undefined && Buffer.byteLength(body) >= length) resolve(text);
    };
    socket.on('data', (chunk) => {
      text += chunk;
      resolveWhenComplete();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
  for (const piece of pieces) socket.write(piece);
  return { answer: await answer, socket };
}

describe('HEAD and OPTIONS', () => {
  it.for([
    ...reads,
    ...['/openapi.json', '/healthz', '/readyz'].map((path) => ({
      name: path,
      operation: undefined,
    })),
  ])('[wire.head-options] work on $name', async ({ name, operation }) => {
    const { path, as } = operation
      ? await resolveCall({ name, operation })
      : { path: name, as: {} };
    const headers = { 'x-request-id': 'same' };
    const options = await call(app.url, 'OPTIONS', path);
    expect({ status: options.status, text: options.text }).toEqual({ status: 204, text: '' });
    expect(options.headers.get('allow')?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'HEAD', 'OPTIONS']),
    );
    const read = (method: 'GET' | 'HEAD') => call(app.url, method, path, { ...as, headers });
    const head = await read('HEAD');
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    if (operation?.kind === 'stream') return;
    let before = await read('GET');
    let between = await read('HEAD');
    let get = await read('GET');
    // The log grows in the background. Each form has a random token.
    const omitTokens = (text: string) => text.replace(/name="once"\s+value="[^"]+"/g, '');
    while (omitTokens(before.text) !== omitTokens(get.text))
      [before, between, get] = [get, await read('HEAD'), await read('GET')];
    const pickHeaders = ({ headers }: typeof get) =>
      [...headers].filter(
        ([header]) =>
          !['date', 'connection', 'keep-alive', 'transfer-encoding'].includes(header) &&
          !(header === 'etag' && omitTokens(get.text) !== get.text),
      );
    expect(pickHeaders(between)).toEqual(pickHeaders(get));
    // What is written while it is read has no length before; bytes that are no text have another
    // one here.
    if (get.text.includes('\ufffd')) return;
    if (operation?.kind !== 'content' || between.headers.has('content-length'))
      expect(Number(between.headers.get('content-length'))).toBe(Buffer.byteLength(get.text));
  });

  it('[wire.head-options] HEAD refuses as GET does', async () => {
    for (const [path, status] of [
      ['/api/v1/me', 401],
      [`/api/v1/rooms/${fixture.privateRoom}`, 404],
      ['/api/v1/rooms?limit=0', 400],
      ['/nothing', 404],
    ] as const) {
      expect(await call(app.url, 'HEAD', path)).toMatchObject({ status, text: '' });
    }
  });
});

describe('the request id', () => {
  const valid = ['a', 'nightly-42', 'A.b_c-9', 'x'.repeat(64)];
  const invalid = ['', 'x'.repeat(65), 'two words', 'a/b', 'é', 'a,b', '<script>'];

  it('[wire.request-id] is the caller’s own when it fits', async () => {
    for (const id of valid)
      expect(
        (await f.send('GET', '/api/v1/version', { headers: { 'x-request-id': id } })).headers.get(
          'x-request-id',
        ),
      ).toBe(id);
  });

  it('[wire.request-id] is a new one when it does not', async () => {
    const given = await Promise.all(
      [...invalid.map((id) => ({ 'x-request-id': id })), {}].map((headers) =>
        f.send('GET', '/api/v1/version', { headers }),
      ),
    );
    const ids = given.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['no such path', 'GET', '/nothing', {}],
    ['another method', 'PATCH', '/api/v1/rooms', {}],
    ['a preflight', 'OPTIONS', '/api/v1/rooms', {}],
    ['no credential', 'GET', '/api/v1/me', {}],
    ['no JSON', 'POST', '/api/v1/agents', { raw: '{' }],
    [
      'another media type',
      'POST',
      '/api/v1/agents',
      { raw: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    ['too much', 'POST', '/api/v1/agents', { raw: 'x'.repeat(600_000) }],
    ['an address that cannot be read', 'GET', '/api/v1/agents/%ff', {}],
    ['an address that is too long', 'GET', `/api/v1/agents/${'x'.repeat(1000)}`, {}],
    ['the OpenAPI document', 'GET', '/openapi.json', {}],
    ['an unchanged document', 'GET', '/openapi.json', { headers: { 'if-none-match': '*' } }],
    ['a probe', 'GET', '/healthz', {}],
  ])(
    '[wire.request-id] is on the answer to %s',
    async (_, method, path, options: RequestOptions) => {
      const answer = await call(app.url, method, path, {
        ...options,
        headers: { ...options.headers, 'x-request-id': 'mine' },
      });
      expect(answer.headers.get('x-request-id')).toBe('mine');
      if (answer.status >= 400) expect(answer.body.requestId).toBe('mine');
    },
  );

  it('[wire.request-id] is on the answer to what is no request', async () => {
    for (const nonsense of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\nhost: localhost\r\na: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const [head = '', body = ''] = (await rawRequest(nonsense)).answer.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(head).toContain('application/problem+json');
      const problem = JSON.parse(body);
      expect(problem).toMatchObject({
        code: 'invalid_request',
        status: 400,
        errors: [{ pointer: expect.stringMatching(/^\//) }],
      });
      expect(head).toContain(`X-Request-Id: ${problem.requestId}`);
    }
  });

  it('[wire.request-id] is on the answer to a request that expects what nobody knows', async () => {
    const { answer } = await rawRequest(
      'GET /api/v1/version HTTP/1.1\r\nhost: localhost\r\nexpect: the unexpected\r\n' +
        'x-request-id: ' +
        'mine\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\nx-request-id: mine\r\n/s);
  });
});

describe('private content', () => {
  it('[wire.no-store] is kept by nobody, with a key or without', async () => {
    const cacheControl = async (path: string, as: RequestOptions) =>
      (await f.send('GET', path, as)).headers.get('cache-control');
    const { open, membersOnly, listed, hidden } = fixture.threads;
    const as = { key: owner.key };
    for (const id of [open, membersOnly, listed, hidden]) {
      for (const path of [`/api/v1/threads/${id}`, `/api/v1/threads/${id}/messages`])
        expect(await cacheControl(path, as)).toBe('private, no-store');
    }
    for (const path of [
      `/api/v1/rooms/${fixture.privateRoom}`,
      '/api/v1/rooms',
      '/api/v1/threads',
      '/api/v1/me',
      '/api/v1/events',
      '/api/v1/me/keys',
    ]) {
      expect(await cacheControl(path, as)).toBe('private, no-store');
    }
    // The title of a private room's public thread is shown to anyone, and still is not for a cache.
    expect(await cacheControl(`/api/v1/threads/${listed}`, {})).toBe('private, no-store');
    expect(await cacheControl(`/api/v1/threads/${open}`, {})).toBe('public, no-cache');
  });
});

describe('pages of other origins', () => {
  const origin = { origin: 'https://page.example' };
  const pickCorsHeaders = (headers: Headers) =>
    [...headers].filter(
      ([header]) =>
        header.startsWith('access-control-') && header !== 'access-control-expose-headers',
    );

  it.for(namedOperations)('[wire.cors] and $name', async (one) => {
    const { path, as } = await resolveCall(one);
    const { operation } = one;
    const asked = await call(
      app.url,
      operation.kind === 'stream' ? 'HEAD' : operation.method,
      path,
      { ...as, headers: origin },
    );
    expect(pickCorsHeaders(asked.headers)).toEqual(
      isOpen(operation) ? [['access-control-allow-origin', '*']] : [],
    );
    const refusedCall = await call(
      app.url,
      operation.method,
      `${path}${path.includes('?') ? '&' : '?'}nonsense=1`,
      { headers: origin },
    );
    if (!ignoresUnknownQuery(operation)) expect(refusedCall.status).toBeGreaterThanOrEqual(400);
    expect(pickCorsHeaders(refusedCall.headers)).toEqual(
      isOpen(operation) ? [['access-control-allow-origin', '*']] : [],
    );
    const preflight = await call(app.url, 'OPTIONS', path, {
      headers: { ...origin, 'access-control-request-method': operation.method },
    });
    const open = [
      ['access-control-allow-headers', 'If-None-Match, If-Range, Range, X-Request-Id'],
      ['access-control-allow-methods', 'GET, HEAD'],
      ['access-control-allow-origin', '*'],
      ['access-control-max-age', '86400'],
    ];
    expect(pickCorsHeaders(preflight.headers)).toEqual(isOpen(operation) ? open : []);
  });

  it.for(reads.filter(({ operation }) => isOpen(operation)))(
    '[wire.cors] $name with a credential is for no page',
    async (one) => {
      const { path } = await resolveCall(one);
      for (const as of [
        { key: owner.key },
        { admin: true },
        { key: 'wrong' },
        { context: 'f'.repeat(64) },
      ]) {
        expect(
          pickCorsHeaders((await call(app.url, 'GET', path, { ...as, headers: origin })).headers),
        ).toEqual([]);
      }
      const preflight = await call(app.url, 'OPTIONS', path, {
        headers: {
          ...origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-api-key',
        },
      });
      expect(preflight.headers.get('access-control-allow-headers')).not.toMatch(/key|\*/i);
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    },
  );

  it('[wire.cors] may read the OpenAPI document', async () => {
    expect(
      (await call(app.url, 'GET', '/openapi.json', { headers: origin })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('*');
    expect(
      pickCorsHeaders(
        (await call(app.url, 'GET', '/metrics', { admin: true, headers: origin })).headers,
      ),
    ).toEqual([]);
  });
});

describe('a large body', () => {
  const LIMIT = 512 * 1024;
  const path = `/api/v1/threads/${fixture.threads.open}/messages`;
  const buildRequestHead = (more: string) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${owner.key}\r\ncontent-type: ` +
    `application/json\r\n${more}\r\n\r\n`;
  const buildPaddedBody = (bytes: number) => `{"body":"x"${' '.repeat(bytes - 12)}}`;
  const countMessages = async () =>
    (await app.app.env.db.first<{ n: number }>(sql`SELECT count(*) AS n FROM messages`))?.n;

  it('[wire.body-limit] of 512 KiB is taken, one byte more is not', async () => {
    const send = (raw: string) => f.send('POST', path, { key: owner.key, raw });
    expect((await send(buildPaddedBody(LIMIT))).status).toBe(200);
    const before = await countMessages();
    expect(await send(buildPaddedBody(LIMIT + 1))).toMatchObject(
      buildProblem(413, 'payload_too_large', { limit: LIMIT }),
    );
    expect(await countMessages()).toBe(before);
  });

  it('[wire.body-limit] of an operation that needs less is limited to less', async () => {
    const limit = 64 * 1024;
    const send = (bytes: number) =>
      f.send('POST', '/api/v1/rooms', {
        key: owner.key,
        raw: `{"name":"x"${' '.repeat(bytes - 12)}}`,
      });
    expect((await send(limit)).status).toBe(200);
    expect(await send(limit + 1)).toMatchObject(buildProblem(413, 'payload_too_large', { limit }));
  });

  it('[wire.body-limit] is refused by its announced length, before it is sent', async () => {
    const { answer, socket } = await rawRequest(buildRequestHead(`content-length: ${LIMIT + 1}`));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"payload_too_large"');
    expect(answer).toContain(`"limit":${LIMIT}`);
    socket.destroy();
  });

  it('[wire.body-limit] without a length is refused as soon as it is too long', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const { answer, socket } = await rawRequest(
      buildRequestHead('transfer-encoding: chunked'),
      ...Array(9).fill(chunk),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(`"limit":${LIMIT}`);
    socket.destroy();
  });
});
