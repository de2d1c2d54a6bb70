import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, waitUntil } from '../../support/factories.ts';
import { findFreePort } from '../../support/service.ts';

const app = await startApp();
const f = factories(app);
const fixture = await createFixture(f);
const { owner, member, outsider, threads } = fixture;

const attach = async (
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  thread = threads.open,
) => f.attachFile(owner, (await f.postMessage(owner, thread, 'See the file')).id, { name, bytes });
const text = 'abcdefghijklmnopqrstuvwxyz';
const row = await attach('letters of the alphabet, “quoted”.txt', text);
const path = `/api/v1/files/${row.id}`;
const get = (headers: Record<string, string> = {}, method = 'GET', target = path) =>
  f.send(method, target, { headers });
const etag = `"${createHash('sha256').update(text).digest('hex')}"`;

describe('headers of downloadFile', () => {
  it('[file.headers] prevent anyone from taking the bytes for a page', async () => {
    const { headers } = await get();
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-disposition':
        'attachment; filename="letters of the alphabet, _quoted_.txt"; ' +
        `filename*=UTF-8''letters%20of%20the%20alphabet%2C%20%E2%80%9Cquoted%E2%80%9D.txt`,
      'content-security-policy': 'sandbox',
      'x-content-trust': 'untrusted',
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '26',
      'accept-ranges': 'bytes',
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
      etag,
    });
  });

  it('[file.headers] carry every name that is allowed', async () => {
    for (const name of [
      "'; filename=evil.exe",
      '%0d%0aSet-Cookie: a=b',
      'a;b=c,d',
      'é\u2028'.slice(0, 1),
      '\u200fabc',
      '😀',
    ]) {
      const { id } = await attach(name, 'x');
      const answer = await get({}, 'GET', `/api/v1/files/${id}`);
      expect({ status: answer.status, setCookie: answer.headers.get('set-cookie') }).toEqual({
        status: 200,
        setCookie: null,
      });
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename=("[^"]*"|\w+)(; filename\*=UTF-8''[\w.~%-]+)?$/,
      );
    }
  });

  it('[file.etag] name the version that a reader has', async () => {
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get({ 'if-none-match': tag });
      expect({
        status: answer.status,
        text: answer.text,
        etag: answer.headers.get('etag'),
      }).toEqual({ status: 304, text: '', etag });
      // The stored answer takes over the headers of this one.
      expect(answer.headers.get('content-security-policy')).toBe('sandbox');
    }
    expect(await get({ 'if-none-match': '"other"' })).toMatchObject({ status: 200, text });
    // The condition takes precedence over a range (RFC 9110, section 13.2.2).
    expect((await get({ 'if-none-match': etag, range: 'bytes=0-1' })).status).toBe(304);
  });

  it('[file.head] are the same for HEAD', async () => {
    const pickHeaders = ({ headers }: Awaited<ReturnType<typeof get>>) =>
      [...headers].filter(
        ([name]) => !['date', 'connection', 'keep-alive', 'x-request-id'].includes(name),
      );
    const head = await get({}, 'HEAD');
    const whole = await get();
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(pickHeaders(head)).toEqual(pickHeaders(whole));
    // Ranges apply to GET only.
    expect(await get({ range: 'bytes=0-1' }, 'HEAD')).toMatchObject({ status: 200 });
    const unchangedHead = await get({ 'if-none-match': etag }, 'HEAD');
    const unchanged = await get({ 'if-none-match': etag });
    expect(unchangedHead.status).toBe(304);
    expect(pickHeaders(unchangedHead)).toEqual(pickHeaders(unchanged));
  });
});

