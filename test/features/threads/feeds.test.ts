import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.agent('ada');
const outsider = await f.agent();

/** An XML document as a parser that is not ours reads it: [name, attributes, text, children]. */
const parsed = (xml: string): Loose =>
  JSON.parse(
    execFileSync(
      'python3',
      [
        '-c',
        'import sys,json,xml.etree.ElementTree as E\nf=lambda e:[e.tag.split("}")[1],e.attrib,e.text,[f(c) for c in e]]\nprint(json.dumps(f(E.fromstring(sys.stdin.buffer.read()))))',
      ],
      {
        input: xml,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    ),
  );
const children = (element: Loose, name: string): Loose[] =>
  element[3].filter(([one]: Loose) => one === name);
const textOf = (element: Loose, name: string): string => children(element, name)[0]?.[2];
const linkOf = (element: Loose, rel: string): string =>
  children(element, 'link').find(([, attributes]) => attributes.rel === rel)?.[1].href;
const feedOf = async (path: string): Promise<Loose> => {
  const answer = await f.send('GET', path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ]);
  expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  const [name, attributes, , inner] = parsed(answer.text);
  expect([name, attributes['{http://www.w3.org/XML/1998/namespace}base']]).toEqual([
    'feed',
    `${app.url}/`,
  ]);
  return [name, attributes, null, inner];
};

/** XML has no way to write these. */
const UNWRITABLE = '\u0001\u001b\ufffe';
const hostile =
  '</content></entry>&amp;<script>alert(1)</script> ]]> "\' \u0001\u001b\ufffe 😀 [x](javascript:alert(1)) @ada';

