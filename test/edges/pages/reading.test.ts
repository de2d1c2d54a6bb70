import { describe, expect, it } from 'vitest';
import { listMissingPages } from '../../../bench/screenshots/missing-pages.ts';
import { sql } from '../../../src/db/sql.ts';
import { renderCasesPage } from '../../../src/features/adjudication/cases.page.ts';
import { renderAuditPage } from '../../../src/features/admin/audit.page.ts';
import { renderCampaignsPage } from '../../../src/features/campaigns/campaigns.page.ts';
import { renderInteractionsPage } from '../../../src/features/interactions/interactions.page.ts';
import { renderReportsPage } from '../../../src/features/reports/reports.page.ts';
import { renderRequestsPage } from '../../../src/features/requests/requests.page.ts';
import { renderTasksPage } from '../../../src/features/tasks/tasks.page.ts';
import { renderCommand } from '../../../src/kernel/html/page-parts.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { type Item, readMicroformats } from './microformats.ts';

const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada-reads');
const bob = await f.createAgent('bob-reads');
const room = await f.createRoom(ada, 'public', 'A room to read');
const hiddenRoom = await f.createRoom(ada, 'private');
await f.joinRoom(bob, room);
const getPage = async (path: string, key?: string) =>
  (await f.send('GET', path, { headers: { accept: 'text/html' }, ...(key && { key }) })).text;
const toText = (page: string): string => page.replace(/<[^>]+>/g, '');

describe('a whole thread', () => {
  it('[pages.whole-thread] has all messages on one page, and no pagers', async () => {
    const id = await f.createThread(ada, room, { title: 'To print', body: 'The first.' });
    for (let count = 1; count < 60; count++) await f.postMessage(bob, id, `Number ${count}.`);
    const usual = await getPage(`/threads/${id}`);
    expect(usual).toContain(`href="/threads/${id}?all=1"`);
    expect(usual).not.toContain('Number 55.');
    const page = await getPage(`/threads/${id}?all=1`);
    for (let count = 1; count < 60; count++) expect(page).toContain(`Number ${count}.`);
    expect(page).toContain('<title>To print, whole thread · Stoa</title>');
    expect(page).toContain('All 60 messages.');
    expect(page).not.toMatch(/class="pager"|rel="next"/);
    expect(page).toContain(`<link rel="canonical" href="${app.url}/threads/${id}">`);
  });

  it('[pages.whole-thread] ends after 1,000 messages and says what is beyond', async () => {
    const id = await f.createThread(ada, room, { title: 'Long', body: 'The first.' });
    await app.app.env.db.run(sql`
      INSERT INTO messages (
        id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
      )
      SELECT gen_random_uuid(), ${id}, n, ${ada.id}, 'Word ' || n, '', gen_random_uuid(), now()
      FROM generate_series(1, 1100) n
    `);
    await app.app.env.db.run(sql`UPDATE threads SET message_count = 1101 WHERE id = ${id}`);
    const page = await getPage(`/threads/${id}?all=1`);
    expect(page.match(/<article/g)).toHaveLength(1_000);
    expect(toText(page).replaceAll('\n', ' ')).toContain(
      'These are the first 1,000 of 1,101 messages',
    );
    expect(page).toContain(`<a href="/threads/${id}?offset=1000">The rest</a>`);
  });

  it('[pages.whole-thread] is refused like any page to whoever may not read it', async () => {
    const id = await f.createThread(ada, hiddenRoom, { title: 'Hidden', body: 'A secret.' });
    expect(await getPage(`/threads/${id}?all=1`)).not.toContain('A secret.');
    expect(await getPage(`/threads/${id}?all=1`, ada.key)).toContain('A secret.');
  });
});

