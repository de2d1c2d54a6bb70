import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { type Answer, factories, type Json } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

const app = await startApp();
const f = factories(app);
const { owner, member, threads, publicRoom } = await createFixture(f);
const accept = 'text/html';
const getPage = (path: string, key?: string) =>
  f.send('GET', path, { headers: { accept }, ...(key !== undefined && { key }) });

/** Reads the contents of the meta elements of a page, by their names. */
const readMeta = (text: string): Json =>
  Object.fromEntries(
    [...text.matchAll(/<meta\s+(?:property|name)="([^"]+)"\s+content="([^"]*)">/g)].map(
      ([, name, value]) => [name, value],
    ),
  );

const hostile = `</script><script>alert(1)</script>"><img src=x onerror=alert(1)><!--`;

describe('the head of a public page', () => {
  it('[pages.open-graph] has what previews show, and keeps texts of others inert', async () => {
    const id = await f.createThread(owner, publicRoom, { title: `A "title" ${hostile}` });
    const { text } = await getPage(`/threads/${id}`);
    expect(readMeta(text)).toMatchObject({
      'og:site_name': 'Stoa',
      'og:type': 'article',
      'og:title': expect.stringMatching(/^A &quot;title&quot; &lt;\/script&gt;/),
      'og:image': `${app.url}/card.png`,
      'twitter:card': 'summary_large_image',
    });
    expect(text).toContain(`<meta property="og:url"\ncontent="${app.url}/threads/${id}">`);
    expect(text).not.toContain('<img');
    expect(readMeta((await getPage('/')).text)).toMatchObject({ 'og:type': 'website' });
  });

  it('[pages.open-graph] [pages.discussion-data] says nothing of a private page', async () => {
    const { text, status } = await getPage(`/threads/${threads.hidden}`, member.key);
    expect(status).toBe(200);
    expect(text).not.toMatch(/og:|twitter:|ld\+json|rel="canonical"/);
  });

  it('[pages.icon-linked] [pages.opensearch] links icon and search', async () => {
    for (const path of ['/', '/rooms', '/nothing-here']) {
      const { text } = await getPage(path);
      expect(text).toContain('<link rel="icon" href="/favicon.ico" type="image/svg+xml">');
      expect(text).toContain('type="application/opensearchdescription+xml" href="/opensearch.xml"');
      for (const scheme of ['light', 'dark'])
        expect(text).toMatch(
          new RegExp(
            `name="theme-color" content="#\\w{6}" media="\\(prefers-color-scheme: ${scheme}`,
          ),
        );
    }
    const { text, headers } = await f.send('GET', '/opensearch.xml');
    expect(headers.get('content-type')).toContain('application/opensearchdescription+xml');
    expect(text).toContain('<ShortName>Stoa</ShortName>');
    const [, template = ''] = /type="text\/html"[^>]*template="([^"]+)"/.exec(text) ?? [];
    const found = await getPage(template.replace(app.url, '').replace('{searchTerms}', 'first'));
    expect(found.status).toBe(200);
  });
});

describe('a public thread as data', () => {
  /** Members that Google requires of a DiscussionForumPosting and of its comments. */
  const assertRequiredMembers = (one: Json) => {
    expect(one.author).toMatchObject({ name: expect.stringMatching(/./) });
    expect(one.datePublished).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(one.text).toMatch(/./);
  };

  it('[pages.discussion-data] has all required members, and nothing ends it', async () => {
    const id = await f.createThread(owner, publicRoom, { title: hostile, body: hostile });
    const { id: gone } = await f.postMessage(owner, id, 'Unwanted zeppelin.');
    await f.postMessage(member, id, `An answer. ${hostile}`);
    await f.ok('DELETE', `/api/v1/admin/messages/${gone}`, { admin: true });
    const { text } = await getPage(`/threads/${id}`);
    const blocks = [...text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
    expect(blocks.map(([, attributes]) => attributes)).toEqual([' type="application/ld+json"']);
    const data = JSON.parse(blocks[0]?.[2] ?? '') as Json;
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'DiscussionForumPosting',
      url: `${app.url}/threads/${id}`,
      interactionStatistic: { userInteractionCount: 2 },
      text: hostile,
    });
    assertRequiredMembers(data);
    expect(data.comment).toHaveLength(1);
    for (const comment of data.comment) assertRequiredMembers(comment);
    expect(JSON.stringify(data)).not.toContain('zeppelin');
  });
});

it('[pages.found] the page of a search marks words and shows no sign of Markdown', async () => {
  const body = 'We take the **numbat**, see `numbat.ts`.';
  const id = await f.createThread(owner, publicRoom, { title: 'About the numbat', body });
  const { text } = await getPage('/search?q=numbat');
  expect(text).toContain(
    `href="/threads/${id}"><bdi>About the <mark>numbat</mark></bdi></a>\n` +
      '<span class="tag">thread</span>\n' +
      '<p dir="auto">We take the numbat, see numbat.ts.</p>\n<p class="meta">',
  );
  expect(text).toContain('We take the <mark>numbat</mark>, see <mark>numbat</mark>.ts.</p>');
});

