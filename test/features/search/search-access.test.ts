import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, waitUntil } from '../../support/factories.ts';
import { searchHelpers } from './setup.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);
const { search, findIds } = searchHelpers(f);
const other = await app.startNode();
const otherSearch = searchHelpers(factories(other));

let words = 0;
/** This word occurs nowhere else. */
const createWord = () => `unheard${++words}`;

describe('access of search', () => {
  it("[search.access] [search.fresh] follows the caller's rights on every node", async () => {
    const owner = await f.createAgent();
    const member = await f.createAgent();
    const outsider = await f.createAgent();
    for (const [room, thread, strangers] of [
      ['public', 'public', true],
      ['public', 'private', false],
      ['private', 'private', false],
      ['private', 'public', false],
    ] as const) {
      const inTitle = createWord();
      const inBody = createWord();
      const roomId = await f.createRoom(owner, room);
      await f.addMember(owner, roomId, member);
      const threadId = await f.createThread(owner, roomId, {
        title: `About ${inTitle}`,
        visibility: thread,
      });
      const { id } = await f.postMessage(member, threadId, `We speak of ${inBody}.`);
      for (const finds of [findIds, otherSearch.findIds]) {
        for (const [key, may] of [
          [undefined, strangers],
          [outsider.key, strangers],
          [member.key, true],
          [owner.key, true],
        ] as const) {
          expect({
            room,
            thread,
            key,
            found: await finds(inBody, { ...(key && { key }) }),
          }).toEqual({ room, thread, key, found: may ? [id] : [] });
          expect({
            room,
            thread,
            key,
            found: await finds(inTitle, { ...(key && { key }) }),
          }).toEqual({ room, thread, key, found: may ? [threadId] : [] });
        }
      }
      await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${member.id}`, { key: owner.key });
      expect(await findIds(`${inBody}`, { key: member.key })).toEqual(strangers ? [id] : []);
      expect(await otherSearch.findIds(inTitle, { key: member.key })).toEqual(
        strangers ? [threadId] : [],
      );
      expect(await findIds(inBody, { key: owner.key })).toEqual([id]);
    }
  });

  it('[search.listed] excludes title, tags and summary of a listed thread', async () => {
    const owner = await f.createAgent();
    const outsider = await f.createAgent();
    const title = createWord();
    const tag = createWord();
    const summary = createWord();
    const roomId = await f.createRoom(owner, 'private');
    const threadId = await f.createThread(owner, roomId, {
      title,
      tags: [tag],
      visibility: 'public',
    });
    await f.ok('PUT', `/api/v1/threads/${threadId}/summary`, { key: owner.key, body: { summary } });
    expect(await f.ok('GET', `/api/v1/threads/${threadId}`, { key: outsider.key })).toMatchObject({
      id: threadId,
    });
    for (const q of [title, tag, summary]) {
      expect({ q, ids: await findIds(q, { key: outsider.key }) }).toEqual({ q, ids: [] });
      expect({ q, ids: await findIds(q) }).toEqual({ q, ids: [] });
      expect({ q, ids: await findIds(q, { key: owner.key }) }).toEqual({ q, ids: [threadId] });
    }
  });

  it('[search.fresh] includes the newest form of a profile and a summary', async () => {
    const owner = await f.createAgent();
    const before = createWord();
    const after = createWord();
    const threadId = await f.createThread(owner, await f.createRoom(owner));
    for (const [now, gone] of [
      [before, after],
      [after, before],
    ] as const) {
      await f.ok('PUT', '/api/v1/me', {
        key: owner.key,
        body: { description: `Expert in ${now}` },
      });
      await f.ok('PUT', `/api/v1/threads/${threadId}/summary`, {
        key: owner.key,
        body: { summary: `Settled: ${now}` },
      });
      expect((await otherSearch.findIds(now)).sort()).toEqual([owner.id, threadId].sort());
      expect(await otherSearch.findIds(gone)).toEqual([]);
    }
  });

  it('[search.deleted] excludes everything deleted, whose words are not stored', async () => {
    const owner = await f.createAgent();
    const title = createWord();
    const body = createWord();
    const name = createWord();
    const roomId = await f.createRoom(owner);
    const threadId = await f.createThread(owner, roomId, { title });
    const { id } = await f.postMessage(owner, threadId, body);
    const file = await f.attachFile(owner, id, { name: `${name}.txt`, bytes: 'A' });
    expect(
      (await Promise.all([title, body, name].map((q) => findIds(q)))).map((ids) => ids.length),
    ).toEqual([1, 1, 1]);
    const countIndexed = async () =>
      (
        await db.rows(sql`
          SELECT message_id
          FROM message_words
          WHERE message_id = ${id}
          UNION ALL
          SELECT id
          FROM name_words
          WHERE id IN (${threadId}, ${file.id})
        `)
      ).length;
    expect(await countIndexed()).toBe(3);

    await f.ok('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
    for (const q of [body, name])
      expect({ q, ids: await findIds(q, { key: owner.key }) }).toEqual({ q, ids: [] });
    expect(await countIndexed()).toBe(1);
    await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
    expect({
      ids: await findIds(title, { key: owner.key }),
      indexed: await countIndexed(),
    }).toEqual({ ids: [], indexed: 0 });
  });

  it('[search.depth] is limited to a thousand results, of messages the newest', async () => {
    const owner = await f.createAgent();
    const many = createWord();
    const threadId = await f.createThread(owner, await f.createRoom(owner));
    const ids: string[] = [];
    for (let round = 0; round < 51; round++) {
      const posts = await Promise.all(
        Array.from({ length: 20 }, () => f.postMessage(owner, threadId, many)),
      );
      ids.push(...posts.sort((a, b) => a.position - b.position).map(({ id }) => id));
    }
    const last = await search(many, {}, { offset: 950, limit: 100 });
    expect({ length: last.results.length, nextOffset: last.nextOffset }).toEqual({
      length: 50,
      nextOffset: null,
    });
    expect(await search(many, {}, { offset: 1000 })).toMatchObject({
      results: [],
      nextOffset: null,
    });
    const all: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Json = await search(many, {}, { offset, limit: 100 });
      all.push(...page.results.map(({ id }: Json) => id));
      offset = page.nextOffset;
    }
    expect([...all].sort()).toEqual(ids.slice(-1000).sort());
  });
});

describe('queries of search', () => {
  it('[search.highlights] [search.any-query] are never errors and mark matches', async () => {
    const owner = await f.createAgent();
    const threadId = await f.createThread(owner, await f.createRoom(owner));
    await f.postMessage(
      owner,
      threadId,
      '👩‍🚀 Ünïcode and ŁÓDŹ, naïve “quotes”; 記憶装置 beside it, and a tail.',
    );
    for (const q of [
      'unicode',
      'lodz naive',
      '"naive quotes"',
      '記憶',
      'tail -nothing',
      'UNICODE "and a tail"',
    ]) {
      const { results } = await search(`${q} from:${owner.handle}`);
      expect({ q, length: results.length }).toEqual({ q, length: 1 });
      const [{ excerpt, highlights }] = results;
      const letters = Array.from(excerpt as string);
      expect(highlights.length).toBeGreaterThan(0);
      const asked = q.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
      for (const [start, length] of highlights as [number, number][]) {
        expect(start + length).toBeLessThanOrEqual(letters.length);
        const marked = letters
          .slice(start, start + length)
          .join('')
          .normalize('NFKD')
          .replace(/\p{M}/gu, '')
          .toLowerCase()
          .replace('ł', 'l');
        for (const part of marked.split(/\P{L}+/u)) expect(asked).toContain(part);
      }
    }
    const hostile = [
      '"',
      '-',
      '--',
      '"unclosed',
      "' OR 1=1 --",
      ':*',
      '!&|()<->',
      'in:',
      '\\',
      '%',
      '\u202e',
      '"" ""',
      '-a -b',
      '\u0301',
      `${'('.repeat(499)}`,
      'a '.repeat(249),
      `"${'x '.repeat(240)}"`,
    ];
    for (const q of hostile)
      expect({
        q,
        status: (await f.send('GET', `/api/v1/search?${new URLSearchParams({ q })}`)).status,
      }).toEqual({ q, status: 200 });
    for (const q of ['', ' ', 'x'.repeat(501)])
      expect(await f.send('GET', `/api/v1/search?${new URLSearchParams({ q })}`)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await f.send('GET', '/api/v1/search')).toMatchObject(
      buildProblem(400, 'invalid_request', { errors: [{ pointer: '/query/q' }] }),
    );
  });

  it('[search.rate] have a rate limit of their own', async () => {
    const limited = await app.startNode({ RATE_LIMITS: 'searches=3/m' });
    const ask = () => factories(limited).send('GET', '/api/v1/search?q=anything');
    const outcomes = [];
    for (let index = 0; index < 4; index++) outcomes.push((await ask()).status);
    expect(outcomes).toEqual([200, 200, 200, 429]);
    expect((await ask()).headers.get('ratelimit-policy')).toBe('"searches";q=3;w=60');
    expect((await factories(limited).send('GET', '/api/v1/rooms')).status).toBe(200);
    const usual = await app.startNode({ RATE_LIMITS: 'on' });
    expect(
      (await factories(usual).send('GET', '/api/v1/search?q=anything')).headers.get(
        'ratelimit-policy',
      ),
    ).toBe('"searches";q=120;w=60');
  });

  it('[search.time-limit] that time out are unavailable, and posts continue', async () => {
    const owner = await f.createAgent();
    const threadId = await f.createThread(owner, await f.createRoom(owner));
    const own = new pg.Client({ ...db.connection, application_name: 'test' });
    await own.connect();
    await own.query('BEGIN');
    await own.query('LOCK TABLE name_words IN ACCESS EXCLUSIVE MODE');
    const asked = f.send('GET', '/api/v1/search?q=anything');
    await waitUntil(
      'it waits',
      async () =>
        (
          await db.rows(sql`
            SELECT 1
            FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
          `)
        ).length === 1,
    );
    await f.postMessage(owner, threadId, 'Meanwhile.');
    const answer = await asked;
    expect(answer).toMatchObject(
      buildProblem(503, 'unavailable', { detail: expect.stringContaining('Narrow it') }),
    );
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    await own.query('COMMIT');
    await own.end();
    expect((await f.send('GET', '/api/v1/search?q=anything')).status).toBe(200);
  });

  it('[search.old] include content older than search once it is indexed', async () => {
    const owner = await f.createAgent();
    const title = createWord();
    const body = createWord();
    const threadId = await f.createThread(owner, await f.createRoom(owner), { title, body });
    await db.run(sql`
      WITH m AS (DELETE FROM message_words RETURNING message_id AS id, 'message' AS type),
        n AS (DELETE FROM name_words RETURNING id, type)
      INSERT INTO search_backlog (id, type)
      SELECT *
      FROM m
      UNION ALL
      SELECT *
      FROM n
    `);
    expect({ title: await findIds(title), body: await findIds(body) }).toEqual({
      title: [],
      body: [],
    });
    await app.app.jobs.runDue();
    expect(await findIds(title)).toEqual([threadId]);
    expect(await findIds(body)).toHaveLength(1);
  });
});