describe('downloadFile with a range', () => {
  it.for([
    ['bytes=0-0', 'a', 'bytes 0-0/26'],
    ['bytes=2-4', 'cde', 'bytes 2-4/26'],
    ['bytes=23-', 'xyz', 'bytes 23-25/26'],
    ['bytes=-2', 'yz', 'bytes 24-25/26'],
    ['bytes=20-100', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-100', text, 'bytes 0-25/26'],
  ] as const)('[file.range] returns %s', async ([range, part, place]) => {
    const answer = await get({ range });
    expect({
      status: answer.status,
      text: answer.text,
      contentRange: answer.headers.get('content-range'),
      contentLength: answer.headers.get('content-length'),
    }).toEqual({
      status: 206,
      text: part,
      contentRange: place,
      contentLength: String(part.length),
    });
    expect(answer.headers.get('etag')).toBe(etag);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
  });

  it.for(['bytes=26-', 'bytes=-0', 'bytes=100-200'])(
    '[file.range] answers 416 for %s',
    async (range) => {
      const answer = await get({ range });
      expect(answer).toMatchObject(buildProblem(416, 'range_not_satisfiable'));
      expect(answer.headers.get('content-range')).toBe('bytes */26');
      for (const name of ['etag', 'content-disposition', 'accept-ranges'])
        expect(answer.headers.get(name)).toBeNull();
    },
  );

  it.for([
    'bytes=',
    'bytes=x-y',
    'bytes=0-1,5-6',
    'bytes=1-2-3',
    'octets=0-1',
    '0-1',
    `bytes=${'0-0,'.repeat(500)}5-6`,
  ])('[file.range] returns everything for %s', async (range) => {
    expect(await get({ range })).toMatchObject({ status: 200, text });
  });

  it('[file.range] returns a part only of the same version', async () => {
    expect(await get({ range: 'bytes=0-1', 'if-range': etag })).toMatchObject({
      status: 206,
      text: 'ab',
    });
    expect(await get({ range: 'bytes=0-1', 'if-range': '"other"' })).toMatchObject({
      status: 200,
      text,
    });
    expect(await get({ range: 'bytes=100-', 'if-range': '"other"' })).toMatchObject({
      status: 200,
      text,
    });
  });

  it('[file.range] returns no part of an empty file', async () => {
    const { id } = await attach('empty', '');
    const answer = await get({ range: 'bytes=0-' }, 'GET', `/api/v1/files/${id}`);
    expect({
      status: answer.status,
      contentRange: answer.headers.get('content-range'),
    }).toEqual({ status: 416, contentRange: 'bytes */0' });
  });

  it('[file.range] returns parts that together make up a large file', async () => {
    const bytes = Uint8Array.from(randomBytes(1_000_000));
    const { url } = await attach('large', bytes);
    const parts: Buffer[] = [];
    for (let start = 0; start < bytes.length; start += 300_000)
      parts.push(
        Buffer.from(
          await (
            await fetch(url, { headers: { range: `bytes=${start}-${start + 299_999}` } })
          ).arrayBuffer(),
        ),
      );
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });
});

describe('access of downloadFile', () => {
  it('[file.access] is the access to the thread, checked at every read', async () => {
    const { id } = await attach('secret', 'Secret', threads.hidden);
    const getAs = (key?: string) => f.send('GET', `/api/v1/files/${id}`, { key });
    expect(await getAs(outsider.key)).toMatchObject(buildProblem(404, 'not_found'));
    await f.addMember(owner, fixture.privateRoom, outsider);
    const answer = await getAs(outsider.key);
    expect({
      status: answer.status,
      text: answer.text,
      cacheControl: answer.headers.get('cache-control'),
      accessControlAllowOrigin: answer.headers.get('access-control-allow-origin'),
    }).toEqual({
      status: 200,
      text: 'Secret',
      cacheControl: 'private, no-store',
      accessControlAllowOrigin: null,
    });
    await f.ok('DELETE', `/api/v1/rooms/${fixture.privateRoom}/members/${outsider.id}`, {
      key: owner.key,
    });
    expect(await getAs(outsider.key)).toMatchObject(buildProblem(404, 'not_found'));
    expect((await getAs(member.key)).status).toBe(200);
    // A caller who knows the tag learns no more than without it.
    expect(
      (await f.send('GET', `/api/v1/files/${id}`, { headers: { 'if-none-match': '*' } })).status,
    ).toBe(404);
  });

  it('[file.access] does not reveal private bytes that are also public', async () => {
    const shown = await attach('same', 'Same bytes');
    const hidden = await attach('same', 'Same bytes', threads.hidden);
    expect(shown.sha256).toBe(hidden.sha256);
    expect((await f.send('GET', `/api/v1/files/${shown.id}`)).text).toBe('Same bytes');
    expect(await f.send('GET', `/api/v1/files/${hidden.id}`)).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(
      (await f.send('GET', `/api/v1/files/${hidden.id}`, { key: member.key })).headers.get(
        'cache-control',
      ),
    ).toBe('private, no-store');
  });
});

describe('downloadFile with a failing store', () => {
  const storedPath = (sha256: string) =>
    join(app.dataDir, 'files', 'stored', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

  it('[file.store-down] answers 503 before it has sent anything', async () => {
    const far = await app.startNode({
      FILE_STORE: 's3://files',
      S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    });
    const there = factories(far);
    const answer = await there.send('GET', path);
    expect(answer).toMatchObject(buildProblem(503, 'unavailable'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const name of ['etag', 'content-disposition']) expect(answer.headers.get(name)).toBeNull();
    // Reads that need no bytes still succeed.
    expect((await there.send('HEAD', path)).status).toBe(200);
    expect((await there.send('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(
      304,
    );
  });

  it('[file.store-down] logs lost bytes and tells the reader nothing about them', async () => {
    const lost = await attach('lost', 'Lost bytes');
    rmSync(storedPath(lost.sha256));
    expect(await f.send('GET', `/api/v1/files/${lost.id}`)).toMatchObject(
      buildProblem(500, 'internal_error'),
    );
    await waitUntil('it is logged', () =>
      app.logs.some((line) => line.includes(`has lost ${lost.sha256}`)),
    );
  });

  it('[file.store-down] breaks off when bytes end too early, so no part looks whole', async () => {
    const cut = await attach('cut', Uint8Array.from(randomBytes(500_000)));
    writeFileSync(storedPath(cut.sha256), randomBytes(200_000));
    await expect((async () => (await fetch(cut.url)).arrayBuffer())()).rejects.toThrow();
  });

  it('[attack.38-3] (API10) sends no byte after the announced length', async () => {
    const grown = await attach('grown', 'The bytes.');
    writeFileSync(
      storedPath(grown.sha256),
      'The bytes.HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    );
    const { hostname, port, host } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /api/v1/files/${grown.id} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const answer = await readText(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
