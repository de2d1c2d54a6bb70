import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { searchHelpers } from './setup.ts';

const app = await startApp();
const f = factories(app);
const { search, findIds } = searchHelpers(f);
const ada = await f.createAgent('ada-filters');
const bob = await f.createAgent('bob-filters');
const room = await f.createRoom(ada);
const hidden = await f.createRoom(ada, 'private');
const thread = await f.createThread(ada, room);
const DAY = 24 * 3600 * 1000;
const send = (q: string, key?: string) =>
  f.send('GET', `/api/v1/search?${new URLSearchParams({ q })}`, { key });

describe('dates in search', () => {
  it('[search.dates] search finds what was made since a day, and before one', async () => {
    // The clock stands at noon of the first of March.
    const first = await f.postMessage(ada, thread, 'A quokka on the first.');
    app.clock.advance(DAY);
    const second = await f.postMessage(ada, thread, 'A quokka on the second.');
    const named = await f.createThread(ada, room, { title: 'The quokka', body: 'Nothing.' });
    app.clock.advance(DAY);
    const third = await f.postMessage(ada, thread, 'A quokka on the third.');
    const expected: [query: string, ids: string[]][] = [
      ['after:2026-03-02', [named, second.id, third.id]],
      ['before:2026-03-02', [first.id]],
      ['after:2026-03-02 before:2026-03-03', [named, second.id]],
      ['after:2026-03-02T12:00:00Z before:2026-03-03T11:59:59.999Z', [named, second.id]],
      ['after:2026-03-02T12:00:00.001Z', [third.id]],
      ['-after:2026-03-02', [first.id]],
      ['-before:2026-03-03', [third.id]],
      ['AFTER:2026-03-03', [third.id]],
      ['before:2020-01-01', []],
      ['after:9999-12-31', []],
      ['before:0001-01-01', []],
    ];
    for (const [dates, ids] of expected)
      expect({ dates, ids: (await findIds(`quokka ${dates}`)).sort() }).toEqual({
        dates,
        ids: ids.sort(),
      });
    expect(await findIds('after:2026-03-03')).toEqual([third.id]);
    expect(await findIds('after:2026-03-02 type:thread')).toEqual([named]);
  });

  it.for(['2026-02-30', '2026', 'yesterday', '01/02/2026', '2026-03-01T25:00:00Z', '1'])(
    '[search.dates] [search.filter-values] search refuses after:%s and says what it takes',
    async (value) => {
      for (const by of ['after', 'before']) {
        const answer = await send(`quokka ${by}:${value}`);
        expect(answer).toMatchObject(
          buildProblem(400, 'invalid_request', { errors: [{ pointer: '/query/q' }] }),
        );
        expect(answer.body.detail).toContain(`${by}: takes a day of UTC or a time`);
      }
    },
  );
});

describe('beginnings in search', () => {
  it('[search.beginnings] search finds and marks words that begin so', async () => {
    const release = await f.postMessage(ada, thread, 'We release a vegetable.');
    const releases = await f.postMessage(ada, thread, 'Two Releases of vegetation.');
    expect(await findIds('releas*')).toEqual([releases.id, release.id]);
    expect(await findIds('RELEASES*')).toEqual([releases.id]);
    expect(await findIds('veget* -releases*')).toEqual([release.id]);
    expect(await findIds('"a veget*"')).toEqual([release.id]);
    expect(await findIds('release')).toEqual([release.id]);
    expect(await findIds('*releas*')).toEqual([]);
    const [{ excerpt, highlights }] = (await search('"of veget*" releas*')).results;
    expect(
      highlights.map(([start, length]: [number, number]) => excerpt.substr(start, length)),
    ).toEqual(['Releases', 'of', 'vegetation']);
    const label = await f.createRoom(ada, 'public', 'Vegetarians');
    expect(await findIds('vegetar*')).toEqual([label]);
    const tower = await f.postMessage(ada, thread, '東京タワー');
    expect(await findIds('東*')).toEqual([tower.id]);
  });

  it('[search.beginnings] search refuses a beginning of one letter', async () => {
    const answer = await send('a*');
    expect(answer).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(answer.body.detail).toContain('2 letters or more');
  });

  it('[search.beginnings] [search.access] search finds no beginning in private rooms', async () => {
    const secret = await f.createThread(ada, hidden);
    const { id } = await f.postMessage(ada, secret, 'An axolotl.');
    expect(await findIds('axol*', { key: ada.key })).toEqual([id]);
    expect(await findIds('axol*', { key: bob.key })).toEqual([]);
  });
});

describe('filters of search', () => {
  it.for([
    ['type:dragon', 'type: takes one of message, thread, room,'],
    ['-type:dragon', 'type: takes one of message'],
    ['in:nonsense', 'in: takes the id of a room'],
    ['from:@', 'from: takes the handle of an agent'],
    ['from:nobody-at-all', 'there is no agent with that handle'],
    ['author:ada', 'there is no filter author:, but there is from:'],
    ['room:x', 'but there is in:'],
    ['since:2026-01-01', 'but there is after:'],
  ] as const)('[search.filter-values] search refuses %s', async ([filter, detail]) => {
    const answer = await send(`quokka ${filter}`);
    expect(answer).toMatchObject(
      buildProblem(400, 'invalid_request', { errors: [{ pointer: '/query/q' }] }),
    );
    expect(answer.body.detail).toContain(detail);
    expect(answer.body.detail).toContain('put it in quotes');
    expect((await send(`"${filter.replace('-', '')}"`)).status).toBe(200);
  });

  it('[search.filter-values] search tells nothing of a hidden room', async () => {
    const toText = (id: string, { status, body }: Awaited<ReturnType<typeof send>>) =>
      JSON.stringify({ status, ...body, requestId: '' }).replaceAll(id, 'ID');
    const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
    const absent = toText(nowhere, await send(`in:${nowhere}`, bob.key));
    expect(absent).toContain('invalid_request');
    expect(toText(hidden, await send(`in:${hidden}`, bob.key))).toBe(absent);
    expect((await send(`in:${hidden}`, ada.key)).status).toBe(200);
  });

  it('[search.any-query] search takes other words with a colon as text', async () => {
    const { id } = await f.postMessage(ada, thread, 'Use std::vector at 10:30, tag:x.');
    for (const q of ['std::vector', '10:30', 'tag:x', 'foo: tag:x -foo:bar'.replace('foo: ', '')])
      expect({ q, ids: await findIds(q) }).toEqual({ q, ids: [id] });
  });
});
