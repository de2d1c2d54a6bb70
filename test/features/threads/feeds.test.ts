import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent('ada');
const outsider = await f.createAgent();

/** Reads an XML document with an independent parser: [name, attributes, text, children]. */
const parseXml = (xml: string): Json =>
  JSON.parse(
    execFileSync(
      'python3',
      [
        '-c',
        'import sys,json,xml.etree.ElementTree as E\nf=lambda ' +
          'e:[e.tag.split("}")[1],e.attrib,e.text,[f(c) for c in ' +
          'e]]\nprint(json.dumps(f(E.fromstring(sys.stdin.buffer.read()))))',
      ],
      {
        input: xml,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    ),
  );
const listChildren = (element: Json, name: string): Json[] =>
  element[3].filter(([one]: Json) => one === name);
const getText = (element: Json, name: string): string => listChildren(element, name)[0]?.[2];
const getLink = (element: Json, rel: string): string =>
  listChildren(element, 'link').find(([, attributes]) => attributes.rel === rel)?.[1].href;
const getFeed = async (path: string): Promise<Json> => {
  const answer = await f.send('GET', path);
  expect({
    status: answer.status,
    contentType: answer.headers.get('content-type'),
  }).toEqual({ status: 200, contentType: 'application/atom+xml; charset=utf-8' });
  expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  const [name, attributes, , inner] = parseXml(answer.text);
  expect({
    name,
    base: attributes['{http://www.w3.org/XML/1998/namespace}base'],
  }).toEqual({ name: 'feed', base: `${app.url}/` });
  return [name, attributes, null, inner];
};

/** XML has no way to write these characters. */
const UNWRITABLE = '\u0001\u001b\ufffe';
const hostile =
  '</content></entry>&amp;<script>alert(1)</script> ]]> "\' \u0001\u001b\ufffe 😀 ' +
  '[x](javascript:alert(1)) @ada';

describe('getRoomFeed', () => {
  it('[feed.rooms] has the newest threads, with stable ids', async () => {
    const room = await f.createRoom(owner, 'public', '<b>A & B</b>');
    const old = await f.createThread(owner, room, { title: 'Old', tags: ['one', 'two'] });
    app.clock.advance(60_000);
    const young = await f.createThread(owner, room, { title: '</title> & co' });
    await f.createThread(owner, room, { title: 'Hidden', visibility: 'private' });
    await f.ok('PUT', `/api/v1/threads/${old}/summary`, {
      key: owner.key,
      body: { summary: hostile },
    });
    const path = `/rooms/${room}/feed.atom`;
    const feed = await getFeed(path);
    expect({
      title: getText(feed, 'title'),
      self: getLink(feed, 'self'),
      alternate: getLink(feed, 'alternate'),
    }).toEqual({
      title: '<b>A & B</b>',
      self: app.url + path,
      alternate: `${app.url}/rooms/${room}`,
    });
    expect(getText(feed, 'id')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(getText(feed, 'updated')).toBe(new Date(app.clock()).toISOString());
    const entries = listChildren(feed, 'entry');
    expect(
      entries.map((entry) => [
        getText(entry, 'id'),
        getText(entry, 'title'),
        getLink(entry, 'alternate'),
        getText(listChildren(entry, 'author')[0], 'name'),
      ]),
    ).toEqual([
      [`urn:uuid:${young}`, '</title> & co', `${app.url}/threads/${young}`, '@ada'],
      [`urn:uuid:${old}`, 'Old', `${app.url}/threads/${old}`, '@ada'],
    ]);
    expect(listChildren(entries[1], 'category').map(([, { term }]) => term)).toEqual([
      'one',
      'two',
    ]);
    expect(getText(entries[1], 'content')).toBe(
      [...UNWRITABLE].reduce((text, one) => text.replaceAll(one, '\ufffd'), hostile),
    );

    const etag = (await f.send('GET', path)).headers.get('etag') ?? '';
    expect((await f.send('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await f.postMessage(owner, old, 'News');
    expect((await f.send('GET', path, { headers: { 'if-none-match': etag } })).status).toBe(200);
    const later = await getFeed(path);
    expect({
      feedId: getText(later, 'id'),
      entryIds: listChildren(later, 'entry')
        .map((entry) => getText(entry, 'id'))
        .sort(),
    }).toEqual({
      feedId: getText(feed, 'id'),
      entryIds: [`urn:uuid:${old}`, `urn:uuid:${young}`].sort(),
    });
  });
});

describe('getThreadFeed', () => {
  it('[feed.threads] has the newest messages, whatever they say, but no deleted ones', async () => {
    const room = await f.createRoom(owner);
    const thread = await f.createThread(owner, room, { title: 'T' });
    const deleted = await f.postMessage(owner, thread, 'A secret slipped in');
    for (let n = 0; n < 30; n++) await f.postMessage(owner, thread, `Number ${n}`);
    const { id } = await f.postMessage(owner, thread, hostile);
    await f.ok('DELETE', `/api/v1/admin/messages/${deleted.id}`, { admin: true });
    const feed = await getFeed(`/threads/${thread}/feed.atom`);
    const entries = listChildren(feed, 'entry');
    expect(entries).toHaveLength(30);
    expect(entries.map((entry) => getText(entry, 'title')).slice(0, 2)).toEqual([
      '#32 by @ada',
      '#31 by @ada',
    ]);
    expect({
      id: getText(entries[0], 'id'),
      alternate: getLink(entries[0], 'alternate'),
    }).toEqual({
      id: `urn:uuid:${id}`,
      alternate: `${app.url}/threads/${thread}?anchorId=${id}#${id}`,
    });
    const content = getText(entries[0], 'content');
    expect(content).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(content).not.toMatch(/<script|href="javascript/);
    for (const one of UNWRITABLE) expect(content).not.toContain(one);
    expect((await f.send('GET', `/threads/${thread}/feed.atom`)).text).not.toContain('A secret');

    const short = await f.createThread(owner, room);
    const { id: gone } = await f.postMessage(owner, short, 'A secret');
    await f.ok('DELETE', `/api/v1/admin/messages/${gone}`, { admin: true });
    expect(
      listChildren(await getFeed(`/threads/${short}/feed.atom`), 'entry').map((entry) =>
        getText(entry, 'title'),
      ),
    ).toEqual(['#0 by @ada']);
    await f.ok('DELETE', `/api/v1/admin/threads/${short}`, { admin: true });
    expect(await f.send('GET', `/threads/${short}/feed.atom`)).toMatchObject(
      buildProblem(410, 'gone'),
    );
  });

  it('[feed.private] is hidden for private threads, and uncacheable for members', async () => {
    const closed = await f.createRoom(owner, 'private');
    const inside = await f.createThread(owner, closed);
    const listed = await f.createThread(owner, closed, { visibility: 'public' });
    const among = await f.createThread(owner, await f.createRoom(owner), { visibility: 'private' });
    const paths = [
      `/rooms/${closed}/feed.atom`,
      `/threads/${inside}/feed.atom`,
      `/threads/${among}/feed.atom`,
    ];
    for (const path of paths) {
      for (const as of [{}, { key: outsider.key }, { admin: true }])
        expect(await f.send('GET', path, as)).toMatchObject(buildProblem(404, 'not_found'));
      const mine = await f.send('GET', path, { key: owner.key });
      expect({
        status: mine.status,
        cacheControl: mine.headers.get('cache-control'),
        accessControlAllowOrigin: mine.headers.get('access-control-allow-origin'),
      }).toEqual({
        status: 200,
        cacheControl: 'private, no-store',
        accessControlAllowOrigin: null,
      });
    }
    // Anyone sees it listed and members read it, like everything else of the thread.
    expect(await f.send('GET', `/threads/${listed}/feed.atom`)).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
  });

  it('[feed.announced] is linked only by pages of public threads', async () => {
    const room = await f.createRoom(owner);
    const open = await f.createThread(owner, room);
    const hidden = await f.createThread(owner, room, { visibility: 'private' });
    const buildAlternateLink = (path: string) =>
      '<link rel="alternate" type="application/atom+xml" ' +
      `title="${path.startsWith('/rooms') ? 'Threads' : 'Messages'}" ` +
      `href="${path}/feed.atom">`;
    for (const path of [`/rooms/${room}`, `/threads/${open}`])
      expect((await f.send('GET', path)).text.replace(/\s+/g, ' ')).toContain(
        buildAlternateLink(path),
      );
    const page = await f.send('GET', `/threads/${hidden}`, { key: owner.key });
    expect({ status: page.status, hasFeed: page.text.includes('feed.atom') }).toEqual({
      status: 200,
      hasFeed: false,
    });
  });
});

describe('getSitemap', () => {
  it('[crawl.sitemap] has what anyone may read, in pages of 1,000', async () => {
    const room = await f.createRoom(owner);
    const closed = await f.createRoom(owner, 'private');
    const open = await f.createThread(owner, room);
    const hidden = [
      await f.createThread(owner, room, { visibility: 'private' }),
      await f.createThread(owner, closed),
      await f.createThread(owner, closed, { visibility: 'public' }),
    ];
    const gone = await f.createThread(owner, room);
    await f.ok('DELETE', `/api/v1/admin/threads/${gone}`, { admin: true });
    const listAddresses = async (path: string): Promise<[string, string[]]> => {
      const [name, , , entries] = parseXml((await f.send('GET', path)).text);
      return [name, entries.map((entry: Json) => getText(entry, 'loc').replace(app.url, ''))];
    };
    const [name, all] = await listAddresses('/sitemap.xml');
    expect({ name, first: all[0] }).toEqual({ name: 'urlset', first: '/' });
    expect(all).toContain(`/threads/${open}`);
    for (const id of [...hidden, gone]) expect(all).not.toContain(`/threads/${id}`);
    for (const path of all)
      expect({
        path,
        status: (await fetch(app.url + path, { headers: { accept: 'text/html' } })).status,
      }).toEqual({ path, status: 200 });

    const { db } = app.app.env;
    await db.run(sql`
      INSERT INTO threads (
        id, room_id, title, kind, tags, visibility, author_id, message_count, created_at,
        last_message_at
      )
      SELECT gen_random_uuid(), room_id, title, kind, tags,
        CASE WHEN n % 101 = 0 THEN 'private' ELSE 'public' END, author_id, 1, created_at,
        last_message_at
      FROM threads, generate_series(1, 2020) n
      WHERE id = ${open}
    `);
    // What was rendered before is shown for ten minutes.
    expect((await listAddresses('/sitemap.xml'))[1]).toEqual(all);
    app.clock.advance(600_000);
    const [index, maps] = await listAddresses('/sitemap.xml');
    expect({ index, length: maps.length }).toEqual({ index: 'sitemapindex', length: 3 });
    const pages: [string, string[]][] = [];
    for (const path of maps) pages.push(await listAddresses(path));
    const threads = pages.map(([, found]) => found.filter((path) => path.startsWith('/threads/')));
    expect(pages.map(([one]) => one)).toEqual(['urlset', 'urlset', 'urlset']);
    // Deleted threads of this file count where a page ends, and are not in it.
    expect(threads[0]?.length).toBeOneOf([998, 999]);
    expect(threads[1]?.length).toBe(1000);
    const known = all.filter((path) => path.startsWith('/threads/'));
    expect(new Set(threads.flat()).size).toBe(known.length + 2000);
    expect(threads.flat()).toEqual(expect.arrayContaining(known));
    expect((await f.send('GET', '/sitemap.xml?after=nonsense')).status).toBe(400);
  });
});
