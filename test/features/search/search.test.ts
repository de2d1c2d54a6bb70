import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type RequestOptions } from '../../support/factories.ts';
import { createSearch } from '../../search.ts';

const app = await startApp();
const f = factories(app);
const { search, found } = createSearch(f);
const [ada, bob] = [await f.agent('ada-search'), await f.agent('bob-search')];
const room = await f.room(ada, 'public', 'The room of parsers');
const other = await f.room(ada, 'public', 'The room of lexers');
for (const id of [room, other]) await f.join(bob, id);
const thread = await f.thread(ada, room, { title: 'Where to begin', body: 'First of all.' });
const elsewhere = await f.thread(ada, other, { title: 'Where to end', body: 'Last of all.' });
const say = (body: string, author = ada, where = thread): Promise<Loose> =>
  f.post(author, where, body);

describe('words', () => {
  it('[search.words] are all required, in any order', async () => {
    const [both] = [
      await say('A quorum of walruses met.'),
      await say('A quorum met.'),
      await say('Walruses met.'),
    ];
    expect(await found('walruses quorum')).toEqual([both.id]);
    expect((await found('quorum')).length).toBe(2);
    expect(await found('walrus')).toEqual([]);
  });

  it.each([
    ['Crème BRÛLÉE', 'creme brulee'],
    ['creme anglaise', 'CRÈME Anglaise'],
    ['ΣΟΦΟΣ', 'σοφός'],
    ['Ёлка', 'елка'],
    ['Straße', 'STRASSE'],
    ['smørrebrød', 'smorrebrod'],
    ['de\u0301compose\u0301', 'd\u00e9compos\u00e9'],
    ['ﬁnalize', 'finalize'],
    ['שָׁלוֹם', 'שלום'],
    ['İzmir', 'izmir'],
  ])('[search.folded] %s is found by %s', async (text, query) => {
    const { id } = await say(`It says ${text}, so it does.`);
    expect(await found(query)).toEqual([id]);
    expect((await search(query)).results[0].highlights).not.toEqual([]);
  });

  it.each([
    ['昨日は東京タワーへ行きました。', '東京', '京東'],
    ['昨日は東京タワーへ行きました。', 'タワー', 'ワタ'],
    ['我们今天讨论解析器的性能', '解析器', '器析解'],
    ['파서의 성능을 비교했습니다', '성능', '능성'],
    ['สวัสดีครับทุกคน', 'ครับ', 'บรัค'],
  ])('[search.no-spaces] in %s stands %s, but not %s', async (text, inside, absent) => {
    const { id } = await say(text);
    expect(await found(inside)).toContain(id);
    expect(await found(absent)).not.toContain(id);
    const [result] = (await search(`${inside} from:${ada.handle}`)).results;
    const [[start, length]] = result.highlights;
    expect([...result.excerpt].slice(start, start + length).join('')).toBe(inside);
  });

  it('[search.words] inside addresses, names of files and identifiers are found', async () => {
    const { id } = await say(
      'See https://tc39.example/ecma262/#sec-zebra or src/okapi/read_giraffe.ts, <gnu>',
    );
    for (const query of [
      'zebra',
      'okapi',
      'giraffe',
      'read_giraffe',
      'read_giraffe.ts',
      'ecma262',
      'gnu',
      'sec-zebra',
    ])
      expect(await found(query)).toEqual([id]);
  });
});

