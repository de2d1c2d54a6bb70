import { describe, expect, it } from 'vitest';
import { flushPendingWords } from '../../../src/features/search/store.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type RequestOptions } from '../../support/factories.ts';
import { searchHelpers } from './setup.ts';

const app = await startApp();
const f = factories(app);
const { search, findIds } = searchHelpers(f);
const ada = await f.createAgent('ada-search');
const bob = await f.createAgent('bob-search');
const room = await f.createRoom(ada, 'public', 'The room of parsers');
const other = await f.createRoom(ada, 'public', 'The room of lexers');
for (const id of [room, other]) await f.joinRoom(bob, id);
const thread = await f.createThread(ada, room, { title: 'Where to begin', body: 'First of all.' });
const elsewhere = await f.createThread(ada, other, { title: 'Where to end', body: 'Last of all.' });
const postText = (body: string, author = ada, where = thread): Promise<Json> =>
  f.postMessage(author, where, body);

describe('words in search', () => {
  it('[search.words] are all required, in any order', async () => {
    const [both] = [
      await postText('A quorum of walruses met.'),
      await postText('A quorum met.'),
      await postText('Walruses met.'),
    ];
    expect(await findIds('walruses quorum')).toEqual([both.id]);
    expect((await findIds('quorum')).length).toBe(2);
    expect(await findIds('walrus')).toEqual([]);
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
  ])('[search.folded] match: %s is found by %s', async (text, query) => {
    const { id } = await postText(`It says ${text}, so it does.`);
    expect(await findIds(query)).toEqual([id]);
    expect((await search(query)).results[0].highlights).not.toEqual([]);
  });

  it.each([
    ['昨日は東京タワーへ行きました。', '東京', '京東'],
    ['昨日は東京タワーへ行きました。', 'タワー', 'ワタ'],
    ['我们今天讨论解析器的性能', '解析器', '器析解'],
    ['파서의 성능을 비교했습니다', '성능', '능성'],
    ['สวัสดีครับทุกคน', 'ครับ', 'บรัค'],
  ])(
    '[search.no-spaces] without spaces match: %s contains %s, but not %s',
    async (text, inside, absent) => {
      const { id } = await postText(text);
      expect(await findIds(inside)).toContain(id);
      expect(await findIds(absent)).not.toContain(id);
      const [result] = (await search(`${inside} from:${ada.handle}`)).results;
      const [[start, length]] = result.highlights;
      expect([...result.excerpt].slice(start, start + length).join('')).toBe(inside);
    },
  );

  it('[search.words] are found inside addresses, file names and identifiers', async () => {
    const { id } = await postText(
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
      expect(await findIds(query)).toEqual([id]);
  });
});

describe('the grammar of search', () => {
  it('[search.phrase] matches words in quotes next to each other in that order', async () => {
    const { id } = await postText('The quick ocelot jumps.');
    await postText('The ocelot is quick.');
    for (const query of [
      '"quick ocelot"',
      '“QUICK ocelot”',
      '"the quick ocelot" jumps',
      '"quick ocelot',
    ])
      expect(await findIds(query)).toEqual([id]);
    expect(await findIds('"ocelot quick"')).toEqual([]);
  });

  it('[search.phrase] matches phrases far into long texts and among repetitions', async () => {
    // PostgreSQL does not know the position in each case, because it is too far into the text or
    // there are too many.
    const far = Array.from({ length: 16_400 }, (_, index) => (index % 1_000).toString(36)).join(
      ' ',
    );
    const long = await postText(`${far} quick tapir`);
    const repetitive = await postText(`${'tapir of the '.repeat(300)} tapir end`);
    expect(await findIds('"quick tapir"')).toEqual([long.id]);
    expect(await findIds('"tapir end"')).toEqual([repetitive.id]);
  });

  it('[search.not] excludes words and phrases', async () => {
    const plain = await postText('A hyena.');
    const spotted = await postText('A spotted hyena, laughing loud.');
    expect(await findIds('hyena -spotted')).toEqual([plain.id]);
    expect(await findIds('hyena -"laughing loud"')).toEqual([plain.id]);
    expect((await findIds('hyena -"loud laughing"')).toSorted()).toEqual([plain.id, spotted.id]);
    expect(await findIds(`-hyena from:${ada.handle}`)).not.toContain(plain.id);
  });

  it('[search.not] excludes words that reach the index at this moment', async () => {
    // In between, by the alphabet, stand many words, so that the flush takes its time.
    const found: string[] = [];
    for (let round = 0; round < 20; round++) {
      const between = Array.from({ length: 2_000 }, (_, index) => `m${index}x${round}`);
      await postText(`Jackals ${between.join(' ')} vanish.`);
      const flushing = flushPendingWords(app.app.env.db);
      const answers = Array.from({ length: 8 }, () => findIds('jackals -vanish'));
      found.push(...(await Promise.all(answers)).flat());
      await flushing;
    }
    expect(found).toEqual([]);
  });

  it('[search.in] [search.from] [search.type] has filters', async () => {
    const here = await postText('A civet here.');
    const there = await postText('A civet there.', bob, elsewhere);
    const topic = await f.createThread(bob, room, { title: 'The civet', body: 'Nothing more.' });
    expect(await findIds(`civet in:${room}`)).toEqual([topic, here.id]);
    expect(await findIds(`civet in:${other.toUpperCase()}`)).toEqual([there.id]);
    expect(await findIds(`civet -in:${room}`)).toEqual([there.id]);
    expect((await findIds(`civet in:${room} in:${other}`)).length).toBe(3);
    expect(await findIds(`in:${room} type:room`)).toEqual([room]);
    expect(await findIds(`civet from:${bob.handle}`)).toEqual([topic, there.id]);
    expect(await findIds(`civet from:@${bob.handle} -type:thread`)).toEqual([there.id]);
    expect(await findIds(`from:${bob.handle} type:agent`)).toEqual([bob.id]);
    expect(await findIds('civet type:thread')).toEqual([topic]);
    expect((await findIds('civet type:thread type:message')).length).toBe(3);
    expect(await findIds('civet type:thread -type:thread')).toEqual([]);
  });

  it('[search.type] filters by type, and finds each type by its own words', async () => {
    const lemur = await f.createAgent('lemur-keeper');
    await f.ok('PUT', '/api/v1/me', {
      key: lemur.key,
      body: { displayName: 'Ringo', description: 'Counts the tails of lemurs' },
    });
    const house = await f.createRoom(lemur, 'public', 'Tails');
    const talk = await f.createThread(lemur, house, {
      title: 'Rings',
      tags: ['tails'],
      body: 'Thirteen tails.',
    });
    const { id } = await f.postMessage(lemur, talk, 'See the list.');
    const file = await f.attachFile(lemur, id, { name: 'tails-of-lemurs.txt', bytes: 'secret' });
    const mapTypes = async (query: string) =>
      Object.fromEntries((await search(query)).results.map((one: Json) => [one.type, one.id]));
    expect(await mapTypes('tails')).toEqual({
      agent: lemur.id,
      room: house,
      thread: talk,
      message: expect.any(String),
      file: file.id,
    });
    expect(await mapTypes('ringo')).toEqual({ agent: lemur.id });
    expect(await mapTypes('"lemur-keeper"')).toEqual({ agent: lemur.id });
    await f.ok('PUT', `/api/v1/threads/${talk}/summary`, {
      key: lemur.key,
      body: { summary: 'They have stripes.' },
    });
    expect(await mapTypes('rings stripes tails')).toEqual({ thread: talk });
  });

  it('[search.file] finds a file by its name, not by its bytes', async () => {
    const { id } = await postText('Two drawings.');
    const file = await f.attachFile(ada, id, { name: 'Capybara Über alles.svg', bytes: 'wombat' });
    expect(await findIds('capybara uber')).toEqual([file.id]);
    expect(await findIds('capybara.svg')).toEqual([]);
    expect(await findIds('"alles.svg" type:file')).toEqual([file.id]);
    expect(await findIds('wombat')).toEqual([]);
  });
});

describe('the answer of search', () => {
  it('[search.body] [search.url] has what a client needs to show and open a result', async () => {
    const { id, position, createdAt } = await postText('The numbat 😀 eats termites.');
    const body = await search('numbat');
    const url = `${app.url}/api/v1/threads/${thread}/messages?anchorId=${id}`;
    const result = {
      type: 'message',
      id,
      roomId: room,
      threadId: thread,
      position,
      title: 'Where to begin',
      excerpt: 'The numbat 😀 eats termites.',
      highlights: [[4, 6]],
      authorHandle: ada.handle,
      createdAt,
      url,
    };
    expect(body).toEqual({
      query: 'numbat',
      results: [result],
      nextOffset: null,
      complete: true,
    });
    expect((await search('😀 termites')).results[0].highlights).toEqual([[18, 8]]);
  });

  it('[search.url] has a url for each type that leads to the result', async () => {
    const { id } = await postText('A quoll in a file.');
    const quoll = await f.createAgent('quoll');
    const file = await f.attachFile(ada, id, { name: 'quoll.txt', bytes: 'The quoll' });
    const house = await f.createRoom(ada, 'public', 'Quoll');
    const talk = await f.createThread(ada, room, { title: 'Quoll', body: '.' });
    const { results } = await search('quoll');
    expect(new Set(results.map((one: Json) => one.id))).toEqual(
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
    const findOfType = (type: string) => results.find((one: Json) => one.type === type);
    expect(findOfType('agent')).toMatchObject({
      roomId: null,
      threadId: null,
      position: null,
      title: 'quoll',
      authorHandle: 'quoll',
    });
    expect(findOfType('room')).toMatchObject({
      roomId: house,
      threadId: null,
      position: null,
      title: 'Quoll',
      authorHandle: ada.handle,
    });
    expect(findOfType('thread')).toMatchObject({
      roomId: room,
      threadId: talk,
      position: null,
      title: 'Quoll',
    });
    expect(findOfType('file')).toMatchObject({
      roomId: room,
      threadId: thread,
      position: expect.any(Number),
      title: 'quoll.txt',
    });
  });

  it('[search.excerpt] shows the match at the end of the longest message', async () => {
    await postText(`${'All work and no play. '.repeat(2_900)} Then the aardvark came.`);
    const [{ excerpt, highlights }] = (await search('aardvark')).results;
    const [[start, length]] = highlights;
    expect([...excerpt].slice(start, start + length).join('')).toBe('aardvark');
    expect(excerpt).toMatch(/^….*Then the aardvark came\.$/);
    expect(excerpt.length).toBeLessThan(400);
  });

  it('[search.ranked] ranks names first, then more matches, then newer ones', async () => {
    const first = await postText(
      'An echidna is told of here among a lot of other things that nobody asked about.',
    );
    const twice = await postText('Echidna, echidna!');
    const equal = [await postText('An echidna it was.'), await postText('An echidna it was.')];
    const named = await f.createThread(bob, room, { title: 'Echidna', body: 'Nothing.' });
    expect(await findIds('echidna')).toEqual([
      named,
      twice.id,
      equal[1]?.id,
      equal[0]?.id,
      first.id,
    ]);
  });

  it('[search.paging] leads through all results once by nextOffset', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index++)
      ids.push((await postText(`Number ${index} of the pangolins.`)).id);
    const pages: string[][] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Json = await search('pangolins', {}, { offset, limit: 3 });
      pages.push(page.results.map((one: Json) => one.id));
      offset = page.nextOffset;
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat().toSorted()).toEqual(ids.toSorted());
    const getOutcome = (query: string, options: RequestOptions = {}) =>
      f.sendForOutcome('GET', `/api/v1/search?q=pangolins&${query}`, options);
    expect({
      zeroLimit: await getOutcome('limit=0'),
      hugeLimit: await getOutcome('limit=101'),
      negativeOffset: await getOutcome('offset=-1'),
    }).toEqual({
      zeroLimit: '400 invalid_request',
      hugeLimit: '400 invalid_request',
      negativeOffset: '400 invalid_request',
    });
  });
});
