import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';

const app = await startApp();
const f = factories(app);
const agent = await f.createAgent();
const room = await f.createRoom(agent);
const thread = await f.createThread(agent, room, { body: 'The same words. '.repeat(200) });

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends a request as it is written here. `fetch` would decompress the answer. */
const send = (
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const call = request(`${app.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });

const decode: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

const large = [
  '/openapi.json',
  '/docs/quickstart.md',
  '/llms.txt',
  `/api/v1/threads/${thread}/messages`,
  `/threads/${thread}`,
  `/threads/${thread}.md`,
  '/',
];

describe('an answer above 1 KiB', () => {
  const isStreamed = (path: string) => path === `/threads/${thread}.md`;
  const encodings = (path: string) => (isStreamed(path) ? ['gzip'] : ['br', 'gzip']);
  it.for(large.flatMap((path) => encodings(path).map((encoding) => ({ path, encoding }))))(
    '[wire.compression] $path as $encoding has the same text in fewer bytes',
    async ({ path, encoding }) => {
      const plain = await send(path);
      const small = await send(path, { 'accept-encoding': encoding });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(small.headers['content-encoding']).toBe(encoding);
      expect(small.bytes.length).toBeLessThan(plain.bytes.length);
      const text = decode[encoding]?.(small.bytes).toString() ?? '';
      // A page says when it was made.
      expect(text.length).toBe(plain.bytes.toString().length);
      for (const { headers } of [plain, small])
        expect(String(headers.vary).toLowerCase()).toContain('accept-encoding');
    },
  );

  it('[wire.compression] goes out as it is where many are compressed at once', async () => {
    const path = `/api/v1/threads/${thread}/messages`;
    const plain = (await send(path)).bytes.toString();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => send(path, { 'accept-encoding': 'gzip' })),
    );
    for (const { headers, bytes } of answers)
      expect((headers['content-encoding'] ? gunzipSync(bytes) : bytes).toString()).toBe(plain);
  });

  it('[wire.compression] prefers Brotli, and obeys what the reader excludes', async () => {
    const choose = async (accept: string) =>
      (await send('/openapi.json', { 'accept-encoding': accept })).headers['content-encoding'];
    expect(await choose('gzip, deflate, br')).toBe('br');
    expect(await choose('gzip, deflate')).toBe('gzip');
    expect(await choose('br;q=0, gzip')).toBe('gzip');
    expect(await choose('zstd')).toBeUndefined();
    expect(await choose('identity')).toBeUndefined();
  });

  it('[wire.compression] [wire.etag] has a tag of its own, which answers 304', async () => {
    const tags = new Set<string>();
    for (const accept of ['identity', 'br', 'gzip']) {
      const { headers } = await send('/openapi.json', { 'accept-encoding': accept });
      const etag = String(headers.etag);
      expect(etag).toMatch(/^"[^"]+"$/);
      tags.add(etag);
      const again = await send('/openapi.json', {
        'accept-encoding': accept,
        'if-none-match': etag,
      });
      expect({ ...again, etag: again.headers.etag }).toMatchObject({ status: 304, etag });
    }
    expect(tags.size).toBe(3);
  });

  it('[wire.compression] [wire.head-options] has the same headers for HEAD', async () => {
    for (const path of ['/openapi.json', '/docs/quickstart.md']) {
      const accept = { 'accept-encoding': 'br' };
      const read = await send(path, accept);
      const head = await send(path, accept, { method: 'HEAD' });
      for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
        expect(head.headers[name]).toBe(read.headers[name]);
      expect(head.bytes).toHaveLength(0);
    }
  });
});

describe('what is never compressed', () => {
  const accept = { 'accept-encoding': 'br, gzip', 'content-type': 'application/json' };

  it('[wire.compression] is small, or a stream, or the bytes of a file', async () => {
    const message = (await f.postMessage(agent, thread, 'With a file')).id;
    const file = await f.attachFile(agent, message, { name: 'a.txt', bytes: 'a'.repeat(5000) });
    const path = String(file.url).replace(app.url, '');
    const download = await send(path, accept);
    expect({ ...download, length: download.bytes.length }).toMatchObject({
      status: 200,
      length: 5000,
    });
    const exported = await send(`/api/v1/rooms/${room}/export`, {
      ...accept,
      'x-api-key': agent.key,
    });
    const small = await send('/api/v1/version', accept);
    for (const { status, headers } of [download, exported, small])
      expect({ status, encoding: headers['content-encoding'] }).toEqual({ status: 200 });
  });

  it('[wire.compression] holds a secret', async () => {
    const body = JSON.stringify({ handle: 'compressed', description: 'x'.repeat(1990) });
    const registered = await send('/api/v1/agents', accept, { method: 'POST', body });
    expect(registered).toMatchObject({ status: 200 });
    expect(registered.bytes.length).toBeGreaterThan(1024);
    expect(registered.headers['content-encoding']).toBeUndefined();
    const called = await send(
      '/mcp',
      { ...accept, accept: 'application/json, text/event-stream' },
      {
        method: 'POST',
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'register_agent',
            arguments: { handle: 'compressed-too', description: 'x'.repeat(1990) },
          },
        }),
      },
    );
    expect(called.bytes.toString()).toContain('stoa_');
    expect(called.headers['content-encoding']).toBeUndefined();
    const listed = await send(
      '/mcp',
      { ...accept, accept: 'application/json, text/event-stream' },
      { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
    );
    expect(listed.headers['content-encoding']).toBe('br');
  });
});

it('[attack.11-4] (API4) texts of others are compressed quickly, and ours thoroughly', async () => {
  const random = Array.from({ length: 20_000 }, () => (Math.random() < 0.5 ? 'a' : 'b')).join('');
  const of = await f.createThread(agent, room, { body: random });
  const levels = async (path: string) => {
    const { bytes } = await send(path, { 'accept-encoding': 'gzip' });
    const text = gunzipSync(bytes);
    return [4, 9].filter((level) => gzipSync(text, { level }).equals(bytes));
  };
  expect(await levels(`/threads/${of}`)).toEqual([4]);
  expect(await levels('/docs/quickstart.md')).toEqual([9]);
});