describe('the grammar', () => {
  it('[search.phrase] words in quotes stand beside each other in that order', async () => {
    const { id } = await say('The quick ocelot jumps.');
    await say('The ocelot is quick.');
    for (const query of [
      '"quick ocelot"',
      '“QUICK ocelot”',
      '"the quick ocelot" jumps',
      '"quick ocelot',
    ])
      expect(await found(query)).toEqual([id]);
    expect(await found('"ocelot quick"')).toEqual([]);
  });

  it('[search.phrase] also far behind in a long text, and where a word is repeated a thousand times', async () => {
    // Each with one reason why PostgreSQL does not know the place: too far behind, too often there.
    const far = Array.from({ length: 16_400 }, (_, index) => (index % 1_000).toString(36)).join(
      ' ',
    );
    const long = await say(`${far} quick tapir`);
    const repetitive = await say(`${'tapir of the '.repeat(300)} tapir end`);
    expect(await found('"quick tapir"')).toEqual([long.id]);
    expect(await found('"tapir end"')).toEqual([repetitive.id]);
  });

  it('[search.not] leaves out words and phrases', async () => {
    const [plain, spotted] = [await say('A hyena.'), await say('A spotted hyena, laughing loud.')];
    expect(await found('hyena -spotted')).toEqual([plain.id]);
    expect(await found('hyena -"laughing loud"')).toEqual([plain.id]);
    expect((await found('hyena -"loud laughing"')).toSorted()).toEqual([plain.id, spotted.id]);
    expect(await found(`-hyena from:${ada.handle}`)).not.toContain(plain.id);
  });

  it('[search.in] [search.from] [search.type] narrow it down', async () => {
    const here = await say('A civet here.');
    const there = await say('A civet there.', bob, elsewhere);
    const topic = await f.thread(bob, room, { title: 'The civet', body: 'Nothing more.' });
    expect(await found(`civet in:${room}`)).toEqual([topic, here.id]);
    expect(await found(`civet in:${other.toUpperCase()}`)).toEqual([there.id]);
    expect(await found(`civet -in:${room}`)).toEqual([there.id]);
    expect((await found(`civet in:${room} in:${other}`)).length).toBe(3);
    expect(await found(`in:${room} type:room`)).toEqual([room]);
    expect(await found(`civet from:${bob.handle}`)).toEqual([topic, there.id]);
    expect(await found(`civet from:@${bob.handle} -type:thread`)).toEqual([there.id]);
    expect(await found(`from:${bob.handle} type:agent`)).toEqual([bob.id]);
    expect(await found('civet from:nobody-at-all')).toEqual([]);
    expect(await found('civet type:thread')).toEqual([topic]);
    expect((await found('civet type:thread type:message')).length).toBe(3);
    expect(await found('civet type:thread -type:thread')).toEqual([]);
  });

  it('[search.type] finds each type by its own words', async () => {
    const lemur = await f.agent('lemur-keeper');
    await f.ok('PUT', '/api/v1/me', {
      key: lemur.key,
      body: { displayName: 'Ringo', description: 'Counts the tails of lemurs' },
    });
    const house = await f.room(lemur, 'public', 'Tails');
    const talk = await f.thread(lemur, house, {
      title: 'Rings',
      tags: ['tails'],
      body: 'Thirteen tails.',
    });
    const { id } = await f.post(lemur, talk, 'See the list.');
    const file = await f.attach(lemur, id, { name: 'tails-of-lemurs.txt', bytes: 'secret' });
    const types = async (query: string) =>
      Object.fromEntries((await search(query)).results.map((one: Loose) => [one.type, one.id]));
    expect(await types('tails')).toEqual({
      agent: lemur.id,
      room: house,
      thread: talk,
      message: expect.any(String),
      file: file.id,
    });
    expect(await types('ringo')).toEqual({ agent: lemur.id });
    expect(await types('"lemur-keeper"')).toEqual({ agent: lemur.id });
    await f.ok('PUT', `/api/v1/threads/${talk}/summary`, {
      key: lemur.key,
      body: { summary: 'They have stripes.' },
    });
    expect(await types('rings stripes tails')).toEqual({ thread: talk });
  });

  it('[search.file] a file is found by its name, not by its bytes', async () => {
    const { id } = await say('Two drawings.');
    const file = await f.attach(ada, id, { name: 'Capybara Über alles.svg', bytes: 'wombat' });
    expect(await found('capybara uber')).toEqual([file.id]);
    expect(await found('capybara.svg')).toEqual([]);
    expect(await found('"alles.svg" type:file')).toEqual([file.id]);
    expect(await found('wombat')).toEqual([]);
  });
});

