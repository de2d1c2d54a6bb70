import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, refused, until } from '../../support/factories.ts';
import { freePort } from '../../support/service.ts';
import { createWorld } from '../../operations/fixture.ts';

const app = await startApp();
const f = factories(app);
const world = await createWorld(f);
const { owner, member, outsider, threads } = world;

const attach = async (
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  thread = threads.open,
) => f.attach(owner, (await f.post(owner, thread, 'See the file')).id, { name, bytes });
const text = 'abcdefghijklmnopqrstuvwxyz';
const row = await attach('letters of the alphabet, “quoted”.txt', text);
const path = `/api/v1/files/${row.id}`;
const get = (headers: Record<string, string> = {}, method = 'GET', of = path) =>
  f.send(method, of, { headers });
const etag = `"${createHash('sha256').update(text).digest('hex')}"`;

describe('what stands around the bytes', () => {
  it('[file.headers] keeps anyone from taking them for a page', async () => {
    const { headers } = await get();
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="letters of the alphabet, _quoted_.txt"; filename*=UTF-8''letters%20of%20the%20alphabet%2C%20%E2%80%9Cquoted%E2%80%9D.txt`,
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

  it('[file.headers] survives every name that is allowed', async () => {
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
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[^"]*"(; filename\*=UTF-8''[\w.~%-]+)?$/,
      );
    }
  });

  it('[file.etag] names the version that a reader has', async () => {
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get({ 'if-none-match': tag });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
      // The answer that is kept takes over the headers of this one.
      expect(answer.headers.get('content-security-policy')).toBe('sandbox');
    }
    expect(await get({ 'if-none-match': '"other"' })).toMatchObject({ status: 200, text });
    // It wins over a range, as RFC 9110, 13.2.2 has it.
    expect((await get({ 'if-none-match': etag, range: 'bytes=0-1' })).status).toBe(304);
  });

  it('[file.head] is the same for HEAD', async () => {
    const shown = ({ headers }: Awaited<ReturnType<typeof get>>) =>
      [...headers].filter(
        ([name]) => !['date', 'connection', 'keep-alive', 'x-request-id'].includes(name),
      );
    const [head, whole] = [await get({}, 'HEAD'), await get()];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(shown(head)).toEqual(shown(whole));
    // A range is of GET only.
    expect(await get({ range: 'bytes=0-1' }, 'HEAD')).toMatchObject({ status: 200 });
    const [unchangedHead, unchanged] = [
      await get({ 'if-none-match': etag }, 'HEAD'),
      await get({ 'if-none-match': etag }),
    ];
    expect(unchangedHead.status).toBe(304);
    expect(shown(unchangedHead)).toEqual(shown(unchanged));
  });
});

describe('a part of the bytes', () => {
  it.for([
    ['bytes=0-0', 'a', 'bytes 0-0/26'],
    ['bytes=2-4', 'cde', 'bytes 2-4/26'],
    ['bytes=23-', 'xyz', 'bytes 23-25/26'],
    ['bytes=-2', 'yz', 'bytes 24-25/26'],
    ['bytes=20-100', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-100', text, 'bytes 0-25/26'],
  ] as const)('[file.range] %s', async ([range, part, place]) => {
    const answer = await get({ range });
    expect([
      answer.status,
      answer.text,
      answer.headers.get('content-range'),
      answer.headers.get('content-length'),
    ]).toEqual([206, part, place, String(part.length)]);
    expect(answer.headers.get('etag')).toBe(etag);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
  });

  it.for(['bytes=26-', 'bytes=-0', 'bytes=100-200'])(
    '[file.range] %s is not there',
    async (range) => {
      const answer = await get({ range });
      expect(answer).toMatchObject(refused(416, 'range_not_satisfiable'));
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
  ])('[file.range] %s is all of it', async (range) => {
    expect(await get({ range })).toMatchObject({ status: 200, text });
  });

  it('[file.range] only of the same version', async () => {
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

  it('[file.range] none of nothing', async () => {
    const { id } = await attach('empty', '');
    const answer = await get({ range: 'bytes=0-' }, 'GET', `/api/v1/files/${id}`);
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */0']);
  });

  it('[file.range] a large file is whole when its parts are put together', async () => {
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

describe('access', () => {
  it('[file.access] is that of the thread, at every read', async () => {
    const { id } = await attach('secret', 'Secret', threads.hidden);
    const as = (key?: string) => f.send('GET', `/api/v1/files/${id}`, { key });
    expect(await as(outsider.key)).toMatchObject(refused(404, 'not_found'));
    await f.invite(owner, world.privateRoom, outsider);
    const answer = await as(outsider.key);
    expect([
      answer.status,
      answer.text,
      answer.headers.get('cache-control'),
      answer.headers.get('access-control-allow-origin'),
    ]).toEqual([200, 'Secret', 'private, no-store', null]);
    await f.ok('DELETE', `/api/v1/rooms/${world.privateRoom}/members/${outsider.id}`, {
      key: owner.key,
    });
    expect(await as(outsider.key)).toMatchObject(refused(404, 'not_found'));
    expect((await as(member.key)).status).toBe(200);
    // Whoever knows the tag learns no more than without it.
    expect(
      (await f.send('GET', `/api/v1/files/${id}`, { headers: { 'if-none-match': '*' } })).status,
    ).toBe(404);
  });

  it('[file.access] does not leak what is private by the same bytes in public', async () => {
    const [shown, hidden] = [
      await attach('same', 'Same bytes'),
      await attach('same', 'Same bytes', threads.hidden),
    ];
    expect(shown.sha256).toBe(hidden.sha256);
    expect((await f.send('GET', `/api/v1/files/${shown.id}`)).text).toBe('Same bytes');
    expect(await f.send('GET', `/api/v1/files/${hidden.id}`)).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(
      (await f.send('GET', `/api/v1/files/${hidden.id}`, { key: member.key })).headers.get(
        'cache-control',
      ),
    ).toBe('private, no-store');
  });
});

describe('a store that fails', () => {
  const stored = (sha256: string) =>
    join(app.dataDir, 'files', 'stored', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

  it('[file.store-down] is told from a file that is not there, before anything of it was sent', async () => {
    const far = await app.another({
      FILE_STORE: 's3://files',
      S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    });
    const there = factories(far);
    const answer = await there.send('GET', path);
    expect(answer).toMatchObject(refused(503, 'unavailable'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const name of ['etag', 'content-disposition']) expect(answer.headers.get(name)).toBeNull();
    // What needs no bytes is answered.
    expect((await there.send('HEAD', path)).status).toBe(200);
    expect((await there.send('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(
      304,
    );
  });

  it('[file.store-down] that lost bytes says so in the log, and nothing of it to the reader', async () => {
    const lost = await attach('lost', 'Lost bytes');
    rmSync(stored(lost.sha256));
    expect(await f.send('GET', `/api/v1/files/${lost.id}`)).toMatchObject(
      refused(500, 'internal_error'),
    );
    await until('it is logged', () =>
      app.logs.some((line) => line.includes(`has lost ${lost.sha256}`)),
    );
  });

  it('[file.store-down] whose bytes end too early breaks off: a part never looks like the whole', async () => {
    const cut = await attach('cut', Uint8Array.from(randomBytes(500_000)));
    writeFileSync(stored(cut.sha256), randomBytes(200_000));
    await expect((async () => (await fetch(cut.url)).arrayBuffer())()).rejects.toThrow();
  });
});