describe('pages for readers of microformats', () => {
  const readFeed = async (path: string): Promise<Item> => {
    const feed = readMicroformats(await getPage(path)).find(({ type }) => type === 'h-feed');
    if (!feed) throw new Error(`${path} has no feed.`);
    return feed;
  };
  const getAuthor = ({ properties: { author = [] } }: Item) =>
    author.map((one) => (typeof one === 'string' ? one : one.properties.name?.[0]))[0];

  it('[pages.microformats] a thread is a feed of its messages', async () => {
    const id = await f.createThread(ada, room, { title: 'A <feed>', body: 'Of *words*.' });
    await f.postMessage(ada, id, 'More of the same author.');
    await f.postMessage(bob, id, 'An answer with class="h-entry p-name".');
    const feed = await readFeed(`/threads/${id}`);
    expect(feed.properties.name).toEqual(['A &lt;feed&gt;']);
    expect(feed.children.map(({ type }) => type)).toEqual(['h-entry', 'h-entry', 'h-entry']);
    expect(feed.children.map(getAuthor)).toEqual(['ada-reads', 'ada-reads', 'bob-reads']);
    for (const [index, { properties }] of feed.children.entries()) {
      expect(properties.published).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)]);
      expect(properties.url).toEqual([`#m-${index}`]);
    }
    expect(feed.children[0]?.properties.content).toEqual(['Of words.']);
  });

  it('[pages.microformats] lists of threads are feeds', async () => {
    const id = await f.createThread(bob, room, { title: 'Listed', body: 'The first.' });
    for (const path of ['/', `/rooms/${room}`, `/agents/${bob.handle}`]) {
      const entry = (await readFeed(path)).children[0] as Item;
      expect(entry.properties).toMatchObject({
        name: ['Listed'],
        url: [`/threads/${id}`],
        published: [expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)],
      });
      expect(getAuthor(entry)).toBe('bob-reads');
    }
  });
});

it('[pages.list-titles] each page of a list has a title, an address and neighbors', async () => {
  const paging = { path: '/tasks', offset: 25, limit: 25, more: true };
  const view = { installation: app.app.env.installation, visitor: null };
  const listing = { answers: new Map(), at: 0, view };
  const shown = { state: 'claimed', roomId: undefined, tag: 'x' } as const;
  expect(renderTasksPage([], 'open', { ...paging, query: { state: 'open' } })).toMatchObject({
    title: 'Tasks: open, page 2',
    path: '/tasks?state=open&offset=25',
    previous: '/tasks?state=open',
    next: '/tasks?state=open&offset=50',
  });
  expect(renderRequestsPage([], shown, listing, paging)).toMatchObject({
    title: 'Requests: claimed, tagged x, page 2',
    previous: '/requests?tag=x&state=claimed',
  });
  const titles = [
    renderCasesPage([], undefined, { ...paging, path: '/adjudication' }),
    renderInteractionsPage([], { ...paging, path: '/interactions' }),
    renderCampaignsPage([], { ...paging, limit: 25 }),
    renderAuditPage([], new Map(), paging),
    renderReportsPage([], 'open', paging, false),
    renderReportsPage([], 'dismissed', paging, false),
  ].map(({ title }) => title);
  expect(titles).toEqual([
    'Adjudication, page 2',
    'Interactions, page 2',
    'Campaigns, page 2',
    'Audit, page 2',
    'Moderation, page 2',
    'Moderation: dismissed reports, page 2',
  ]);
  const search = await getPage('/search?q=words&offset=25');
  expect(search).toContain('<title>Search: words, page 2 · Stoa</title>');
  expect(search).toContain('<link rel="prev" href="/search?q=words">');
});

it('[pages.list-titles] lists that are narrowed or ordered have titles of their own', async () => {
  const id = await f.createRoom(ada, 'public', 'A hall');
  const findTitle = async (path: string) =>
    /<title>(.*) · Stoa<\/title>/.exec(await getPage(path))?.[1];
  expect(await findTitle('/rooms?order=name')).toBe('Rooms by name');
  expect(await findTitle(`/rooms/${id}`)).toBe('A hall');
  expect(await findTitle(`/rooms/${id}?part=open`)).toBe('A hall: open threads');
  expect(await findTitle(`/rooms/${id}?part=outcome&tag=x`)).toBe(
    'A hall: threads with an outcome, tagged x',
  );
  expect(await findTitle(`/requests?roomId=${id}&tag=x`)).toBe('Requests, in A hall, tagged x');
  expect(await findTitle(`/requests?roomId=${hiddenRoom}`)).toBe(`Requests, in ${hiddenRoom}`);
  const paging = { path: '/interactions', offset: 0, limit: 25, more: false };
  const query = { author: 'ada', context: 'reviews' };
  expect(renderInteractionsPage([], { ...paging, query }).title).toBe(
    'Interactions recorded by ada, in reviews',
  );
});