it('[pages.search-count] [pages.search-narrow] counts, narrows and shows threads', async () => {
  const tags = ['quoll', 'release-4'];
  const body = '**First** words.\n\n| a | b |\n|---|---|\n| quoll | 2 |';
  const id = await f.createThread(owner, publicRoom, { title: 'A thread', body, tags });
  const other = await f.createRoom(member);
  const there = await f.createThread(member, other, { title: 'Another', body: 'A quoll.' });
  for (let count = 0; count < 26; count++) await f.postMessage(member, there, 'A quoll.');
  const { text } = await getPage('/search?q=quoll');
  expect(text).toContain('29 results, of which these are 1 to 25');
  const link = (q: string) => `href="/search?${new URLSearchParams({ q })}"`;
  const filters = [`in:${other}`, `in:${publicRoom}`, `from:${member.handle}`];
  for (const filter of filters.slice(0, 1)) expect(text).toContain(link(`quoll ${filter}`));
  const thread = (await getPage('/search?q=quoll+type:thread')).text;
  expect(thread).toContain('<p dir="auto">First words.</p>');
  for (const tag of tags) expect(thread).toContain(`<span class="tag">${tag}</span>`);
  expect(thread).not.toContain('<p dir="auto">\nquoll release-4');
  const narrow = (await getPage(`/search?q=quoll+in:${publicRoom}`)).text;
  expect(narrow).toContain('>2 results</p>');
  expect(narrow).toContain(`${link('quoll')}>take off</a>`);
  expect(narrow).not.toContain('| quoll');
  expect(narrow).toContain(`href="/threads/${id}`);
});

it('[pages.neighbors] pages of a thread have titles, addresses and neighbors', async () => {
  const id = await f.createThread(owner, publicRoom, { title: 'Long' });
  for (let count = 1; count < 150; count++) await f.postMessage(owner, id, `Number ${count}.`);
  const path = `/threads/${id}`;
  const first = (await getPage(path)).text;
  expect(first).toContain('<title>Long · Stoa</title>');
  expect(first).not.toContain('<link rel="prev"');
  const [, second = ''] = /<link rel="next" href="([^"]+)">/.exec(first) ?? [];
  const next = (await getPage(second)).text;
  expect(next).toContain('<title>Long, page 2 · Stoa</title>');
  expect(next).toContain(`<link rel="prev" href="${path}">`);
  expect(next).toContain(`<link rel="canonical" href="${app.url}${second}">`);
  expect((await getPage(`${path}?offset=33`)).text).toContain('<title>Long, from #33 · Stoa');
});

it('[pages.not-found] offers people a search, and programs the interface', async () => {
  const { text, status } = await getPage('/nothing-here');
  expect(status).toBe(404);
  expect(text).toContain('action="/search"');
  expect(text).not.toContain('openapi.json');
  expect((await f.send('GET', '/nothing-here')).text).toContain('/openapi.json');
});

it('[pages.footer] links nothing that is switched off', async () => {
  const { text } = await getPage('/');
  const [, footer = ''] = /<footer([\s\S]*)<\/footer>/.exec(text) ?? [];
  const paths = [...footer.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path);
  expect(paths).toContain('/rules');
  for (const path of paths) expect((await getPage(path)).text).not.toContain('has it switched off');
});

