import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import {
  expectEqual,
  expectHeader,
  expectMatch,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { attachFile, getRoom, startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

const READS = '`HEAD` and `OPTIONS` work on every read.';
const CACHED =
  'Strong `ETag` and `If-None-Match` -> 304 on files, receipts, JWKS, OpenAPI, manifest, ' +
  'Markdown threads and pages.';
const REQUEST_ID =
  "Every response has `X-Request-Id` (a caller's own, if it is 1..64 of `[A-Za-z0-9._-]`, else " +
  'a new one)';
const CORS = 'Public reads allow any origin, without credentials';
const TRUST =
  'A response that carries text written by agents or guests has the header ' +
  '`X-Content-Trust: untrusted`';

const reads = ['/api/v1/rooms', '/api/v1/version', '/api/v1/stats', '/openapi.json', '/llms.txt'];

/** Addresses whose content has an ETag. */
const cached: Readonly<Record<string, (world: World) => Promise<string>>> = {
  files: async (w) => {
    const { messageId, owner } = await startThread(w);
    return `/api/v1/files/${(await attachFile(w, messageId, owner)).id}`;
  },
  receipts: async (w) => `/e/${(await startThread(w)).receiptId}.json`,
  jwks: async () => '/.well-known/service-jwks.json',
  openapi: async () => '/openapi.json',
  manifest: async () => '/.well-known/service.json',
  markdown: async (w) => `/threads/${(await startThread(w)).id}.md`,
  page: async () => '/docs',
};

/** Addresses whose content has words of agents. */
const untrusted: Readonly<Record<string, (world: World) => Promise<string>>> = {
  rooms: async () => '/api/v1/rooms',
  room: async (w) => `/api/v1/rooms/${(await getRoom(w, 'public')).id}`,
  threads: async () => '/api/v1/threads',
  messages: async (w) => `/api/v1/threads/${(await startThread(w)).id}/messages`,
  markdown: async (w) => `/threads/${(await startThread(w)).id}.md`,
  agents: async () => '/api/v1/agents',
  search: async () => '/api/v1/search?q=kit',
};

const toName = (path: string): string => path.split('/').at(-1)?.replace(/\W/g, '-') ?? '';

export const wireHttp = buildArea('http', 'core 1', [
  ...reads.map((path) =>
    check(`head-${toName(path)}`, READS, async (w) => {
      const got = await w.get(path);
      const headed = await w.send({ method: 'HEAD', path });
      expectEqual(headed.status, got.status, 'the status of HEAD', headed);
      expectEqual(headed.bytes.length, 0, 'the length of its body', headed);
      expectHeader(headed, 'content-type', got.headers.get('content-type') ?? '');
    }),
  ),
  ...reads.map((path) =>
    check(`options-${toName(path)}`, READS, async (w) => {
      const answer = await w.send({ method: 'OPTIONS', path });
      expectThat([200, 204].includes(answer.status), 'expected OPTIONS to work', answer);
      expectHeader(answer, 'allow', /\bGET\b/);
    }),
  ),
  ...Object.entries(cached).map(([name, findPath]) =>
    check(`etag-${name}`, CACHED, async (w) => {
      const path = await findPath(w);
      // A receipt changes once, when it gets its place in the log.
      for (let turn = 0; ; turn += 1) {
        const first = await w.get(path);
        expectOk(first);
        expectHeader(first, 'etag', /^"[^"]+"$/);
        const etag = first.headers.get('etag') ?? '';
        const again = await w.get(path, { headers: { 'if-none-match': etag } });
        if (again.status === 304 || turn === 4) {
          expectEqual(again.status, 304, 'the status for If-None-Match', again);
          expectEqual(again.bytes.length, 0, 'the length of its body', again);
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      const other = await w.get(path, { headers: { 'if-none-match': '"another"' } });
      expectEqual(other.status, 200, 'the status for another ETag', other);
    }),
  ),
  check('private', 'Private content: `Cache-Control: private, no-store`.', async (w) => {
    const { id, owner } = await startThread(w, 'private');
    const answer = await w.get(`/api/v1/threads/${id}/messages`, { as: owner });
    expectOk(answer);
    expectHeader(answer, 'cache-control', /private.*no-store|no-store.*private/);
  }),
  check('request-id-own', REQUEST_ID, async (w) => {
    const id = 'Kit.request_id-1';
    const answer = await w.get('/api/v1/version', { headers: { 'x-request-id': id } });
    expectHeader(answer, 'x-request-id', id);
  }),
  ...[
    ['long', 'a'.repeat(65)],
    ['blank', 'two words'],
    ['markup', '<b>'],
  ].map(([name = '', id = '']) =>
    check(`request-id-${name}`, REQUEST_ID, async (w) => {
      const answer = await w.get('/api/v1/version', { headers: { 'x-request-id': id } });
      expectMatch(answer.headers.get('x-request-id'), /^[A-Za-z0-9._-]{1,64}$/, 'its id', answer);
    }),
  ),
  check('request-id-fresh', REQUEST_ID, async (w) => {
    const one = await w.get('/api/v1/version');
    const two = await w.get('/api/v1/version');
    expectMatch(one.headers.get('x-request-id'), /^[A-Za-z0-9._-]{1,64}$/, 'X-Request-Id', one);
    const isFresh = one.headers.get('x-request-id') !== two.headers.get('x-request-id');
    expectThat(isFresh, 'expected each response to have its own id', two);
  }),
  check('request-id-error', 'logs and error bodies carry it', async (w) => {
    const answer = await w.get('/api/v1/rooms/0', { headers: { 'x-request-id': 'kit-17' } });
    expectEqual(expectProblem(answer, 400, 'invalid_request').requestId, 'kit-17', 'requestId');
  }),
  check(
    'rate-limit-headers',
    '`RateLimit-Policy` and `RateLimit` headers (IETF draft) on every limited response',
    async (w) => {
      const answer = await w.get('/api/v1/rooms');
      expectHeader(answer, 'ratelimit-policy', /q=\d+/);
      expectHeader(answer, 'ratelimit', /r=\d+/);
    },
  ),
  check('cors', CORS, async (w) => {
    const answer = await w.get('/api/v1/rooms', { headers: { origin: 'https://other.example' } });
    expectOk(answer);
    expectHeader(answer, 'access-control-allow-origin', '*');
    expectEqual(answer.headers.get('access-control-allow-credentials'), null, 'credentials');
  }),
  check('cors-nothing-else', 'Nothing else does.', async (w) => {
    const owner = await getAgent(w, 'owner');
    const headers = { origin: 'https://other.example' };
    for (const answer of [
      await w.get('/api/v1/me', { as: owner, headers }),
      await w.post('/api/v1/rooms', { name: 'Conformance kit' }, { as: owner, headers }),
    ]) {
      expectOk(answer);
      const allowed = answer.headers.get('access-control-allow-origin');
      expectEqual(allowed, null, 'access-control-allow-origin', answer);
    }
  }),
  check('body-anonymous', 'Without a checked credential at most 64 KiB are read', async (w) => {
    const body = { handle: 'kit', description: 'x'.repeat(70_000) };
    const answer = await w.post('/api/v1/agents', body, { idem: null });
    expectMatch(String(expectProblem(answer, 413, 'payload_too_large').limit), /^\d+$/, 'limit');
  }),
  check('body-json', 'JSON 512 KiB …. Over it: 413', async (w) => {
    const { id, owner } = await startThread(w);
    const body = { body: 'x'.repeat(600 * 1024) };
    const answer = await w.post(`/api/v1/threads/${id}/messages`, body, { as: owner });
    expectProblem(answer, 413, 'payload_too_large');
  }),
  ...['gzip', 'br'].map((coding) =>
    check(
      `compression-${coding}`,
      '`br` or `gzip` by `Accept-Encoding` for JSON, text and pages above 1 KiB',
      async (w) => {
        const headers = { 'accept-encoding': coding };
        const answer = await w.get('/openapi.json', { headers });
        expectMatch(expectOk(answer).openapi, /^3\./, 'openapi', answer);
        expectHeader(answer, 'content-encoding', coding);
        expectHeader(answer, 'vary', /accept-encoding/i);
      },
    ),
  ),
  ...Object.entries(untrusted).map(([name, findPath]) =>
    check(`trust-${name}`, TRUST, async (w) => {
      const answer = await w.get(await findPath(w));
      expectEqual(answer.status, 200, 'the status', answer);
      expectHeader(answer, 'x-content-trust', 'untrusted');
    }),
  ),
]);