describe('the body', () => {
  it('[search.body] [search.url] has what is needed to show a result and to go there', async () => {
    const { id, position, createdAt } = await say('The numbat 😀 eats termites.');
    const body = await search('numbat');
    const url = `${app.url}/api/v1/threads/${thread}/messages?anchorId=${id}`;
    const result = {
      ...{
        type: 'message',
        id,
        roomId: room,
        threadId: thread,
        position,
        title: 'Where to begin',
        excerpt: 'The numbat 😀 eats termites.',
      },
      ...{ highlights: [[4, 6]], authorHandle: ada.handle, createdAt, url },
    };
    expect(body).toEqual({ query: 'numbat', results: [result], nextOffset: null });
    expect((await search('😀 termites')).results[0].highlights).toEqual([[18, 8]]);
  });

  it('[search.url] of each type leads to it', async () => {
    const { id } = await say('A quoll in a file.');
    const quoll = await f.agent('quoll');
    const file = await f.attach(ada, id, { name: 'quoll.txt', bytes: 'The quoll' });
    const [house, talk] = [
      await f.room(ada, 'public', 'Quoll'),
      await f.thread(ada, room, { title: 'Quoll', body: '.' }),
    ];
    const { results } = await search('quoll');
    expect(new Set(results.map((one: Loose) => one.id))).toEqual(
      new Set([id, quoll.id, file.id, house, talk]),
    );
    for (const one of results) {
      const response = await fetch(one.url);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(one.type === 'file' ? 'The quoll' : one.id);
    }
    const shape = {
      roomId: expect.any(Object),
      threadId: expect.any(Object),
      position: expect.any(Object),
    };
    expect(Object.keys(results[0]).sort()).toEqual(
      [
        'type',
        'id',
        'title',
        'excerpt',
        'highlights',
        'authorHandle',
        'createdAt',
        'url',
        ...Object.keys(shape),
      ].sort(),
    );
    const of = (type: string) => results.find((one: Loose) => one.type === type);
    expect(of('agent')).toMatchObject({
      roomId: null,
      threadId: null,
      position: null,
      title: 'quoll',
      authorHandle: 'quoll',
    });
    expect(of('room')).toMatchObject({
      roomId: house,
      threadId: null,
      position: null,
      title: 'Quoll',
      authorHandle: ada.handle,
    });
    expect(of('thread')).toMatchObject({
      roomId: room,
      threadId: talk,
      position: null,
      title: 'Quoll',
    });
    expect(of('file')).toMatchObject({
      roomId: room,
      threadId: thread,
      position: expect.any(Number),
      title: 'quoll.txt',
    });
  });

  it('[search.excerpt] shows the match at the end of the longest message', async () => {
    await say(`${'All work and no play. '.repeat(2_900)} Then the aardvark came.`);
    const [{ excerpt, highlights }] = (await search('aardvark')).results;
    const [[start, length]] = highlights;
    expect([...excerpt].slice(start, start + length).join('')).toBe('aardvark');
    expect(excerpt).toMatch(/^….*Then the aardvark came\.$/);
    expect(excerpt.length).toBeLessThan(400);
  });

  it('[search.ranked] a name comes before a mention, more matches before fewer, and of equals the newest first', async () => {
    const first = await say(
      'An echidna is told of here among a lot of other things that nobody asked about.',
    );
    const twice = await say('Echidna, echidna!');
    const equal = [await say('An echidna it was.'), await say('An echidna it was.')];
    const named = await f.thread(bob, room, { title: 'Echidna', body: 'Nothing.' });
    expect(await found('echidna')).toEqual([named, twice.id, equal[1]?.id, equal[0]?.id, first.id]);
  });

  it('[search.paging] nextOffset leads through all, each once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index++)
      ids.push((await say(`Number ${index} of the pangolins.`)).id);
    const pages: string[][] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Loose = await search('pangolins', {}, { offset, limit: 3 });
      pages.push(page.results.map((one: Loose) => one.id));
      offset = page.nextOffset;
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat().toSorted()).toEqual(ids.toSorted());
    const refused = (query: string, options: RequestOptions = {}) =>
      f.outcome('GET', `/api/v1/search?q=pangolins&${query}`, options);
    expect([
      await refused('limit=0'),
      await refused('limit=101'),
      await refused('offset=-1'),
    ]).toEqual(Array(3).fill('400 invalid_request'));
  });
});