describe('the picture of previews', () => {
  it('[pages.card] is a PNG of the size that the page says', async () => {
    const answer = await fetch(`${app.url}/card.png`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    const at = bytes.indexOf('IDAT');
    const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
    expect(rows).toHaveLength(630 * 151);
    expect(rows.some((byte) => byte === 0xff)).toBe(true);
  });
});

describe('a watched thread', () => {
  const readRefresh = ({ headers }: Answer) =>
    /^20; url=([^#]+)#newest$/.exec(headers.get('refresh') ?? '')?.[1];

  it('[pages.watch] shows the newest, comes again, and marks what is new', async () => {
    const id = await f.createThread(owner, publicRoom, { title: 'Watched' });
    for (let count = 1; count < 120; count++) await f.postMessage(owner, id, `Number ${count}.`);
    const path = `/threads/${id}`;
    expect((await getPage(path)).text).toContain(`href="${path}?watch=1#newest"`);
    const first = await getPage(`${path}?watch=1`);
    expect(first.text).toContain('Number 119.');
    expect(first.text).not.toContain('New since the last look');
    expect(first.text).toContain(`<a href="${path}">Stop watching</a>`);
    const again = readRefresh(first) ?? '';
    expect(again).toBe(`${path}?watch=1&seen=120`);
    const { id: posted } = await f.postMessage(member, id, 'Here is news.');
    const next = await getPage(again);
    expect(next.text).toContain('<title>(1) Watched');
    expect(next.text).toMatch(
      new RegExp(`New since the last look[^#]*<article[^>]*><header id="${posted}`),
    );
    expect(next.text.match(/New since the last look/g)).toHaveLength(1);
    expect(readRefresh(next)).toBe(`${path}?watch=1&seen=121`);
    const usual = await getPage(path);
    expect([usual.headers.get('refresh'), usual.headers.get('set-cookie')]).toEqual([null, null]);
  });

  it('[pages.watch] marks what is new to a browser that comes back another day', async () => {
    const id = await f.createThread(owner, publicRoom, { title: 'Seen before' });
    const path = `/threads/${id}?watch=1`;
    const look = (cookie: string) => f.send('GET', path, { headers: { accept, cookie } });
    const first = await getPage(path);
    const given = first.headers.get('set-cookie') ?? '';
    expect(given).toMatch(
      new RegExp(`^stoa_seen=1; Max-Age=7776000; Path=/threads/${id}; HttpOnly; SameSite=Lax$`),
    );
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    const [cookie = ''] = given.split(';');
    const same = await look(cookie);
    expect(same.headers.get('set-cookie')).toBeNull();
    expect(same.headers.get('cache-control')).toBe('public, no-cache');
    expect(same.headers.get('vary')).toContain('Cookie');
    expect(same.text).toContain('Nothing new');
    await f.postMessage(member, id, 'While nobody looked.');
    const back = await look(cookie);
    expect(back.text).toMatch(/New since the last look[\s\S]*While nobody looked/);
    expect(back.headers.get('set-cookie')).toContain('stoa_seen=2;');
    for (const wrong of ['stoa_seen=-1', 'stoa_seen=9e9', 'stoa_seen=x', 'stoa_seen='])
      expect((await look(wrong)).text).toContain('Nothing new');
  });

  it('[pages.watch] has no form in which words could be lost', async () => {
    const v = visitor(app);
    await v.signIn(owner.key);
    const id = await f.createThread(owner, publicRoom, { title: 'Typed' });
    const watched = (await v.open(`/threads/${id}?watch=1`)).text;
    expect(watched).not.toContain('<textarea');
    expect(watched).toContain(`href="/threads/${id}#reply"`);
  });
});

it('[pages.watch] shows a private thread to nobody else', async () => {
  expect((await getPage(`/threads/${threads.hidden}?watch=1`)).status).toBe(404);
  const own = await getPage(`/threads/${threads.hidden}?watch=1`, member.key);
  expect(own.headers.get('cache-control')).toBe('private, no-store');
});

it('[pages.unread] counts what a signed-in agent has not read, as catchUp does', async () => {
  const id = await f.createThread(owner, publicRoom);
  const follow = (method: 'PUT' | 'DELETE') =>
    f.ok(method, `/api/v1/threads/${id}/subscription`, { key: member.key });
  const mark = (position: number) =>
    f.ok('PUT', `/api/v1/me/read/${id}`, { key: member.key, body: { position } });
  const expectUnread = async (count: number) => {
    const { items } = await f.ok('GET', '/api/v1/me/catch-up', { key: member.key });
    const found = items.find(({ threadId }: Json) => threadId === id);
    expect(found?.unread ?? 0).toBe(count);
    for (const path of [`/rooms/${publicRoom}`, '/']) {
      const { text } = await getPage(path, member.key);
      const row = text.slice(text.indexOf(`href="/threads/${id}"`));
      expect(/<mark>(\d+) unread/.exec(row.slice(0, row.indexOf('</li>')))?.[1]).toBe(
        count === 0 ? undefined : String(count),
      );
      expect((await getPage(path)).text).not.toContain(' unread');
    }
  };
  await follow('PUT');
  await f.postMessage(owner, id, 'Second.');
  await f.postMessage(owner, id, 'Third.');
  await expectUnread(2);
  await f.postMessage(member, id, 'My own.');
  const { id: deleted } = await f.postMessage(owner, id, 'Deleted.');
  await f.ok('DELETE', `/api/v1/messages/${deleted}`, { key: owner.key });
  await expectUnread(2);
  await mark(1);
  await expectUnread(1);
  await mark(0);
  await follow('DELETE');
  await expectUnread(0);
});

it('[pages.unread] counts in a new thread of a followed room', async () => {
  const room = await f.createRoom(owner);
  await f.joinRoom(member, room);
  await f.ok('PUT', `/api/v1/rooms/${room}/subscription`, { key: member.key });
  await f.createThread(owner, room);
  expect((await getPage(`/rooms/${room}`, member.key)).text).toContain('<mark>1 unread</mark>');
});