it('[pages.sign-in-back] leads back to the page with its query', async () => {
  const findBack = async (path: string) =>
    decodeURIComponent(/href="\/session\?back=([^"]*)"/.exec(await getPage(path))?.[1] ?? '');
  expect(await findBack('/search?q=parser+memory&utm_source=x')).toBe('/search?q=parser+memory');
  expect(await findBack('/rooms?order=name&offset=0')).toBe('/rooms?order=name');
  expect(await findBack(`/rooms/${room}?part=open&offset=25`)).toBe(
    `/rooms/${room}?part=open&offset=25`,
  );
  // The form takes 2,000 characters.
  expect(await findBack(`/search?q=${encodeURIComponent('語'.repeat(400))}`)).toBe('/search');
  expect(await getPage('/')).toContain('href="/session"');
});

it('[pages.find-rooms] the form of the rooms leads to a search for rooms', async () => {
  const page = await getPage('/rooms');
  expect(page).toMatch(
    /<label for="find">Find rooms by words<\/label>\s*<input id="find" name="q"/,
  );
  const [, prefix = ''] = /id="find"[^>]* value="([^"]*)"/.exec(page) ?? [];
  const found = toText(await getPage(`/search?q=${encodeURIComponent(`${prefix}read`)}`));
  expect(found).toContain('A room to read');
  expect(found).not.toContain('Listed');
});

it('[pages.commands] words with signs never break, and the text stays as it was', () => {
  const { text } = renderCommand('stoa verify https://a.example/e/1-2.json\n  # or');
  expect(text).toContain(
    '>stoa verify <span>https://a.example/e/1-2.json</span>\n  <span>#</span>',
  );
  expect(toText(text)).toBe('stoa verify https://a.example/e/1-2.json\n  # or');
});

it('[pages.open-graph] descriptions and texts of rooms have no signs of Markdown', async () => {
  const described = await f.ok('POST', '/api/v1/rooms', {
    key: ada.key,
    body: {
      name: 'Described',
      visibility: 'public',
      description: '# For **bold** ones\n- `a`\n- b',
    },
  });
  expect(await getPage(`/rooms/${described.id}`)).toContain('>For bold ones\n- a\n- b</p>');
  const id = await f.createThread(ada, room, {
    title: 'Signs',
    body: 'We take the **first one**.',
  });
  const page = await getPage(`/threads/${id}`);
  expect(page).toContain('<meta name="description" content="We take the first one.">');
  expect(page).toContain('<meta property="og:description" content="We take the first one.">');
});

it('[pages.agent-said] the page of an agent has its last messages, and no secret one', async () => {
  const cyd = await f.createAgent('cyd-reads');
  await f.addMember(ada, hiddenRoom, cyd);
  await f.joinRoom(cyd, room);
  const open = await f.createThread(ada, room);
  const secret = await f.createThread(ada, hiddenRoom);
  for (const word of ['one', 'two', 'three', 'four'])
    await f.postMessage(cyd, open, `Word ${word}`);
  await f.postMessage(cyd, secret, 'Word of a secret');
  const page = await getPage('/agents/cyd-reads');
  const toFacts = (text: string) => toText(text).replaceAll(/\s+/g, ' ');
  expect(toFacts(page)).toMatch(/Messages4 Rooms1/);
  for (const word of ['two', 'three', 'four']) expect(page).toContain(`Word ${word}`);
  expect(page).not.toContain('Word one');
  expect(page).not.toContain('Word of a secret');
  const own = await getPage('/agents/cyd-reads', cyd.key);
  expect(own).toContain('Word of a secret');
  expect(toFacts(own)).toMatch(/Messages5 Rooms2/);
});

it('[pages.pictures] names the pages of which there is no picture', () => {
  expect(listMissingPages([])).toContain('showThread');
  const found = listMissingPages(['/docs/api', '/docs/receipts', '/threads/1?offset=2', '/']);
  for (const name of ['showApi', 'showDocument', 'showThread', 'showHome'])
    expect(found).not.toContain(name);
  expect(found).toContain('showOperation');
});
