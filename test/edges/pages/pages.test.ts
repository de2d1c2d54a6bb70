import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { adjudicationHelpers } from '../../features/adjudication/setup.ts';
import { createFixture } from '../../operations/fixture.ts';
import { allFeaturesOff, allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const fixture = await createFixture(f);
const { owner, member, removed, outsider, threads, publicRoom, privateRoom } = fixture;
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const getPage = (path: string, options: object = {}, at = app) =>
  factories(at).send('GET', path, { headers: browser, ...options });

/** Starts a thread in a room and returns the room. */
async function withThread(room: string): Promise<string> {
  await f.createThread(owner, room);
  return room;
}

const pages = [
  ...[
    '/',
    '/rooms',
    `/rooms/${publicRoom}`,
    `/threads/${threads.open}`,
    '/agents',
    `/agents/${owner.handle}`,
    '/search',
    '/search?q=first',
    '/credentials',
  ],
  ...[
    '/claims',
    `/claims?agent=${owner.handle}`,
    '/wallet',
    '/interactions',
    '/adjudication',
    '/tasks',
    '/session',
    '/moderation/intake',
  ],
  ...[
    '/research',
    '/campaigns',
    '/log',
    '/start',
    '/docs',
    '/docs/receipts',
    '/docs/api',
    '/docs/addresses',
    '/docs/api/createThread',
  ],
];
const switchesByPage = {
  '/claims': 'IDENTITY_CLAIMS_ENABLED',
  '/wallet': 'CREDITS_ENABLED',
  '/interactions': 'INTERACTIONS_ENABLED',
  '/adjudication': 'ADJUDICATION_ENABLED',
  '/tasks': 'TASKS_ENABLED',
  '/research': 'RESEARCH_ENABLED',
  '/campaigns': 'CAMPAIGNS_ENABLED',
};

describe('every page', () => {
  it.for(pages)('[pages.there] [pages.policy] [pages.etag] %s', async (path) => {
    const { status, text, headers } = await getPage(path);
    expect({
      status,
      contentType: headers.get('content-type'),
      cacheControl: headers.get('cache-control'),
    }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      cacheControl: 'public, no-cache',
    });
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; ` +
        `base-uri 'none'; frame-ancestors 'none'`,
    );
    // Data for programs is no script: browsers do not run it.
    const shown = text.replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, '');
    expect(shown).not.toMatch(/<(script|img|iframe|object|embed|base)\b|<[^>]* on\w+=/i);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    // Pages lead people to documents as pages, except on those pages themselves.
    if (!path.startsWith('/docs')) expect(text).not.toMatch(/href="\/docs\/\w+\.md"/);
    expect(text).toContain(`<link rel="canonical" href="${app.url}${path.split('?')[0]}">`);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const unchanged = await getPage(path, { headers: { ...browser, 'if-none-match': etag } });
    expect({ status: unchanged.status, text: unchanged.text }).toEqual({ status: 304, text: '' });
    const head = await f.send('HEAD', path, { headers: browser });
    expect({
      status: head.status,
      text: head.text,
      etag: head.headers.get('etag'),
      contentLength: head.headers.get('content-length'),
    }).toEqual({
      status: 200,
      text: '',
      etag,
      contentLength: String(Buffer.byteLength(text)),
    });
    expect(headers.get('vary')).toContain('Cookie');
  });

  it('[pages.query] ignores unknown query parameters of external links', async () => {
    for (const path of [...pages, `/agents/${owner.handle}?offset=1`]) {
      const tagged = await getPage(
        path +
          (path.includes('?') ? '&' : '?') +
          'utm_source=a&utm_source=b&fbclid=1&__proto__=x&limit=1',
      );
      expect({ path, status: tagged.status, hasTag: tagged.text.includes('utm_') }).toEqual({
        path,
        status: 200,
        hasTag: false,
      });
      expect(tagged.text).toBe((await getPage(path)).text);
    }
    for (const path of [
      '/rooms?offset=x',
      '/rooms?offset=-1',
      '/rooms?offset=1&offset=2',
      '/adjudication?state=none',
    ])
      expect({ path, status: (await getPage(path)).status }).toEqual({ path, status: 400 });
    expect((await f.send('GET', '/api/v1/rooms?utm_source=a')).status).toBe(400);
  });

  it('[pages.icon] has the same icon', async () => {
    const { status, headers, text } = await getPage('/favicon.ico');
    expect({
      status,
      contentType: headers.get('content-type'),
      cacheControl: headers.get('cache-control'),
    }).toEqual({
      status: 200,
      contentType: 'image/svg+xml',
      cacheControl: 'public, max-age=86400',
    });
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 32 32">.*<\/svg>$/);
  });

  it('[pages.off] says that it is switched off and how to switch it on', async () => {
    const off = await app.startNode(allFeaturesOff);
    for (const [path, setting] of Object.entries(switchesByPage)) {
      const { status, text, headers } = await getPage(path, {}, off);
      expect({ path, status, cacheControl: headers.get('cache-control') }).toEqual({
        path,
        status: 200,
        cacheControl: 'public, no-cache',
      });
      expect(text).toContain('has it switched off');
      expect(text).toContain(`${setting}=on`);
    }
    expect(
      (await getPage('/interactions/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', {}, off)).text,
    ).toContain('has it switched off');
  });

  it('[pages.size] is under 30 KB in the median, and under 60 KB as a full thread', async () => {
    const id = await f.createThread(owner, publicRoom);
    const words =
      'A message as agents write them, with a thought, a reason and a question at the end. '.repeat(
        3,
      );
    for (let count = 0; count < 49; count++)
      await f.postMessage(count % 2 ? owner : member, id, words);
    const sizes = await Promise.all(
      [...pages, `/threads/${id}`].map(async (path) =>
        Buffer.byteLength((await getPage(path)).text),
      ),
    );
    const full = sizes.at(-1) as number;
    sizes.sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(30 * 1024);
    expect(full).toBeLessThan(60 * 1024);
  });

  it('[pages.size] is under 60 KB as a full thread of short messages, signed in', async () => {
    const id = await f.createThread(owner, publicRoom);
    for (let count = 0; count < 49; count++)
      await f.postMessage(count % 2 ? owner : member, id, 'Short words, as agents say. '.repeat(6));
    const v = visitor(app);
    await v.signIn(member.key);
    const { text } = await v.open(`/threads/${id}`);
    expect(text.match(/>reply<\/a>/g)).toHaveLength(50);
    expect(Buffer.byteLength(text)).toBeLessThan(60 * 1024);
  });
});

describe('pages', () => {
  it('[pages.same-access] show what the API shows to the same caller', async () => {
    await f.postMessage(owner, threads.hidden, 'The word is xylophone.');
    const places = [
      `/threads/${threads.hidden}`,
      `/rooms/${privateRoom}`,
      '/rooms',
      '/',
      '/search?q=xylophone',
      `/search?q=in:${privateRoom}`,
    ];
    for (const key of [undefined, outsider.key, removed.key]) {
      for (const path of places) {
        const { text } = await getPage(path, { key });
        expect(text).not.toMatch(/The word is|A thread, hidden/);
        expect(text.replace(path, '')).not.toContain(`href="/rooms/${privateRoom}`);
      }
      expect((await getPage(`/threads/${threads.hidden}`, { key })).status).toBe(404);
      expect((await getPage(`/threads/${threads.listed}`, { key })).status).toBe(403);
    }
    expect((await getPage(`/threads/${threads.hidden}`, { key: member.key })).text).toContain(
      'xylophone',
    );
    const seen = await getPage(`/threads/${threads.hidden}`, { key: member.key });
    expect(seen.headers.get('cache-control')).toBe('private, no-store');
  });

  it('[pages.same-access] show nothing that was deleted', async () => {
    const id = await f.createThread(owner, publicRoom);
    const { id: gone } = await f.postMessage(owner, id, 'Unwanted zeppelin.');
    await f.attachFile(owner, gone);
    expect((await getPage(`/threads/${id}`)).text).toContain('zeppelin');
    await f.ok('DELETE', `/api/v1/admin/messages/${gone}`, { admin: true });
    const { text } = await getPage(`/threads/${id}`);
    expect(text).not.toContain('zeppelin');
    expect(text).toContain('An administrator deleted this message.');
    expect(text).not.toContain('class="files"');
    await f.ok('DELETE', `/api/v1/admin/threads/${id}`, { admin: true });
    expect((await getPage(`/threads/${id}`)).status).toBe(410);
    for (const path of ['/', `/rooms/${publicRoom}`, '/search?q=zeppelin'])
      expect((await getPage(path)).text).not.toContain(`href="/threads/${id}`);
  });

  it('[pages.home] showHome shows public counts and a command for joining', async () => {
    app.clock.advance(61_000);
    const stats = await f.ok('GET', '/api/v1/stats');
    const { text } = await getPage('/');
    for (const count of [stats.rooms, stats.threads, stats.messages, stats.agents])
      expect(text).toContain(`<strong>${count}</strong>`);
    expect(text).not.toContain('<svg');
    const [, command = ''] = /<pre class="command"[^>]*>(.*?)<\/pre>/s.exec(text) ?? [];
    const [, url = '', body = ''] =
      /POST (\S+) .* -d '([^']*)'/.exec(
        command
          .replaceAll(/<[^>]+>/g, '')
          .replaceAll('&#39;', "'")
          .replaceAll('&quot;', '"'),
      ) ?? [];
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect({
      status: answer.status,
      handle: ((await answer.json()) as Json).agent.handle,
    }).toEqual({ status: 200, handle: 'your-handle' });
  });

  it('[pages.thread] showThread shows the outcome and all data of messages', async () => {
    const id = await f.createThread(owner, publicRoom);
    const first = await f.postMessage(owner, id, `Look, @${member.handle}.`);
    const answer = await f.postMessage(member, id, 'I did.', { replyToId: first.id });
    const file = await f.attachFile(owner, first.id);
    await f.ok('PUT', `/api/v1/threads/${id}/summary`, {
      key: owner.key,
      body: { summary: 'All is **well**.', messageIds: [answer.id] },
    });
    const { text } = await getPage(`/threads/${id}`);
    expect(text.indexOf('All is <strong>well</strong>.')).toBeLessThan(
      text.indexOf('<h2 class="hidden">Messages</h2>'),
    );
    expect(text).toContain(`from <a href="#m-2">#2 by @${member.handle}</a>`);
    const [zero = '', one = '', two = ''] = text.split('<article class="h-entry').slice(1);
    expect(zero).toMatch(
      new RegExp(
        `<h3><i class="sq c\\d"></i><a class="p-author h-card"\nhref="/agents/${owner.handle}">` +
          `${owner.handle}</a></h3>`,
      ),
    );
    // The second message of the same author does not repeat the name.
    expect(one).toContain(` more" id="m-1"><header id="${first.id}"><time `);
    expect(one).toContain(
      `<time class="dt-published" datetime="${first.createdAt.slice(0, 19)}Z">12:0`,
    );
    expect(one).toContain(`href="/e/${first.receiptId}"`);
    expect(one).toContain(`<a href="/agents/${member.handle}">@${member.handle}</a>.`);
    expect(one).toContain(`href="${file.url}"`);
    expect(two).toContain(`answers <a href="#m-1">#1 by @${owner.handle}</a>`);
    expect(text).toContain(`<link rel="alternate" type="text/markdown" href="/threads/${id}.md">`);
  });

  it('[pages.thread-anywhere] showThread opens at any place of a long thread', async () => {
    const id = await f.createThread(owner, publicRoom);
    const ids: string[] = [''];
    for (let count = 1; count < 120; count++)
      ids.push(
        (
          await f.postMessage(
            owner,
            id,
            `Number ${count}.`,
            count === 119 ? { replyToId: ids[3] } : {},
          )
        ).id,
      );
    const listPositions = (text: string) =>
      [...text.matchAll(/ id="m-(\d+)"/g)].map(([, number]) => Number(number));
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => from + index);
    expect(listPositions((await getPage(`/threads/${id}`)).text)).toEqual(range(0, 50));
    const middle = (await getPage(`/threads/${id}?offset=33`)).text;
    expect(listPositions(middle)).toEqual(range(33, 83));
    for (const query of ['', '?offset=83', '?offset=70'])
      expect(middle).toContain(`href="/threads/${id}${query}"`);
    expect(listPositions((await getPage(`/threads/${id}?anchorId=${ids[40]}`)).text)).toEqual(
      range(15, 65),
    );
    const end = (await getPage(`/threads/${id}?offset=70`)).text;
    expect(listPositions(end)).toEqual(range(70, 120));
    expect(end).toContain(
      `answers <a href="/threads/${id}?anchorId=${ids[3]}#${ids[3]}">an earlier message</a>`,
    );
    expect((await getPage(`/threads/${id}?offset=1000`)).text).toContain(
      'There is no message at this place.',
    );
    expect((await getPage(`/threads/${id}?anchorId=${threads.open}`)).status).toBe(400);
  });

  it('[pages.lists] name the room, the newest words and the outcome of threads', async () => {
    const room = await f.createRoom(owner);
    const done = await f.createThread(owner, room, { title: 'Settled', tags: ['release-4'] });
    const open = await f.createThread(owner, room, { title: 'Unsettled' });
    await f.postMessage(owner, done, 'The **newest** words.');
    await f.ok('PUT', `/api/v1/threads/${done}/summary`, {
      key: owner.key,
      body: { summary: '# We agreed\n\nand so on' },
    });
    const home = (await getPage('/')).text;
    expect(home).toContain('<bdi>The newest words.</bdi>');
    expect(home).toContain(`<a href="/rooms/${room}">`);
    const all = (await getPage(`/rooms/${room}`)).text;
    expect(all).toContain('Outcome:</span> <bdi>We agreed</bdi>');
    expect(all).toContain(`href="/rooms/${room}?tag=release-4"`);
    for (const [query, shown] of [
      ['part=outcome', [done]],
      ['part=open', [open]],
      ['tag=release-4', [done]],
      ['part=open&tag=release-4', []],
    ] as const) {
      const { text } = await getPage(`/rooms/${room}?${query}`);
      const found = [done, open].filter((id) => text.includes(`href="/threads/${id}"`));
      expect({ query, found }).toEqual({ query, found: shown });
    }
  });

  it('[pages.ages] say how long ago, with the exact time, under an ETag that tells', async () => {
    const room = await f.createRoom(owner);
    const before = await getPage(`/rooms/${await withThread(room)}`);
    expect(before.text).toContain('>just now</time>');
    app.clock.advance(3 * 60_000);
    const after = await getPage(`/rooms/${room}`, {
      headers: { ...browser, 'if-none-match': before.headers.get('etag') ?? '' },
    });
    expect(after.status).toBe(200);
    expect(after.text).toMatch(/title="1 Mar 2026, 12:\d\d UTC">3 min ago<\/time>/);
  });

  it('[pages.rooms-by-name] showRooms has an order by name, and nothing private', async () => {
    for (const name of ['zeta order', 'Alpha order']) await f.createRoom(owner, 'public', name);
    const secret = await f.createRoom(owner, 'private', 'beta order');
    const { text } = await getPage('/rooms?order=name');
    expect(text.indexOf('Alpha order')).toBeLessThan(text.indexOf('zeta order'));
    expect(text).not.toContain(secret);
    const own = (await getPage('/rooms?order=name', { key: owner.key })).text;
    const places = ['Alpha order', 'beta order', 'zeta order'].map((name) => own.indexOf(name));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(own).toContain(secret);
    expect((await getPage('/rooms?order=name&offset=900000000')).status).toBe(200);
    expect((await getPage('/rooms?order=size')).status).toBe(400);
  });

  it('[pages.search-filters] showSearch counts, and narrows to one type by links', async () => {
    const id = await f.createThread(owner, publicRoom, { title: 'Quokka plans' });
    await f.postMessage(owner, id, 'A quokka came.');
    const all = (await getPage('/search?q=quokka')).text;
    expect(all).toContain('2 results');
    expect(all).toContain(`in <a href="/rooms/${publicRoom}">`);
    expect(all).toContain('href="/search?q=quokka+type%3Athread"');
    const one = (await getPage('/search?q=quokka+type:thread')).text;
    expect(one).toContain('1 result<');
    expect(one).toContain('href="/search?q=quokka+type%3Amessage"');
    expect((await getPage('/rooms')).text).toContain('accesskey="/"');
  });

  it('[pages.case] [pages.votes] showCase shows votes once a round is closed', async () => {
    const j = adjudicationHelpers(f);
    const voters = await j.createVoters(3);
    const { id } = await j.createCase();
    for (const voter of voters) expect((await j.castVote(voter, id)).status).toBe(200);
    const open = (await getPage(`/adjudication/${id}`)).text;
    for (const part of [
      'Was it delivered as recorded?',
      'It was delivered.',
      'I saw it.',
      'The round is open until',
    ])
      expect(open).toContain(part);
    expect(open).not.toContain('I say upheld.');
    for (const { handle } of voters) expect(open).not.toContain(handle);
    expect((await getPage('/adjudication?state=open')).text).toContain(
      `href="/adjudication/${id}"`,
    );
    await j.closeDueCases();
    const closed = (await getPage(`/adjudication/${id}`)).text;
    expect(closed.match(/I say upheld\./g)).toHaveLength(3);
    expect(closed).toContain('<strong>upheld</strong>');
    expect(closed).toContain('aria-label="Votes: 3 upheld, 0 rejected, 0 insufficient evidence');
    for (const { handle } of voters) expect(closed).toContain(`href="/agents/${handle}"`);
  });

  it('[pages.receipt-verdict] showReceipt begins with its answer, showLog names it', async () => {
    const post = async (room: string): Promise<string> =>
      (await f.postMessage(owner, await f.createThread(owner, room), 'Here.')).receiptId;
    const hidden = await post(privateRoom);
    const shown = await post(publicRoom);
    const verdict = /<h1>Receipt<\/h1>\s<p class="verdict">Signed by this installation, in its log/;
    await expect.poll(async () => (await getPage(`/e/${shown}`)).text).toMatch(verdict);
    const { text } = await getPage('/log');
    expect(text).toContain(`href="/e/${shown}"`);
    expect(text).not.toContain(hidden);
  });

  it('[pages.reference] showApi arranges operations, showAddresses those for people', async () => {
    const { text } = await getPage('/docs/api');
    const places = ['Talk', 'Listen', 'Files', 'Keys', 'Proof', 'Optional'].map((title) =>
      text.indexOf(`<h2>${title}</h2>`),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(text).toContain('<b class="post">POST</b>');
    const { text: addresses } = await getPage('/docs/addresses');
    const [api, pages] = ['createThread', 'showThread'].map((name) => `href="/docs/api/${name}"`);
    expect([text.includes(`${api}`), text.includes(`${pages}`)]).toEqual([true, false]);
    expect([addresses.includes(`${api}`), addresses.includes(`${pages}`)]).toEqual([false, true]);
  });

  it('[pages.wallet] showWallet shows the supply, and a wallet to its owner', async () => {
    await f.ok('POST', '/api/v1/admin/subsidies', {
      admin: true,
      body: { name: 'Spring <reviews>', amount: 12_345, perTask: 500, perDay: 900 },
    });
    const key = await f.getKeyWithScope(outsider, 'credits');
    await f.ok('POST', '/api/v1/enrollment', { key });
    const anyone = await getPage('/wallet');
    expect(anyone.text).toContain('<dt>earned units issued</dt><dd>12,345</dd>');
    expect(anyone.text).toContain('Spring &lt;reviews&gt;');
    expect(anyone.text).toMatch(/at most 500 a task[\s\S]*at most 900 a day/);
    for (const word of ['Accounts', 'Transactions', 'History', 'stoa ledger audit'])
      expect(anyone.text).toContain(word);
    expect(anyone.text).not.toContain('<h2>Yours</h2>');
    // A key without the scope reads as anyone does.
    expect((await getPage('/wallet', { key: outsider.key })).text).not.toContain('<h2>Yours</h2>');
    const own = await getPage('/wallet', { key });
    expect(own.text).toContain('<dt>trial, available</dt><dd>100</dd>');
    expect(own.headers.get('cache-control')).toBe('private, no-store');
  });
});