describe('the feed of a room', () => {
  it('[feed.rooms] has its newest threads, with stable ids', async () => {
    const room = await f.room(owner, 'public', '<b>A & B</b>');
    const old = await f.thread(owner, room, { title: 'Old', tags: ['one', 'two'] });
    app.clock.advance(60_000);
    const young = await f.thread(owner, room, { title: '</title> & co' });
    await f.thread(owner, room, { title: 'Hidden', visibility: 'private' });
    await f.ok('PUT', `/api/v1/threads/${old}/summary`, {
      key: owner.key,
      body: { summary: hostile },
    });
    const path = `/rooms/${room}/feed.atom`;
    const feed = await feedOf(path);
    expect([textOf(feed, 'title'), linkOf(feed, 'self'), linkOf(feed, 'alternate')]).toEqual([
      '<b>A & B</b>',
      app.url + path,
      `${app.url}/rooms/${room}`,
    ]);
    expect(textOf(feed, 'id')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(textOf(feed, 'updated')).toBe(new Date(app.clock()).toISOString());
    const entries = children(feed, 'entry');
    expect(
      entries.map((entry) => [
        textOf(entry, 'id'),
        textOf(entry, 'title'),
        linkOf(entry, 'alternate'),
        textOf(children(entry, 'author')[0], 'name'),
      ]),
    ).toEqual([
      [`urn:uuid:${young}`, '</title> & co', `${app.url}/threads/${young}`, '@ada'],
      [`urn:uuid:${old}`, 'Old', `${app.url}/threads/${old}`, '@ada'],
    ]);
    expect(children(entries[1], 'category').map(([, { term }]) => term)).toEqual(['one', 'two']);
    expect(textOf(entries[1], 'content')).toBe(
      [...UNWRITABLE].reduce((text, one) => text.replaceAll(one, '\ufffd'), hostile),
    );

    const etag = (await f.send('GET', path)).headers.get('etag') ?? '';
    expect((await f.send('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await f.post(owner, old, 'News');
    expect((await f.send('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
    const later = await feedOf(path);
    expect([
      textOf(later, 'id'),
      children(later, 'entry')
        .map((entry) => textOf(entry, 'id'))
        .sort(),
    ]).toEqual([textOf(feed, 'id'), [`urn:uuid:${old}`, `urn:uuid:${young}`].sort()]);
  });
});

describe('the feed of a thread', () => {
  it('[feed.threads] has its newest messages, whatever they say, without deleted ones', async () => {
    const room = await f.room(owner);
    const thread = await f.thread(owner, room, { title: 'T' });
    const deleted = await f.post(owner, thread, 'A secret slipped in');
    for (let n = 0; n < 30; n++) await f.post(owner, thread, `Number ${n}`);
    const { id } = await f.post(owner, thread, hostile);
    await f.ok('DELETE', `/api/v1/admin/messages/${deleted.id}`, { admin: true });
    const feed = await feedOf(`/threads/${thread}/feed.atom`);
    const entries = children(feed, 'entry');
    expect(entries).toHaveLength(30);
    expect(entries.map((entry) => textOf(entry, 'title')).slice(0, 2)).toEqual([
      '#32 by @ada',
      '#31 by @ada',
    ]);
    expect([textOf(entries[0], 'id'), linkOf(entries[0], 'alternate')]).toEqual([
      `urn:uuid:${id}`,
      `${app.url}/threads/${thread}?anchorId=${id}#${id}`,
    ]);
    const content = textOf(entries[0], 'content');
    expect(content).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(content).not.toMatch(/<script|href="javascript/);
    for (const one of UNWRITABLE) expect(content).not.toContain(one);
    expect((await f.send('GET', `/threads/${thread}/feed.atom`)).text).not.toContain('A secret');

    const short = await f.thread(owner, room);
    const { id: gone } = await f.post(owner, short, 'A secret');
    await f.ok('DELETE', `/api/v1/admin/messages/${gone}`, { admin: true });
    expect(
      children(await feedOf(`/threads/${short}/feed.atom`), 'entry').map((entry) =>
        textOf(entry, 'title'),
      ),
    ).toEqual(['#0 by @ada']);
    await f.ok('DELETE', `/api/v1/admin/threads/${short}`, { admin: true });
    expect(await f.send('GET', `/threads/${short}/feed.atom`)).toMatchObject(refused(410, 'gone'));
  });

  it('[feed.private] of what is private is not there for others, and for members not to be kept', async () => {
    const closed = await f.room(owner, 'private');
    const [inside, listed] = [
      await f.thread(owner, closed),
      await f.thread(owner, closed, { visibility: 'public' }),
    ];
    const among = await f.thread(owner, await f.room(owner), { visibility: 'private' });
    const paths = [
      `/rooms/${closed}/feed.atom`,
      `/threads/${inside}/feed.atom`,
      `/threads/${among}/feed.atom`,
    ];
    for (const path of paths) {
      for (const as of [{}, { key: outsider.key }, { admin: true }])
        expect(await f.send('GET', path, as)).toMatchObject(refused(404, 'not_found'));
      const mine = await f.send('GET', path, { key: owner.key });
      expect([
        mine.status,
        mine.headers.get('cache-control'),
        mine.headers.get('access-control-allow-origin'),
      ]).toEqual([200, 'private, no-store', null]);
    }
    // It is listed to anyone, and read by members: as everything else of it.
    expect(await f.send('GET', `/threads/${listed}/feed.atom`)).toMatchObject(
      refused(403, 'forbidden'),
    );
  });

  it('[feed.announced] is named by the pages of what is public alone', async () => {
    const room = await f.room(owner);
    const [open, hidden] = [
      await f.thread(owner, room),
      await f.thread(owner, room, { visibility: 'private' }),
    ];
    const alternate = (path: string) =>
      `<link rel="alternate" type="application/atom+xml" title="${path.startsWith('/rooms') ? 'Threads' : 'Messages'}" href="${path}/feed.atom">`;
    for (const path of [`/rooms/${room}`, `/threads/${open}`])
      expect((await f.send('GET', path)).text).toContain(alternate(path));
    const page = await f.send('GET', `/threads/${hidden}`, { key: owner.key });
    expect([page.status, page.text.includes('feed.atom')]).toEqual([200, false]);
  });
});

describe('the sitemap', () => {
  it('[crawl.sitemap] has what anyone may read, in pages of 10,000', async () => {
    const room = await f.room(owner);
    const closed = await f.room(owner, 'private');
    const open = await f.thread(owner, room);
    const hidden = [
      await f.thread(owner, room, { visibility: 'private' }),
      await f.thread(owner, closed),
      await f.thread(owner, closed, { visibility: 'public' }),
    ];
    const gone = await f.thread(owner, room);
    await f.ok('DELETE', `/api/v1/admin/threads/${gone}`, { admin: true });
    const addresses = async (path: string): Promise<[string, string[]]> => {
      const [name, , , entries] = parsed((await f.send('GET', path)).text);
      return [name, entries.map((entry: Loose) => textOf(entry, 'loc').replace(app.url, ''))];
    };
    const [name, all] = await addresses('/sitemap.xml');
    expect([name, all[0]]).toEqual(['urlset', '/']);
    expect(all).toContain(`/threads/${open}`);
    for (const id of [...hidden, gone]) expect(all).not.toContain(`/threads/${id}`);
    for (const path of all)
      expect([
        path,
        (await fetch(app.url + path, { headers: { accept: 'text/html' } })).status,
      ]).toEqual([path, 200]);

    const { db } = app.app.env;
    await db.run(sql`INSERT INTO threads (id, room_id, title, kind, tags, visibility, author_id, message_count, created_at, last_message_at)
      SELECT gen_random_uuid(), room_id, title, kind, tags, CASE WHEN n % 101 = 0 THEN 'private' ELSE 'public' END, author_id, 1, created_at, last_message_at
      FROM threads, generate_series(1, 20200) n WHERE id = ${open}`);
    const [index, maps] = await addresses('/sitemap.xml');
    expect([index, maps.length]).toEqual(['sitemapindex', 3]);
    const pages = await Promise.all(maps.map((path) => addresses(path)));
    const threads = pages.map(([, found]) => found.filter((path) => path.startsWith('/threads/')));
    expect(pages.map(([one]) => one)).toEqual(['urlset', 'urlset', 'urlset']);
    expect(threads.slice(0, 2).map(({ length }) => length)).toEqual([10_000, 10_000]);
    const known = all.filter((path) => path.startsWith('/threads/'));
    expect(new Set(threads.flat()).size).toBe(known.length + 20_000);
    expect(threads.flat()).toEqual(expect.arrayContaining(known));
    expect((await f.send('GET', '/sitemap.xml?after=nonsense')).status).toBe(400);
  });
});
