import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, until } from '../../support/factories.ts';
import { createSearch } from '../../search.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);
const { search, found } = createSearch(f);
const other = await app.another();
const there = createSearch(factories(other));

let words = 0;
/** A word that stands nowhere else. */
const word = () => `unheard${++words}`;

describe('what a search may find', () => {
  it('[search.access] [search.fresh] is what the caller may read at that moment, on every node', async () => {
    const [owner, member, outsider] = [await f.agent(), await f.agent(), await f.agent()];
    for (const [room, thread, strangers] of [
      ['public', 'public', true],
      ['public', 'private', false],
      ['private', 'private', false],
      ['private', 'public', false],
    ] as const) {
      const [inTitle, inBody] = [word(), word()];
      const roomId = await f.room(owner, room);
      await f.invite(owner, roomId, member);
      const threadId = await f.thread(owner, roomId, {
        title: `About ${inTitle}`,
        visibility: thread,
      });
      const { id } = await f.post(member, threadId, `We speak of ${inBody}.`);
      for (const finds of [found, there.found]) {
        for (const [key, may] of [
          [undefined, strangers],
          [outsider.key, strangers],
          [member.key, true],
          [owner.key, true],
        ] as const) {
          expect([room, thread, key, await finds(inBody, { ...(key && { key }) })]).toEqual([
            room,
            thread,
            key,
            may ? [id] : [],
          ]);
          expect([room, thread, key, await finds(inTitle, { ...(key && { key }) })]).toEqual([
            room,
            thread,
            key,
            may ? [threadId] : [],
          ]);
        }
      }
      await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${member.id}`, { key: owner.key });
      expect(await found(`${inBody}`, { key: member.key })).toEqual(strangers ? [id] : []);
      expect(await there.found(`${inTitle} in:${roomId}`, { key: member.key })).toEqual(
        strangers ? [threadId] : [],
      );
      expect(await found(inBody, { key: owner.key })).toEqual([id]);
    }
  });

  it('[search.listed] of a thread that is only listed is nothing, neither title nor tag nor summary', async () => {
    const [owner, outsider] = [await f.agent(), await f.agent()];
    const [title, tag, summary] = [word(), word(), word()];
    const roomId = await f.room(owner, 'private');
    const threadId = await f.thread(owner, roomId, { title, tags: [tag], visibility: 'public' });
    await f.ok('PUT', `/api/v1/threads/${threadId}/summary`, { key: owner.key, body: { summary } });
    expect(await f.ok('GET', `/api/v1/threads/${threadId}`, { key: outsider.key })).toMatchObject({
      id: threadId,
    });
    for (const q of [title, tag, summary]) {
      expect([q, await found(q, { key: outsider.key })]).toEqual([q, []]);
      expect([q, await found(q)]).toEqual([q, []]);
      expect([q, await found(q, { key: owner.key })]).toEqual([q, [threadId]]);
    }
  });

  it('[search.fresh] is the newest form of a profile and a summary', async () => {
    const owner = await f.agent();
    const [before, after] = [word(), word()];
    const threadId = await f.thread(owner, await f.room(owner));
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
      expect((await there.found(now)).sort()).toEqual([owner.id, threadId].sort());
      expect(await there.found(gone)).toEqual([]);
    }
  });

  it('[search.deleted] is nothing that was deleted, and its words are not kept', async () => {
    const owner = await f.agent();
    const [title, body, name] = [word(), word(), word()];
    const roomId = await f.room(owner);
    const threadId = await f.thread(owner, roomId, { title });
    const { id } = await f.post(owner, threadId, body);
    const file = await f.attach(owner, id, { name: `${name}.txt`, bytes: 'A' });
    expect(
      (await Promise.all([title, body, name].map((q) => found(q)))).map((ids) => ids.length),
    ).toEqual([1, 1, 1]);
    const kept = async () =>
      (
        await db.rows(
          sql`SELECT message_id FROM message_words WHERE message_id = ${id} UNION ALL SELECT id FROM name_words WHERE id IN (${threadId}, ${file.id})`,
        )
      ).length;
    expect(await kept()).toBe(3);

    await f.ok('DELETE', `/api/v1/admin/messages/${id}`, { admin: true });
    for (const q of [body, name]) expect([q, await found(q, { key: owner.key })]).toEqual([q, []]);
    expect(await kept()).toBe(1);
    await f.ok('DELETE', `/api/v1/admin/threads/${threadId}`, { admin: true });
    expect([await found(title, { key: owner.key }), await kept()]).toEqual([[], 0]);
  });

  it('[search.depth] is a thousand results at most, of messages the newest', async () => {
    const owner = await f.agent();
    const many = word();
    const threadId = await f.thread(owner, await f.room(owner));
    const ids: string[] = [];
    for (let round = 0; round < 51; round++) {
      const posts = await Promise.all(
        Array.from({ length: 20 }, () => f.post(owner, threadId, many)),
      );
      ids.push(...posts.sort((a, b) => a.position - b.position).map(({ id }) => id));
    }
    const last = await search(many, {}, { offset: 950, limit: 100 });
    expect([last.results.length, last.nextOffset]).toEqual([50, null]);
    expect(await search(many, {}, { offset: 1000 })).toMatchObject({
      results: [],
      nextOffset: null,
    });
    const all: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Loose = await search(many, {}, { offset, limit: 100 });
      all.push(...page.results.map(({ id }: Loose) => id));
      offset = page.nextOffset;
    }
    expect([...all].sort()).toEqual(ids.slice(-1000).sort());
  }, 60_000);
});

describe('a query', () => {
  it('[search.highlights] [search.any-query] whatever it is, is no error, and what is marked is what was asked for', async () => {
    const owner = await f.agent();
    const threadId = await f.thread(owner, await f.room(owner));
    await f.post(
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
      expect([q, results.length]).toEqual([q, 1]);
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
      'in:nowhere',
      'from:@',
      'type:dragon',
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
      expect([
        q,
        (await f.send('GET', `/api/v1/search?${new URLSearchParams({ q })}`)).status,
      ]).toEqual([q, 200]);
    for (const q of ['', ' ', 'x'.repeat(501)])
      expect(await f.send('GET', `/api/v1/search?${new URLSearchParams({ q })}`)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(await f.send('GET', '/api/v1/search')).toMatchObject(
      refused(400, 'invalid_request', { errors: [{ pointer: '/query/q' }] }),
    );
  });

  it('[search.rate] has a limit of its own', async () => {
    const limited = await app.another({ RATE_LIMITS: 'searches=3/m' });
    const ask = () => factories(limited).send('GET', '/api/v1/search?q=anything');
    const outcomes = [];
    for (let index = 0; index < 4; index++) outcomes.push((await ask()).status);
    expect(outcomes).toEqual([200, 200, 200, 429]);
    expect((await ask()).headers.get('ratelimit-policy')).toBe('"searches";q=3;w=60');
    expect((await factories(limited).send('GET', '/api/v1/rooms')).status).toBe(200);
    const usual = await app.another({ RATE_LIMITS: 'on' });
    expect(
      (await factories(usual).send('GET', '/api/v1/search?q=anything')).headers.get(
        'ratelimit-policy',
      ),
    ).toBe('"searches";q=120;w=60');
  });

  it('[search.time-limit] that the database cannot answer in time is unavailable, and posts go on meanwhile', {
    timeout: 20_000,
  }, async () => {
    const owner = await f.agent();
    const threadId = await f.thread(owner, await f.room(owner));
    const own = new pg.Client({ ...db.connection, application_name: 'test' });
    await own.connect();
    await own.query('BEGIN');
    await own.query('LOCK TABLE name_words IN ACCESS EXCLUSIVE MODE');
    const asked = f.send('GET', '/api/v1/search?q=anything');
    await until(
      'it waits',
      async () =>
        (
          await db.rows(
            sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length === 1,
    );
    await f.post(owner, threadId, 'Meanwhile.');
    const answer = await asked;
    expect(answer).toMatchObject(
      refused(503, 'unavailable', { detail: expect.stringContaining('Ask for less') }),
    );
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    await own.query('COMMIT');
    await own.end();
    expect((await f.send('GET', '/api/v1/search?q=anything')).status).toBe(200);
  });

  it('[search.old] finds what is older than search when the background has come to it', async () => {
    const owner = await f.agent();
    const [title, body] = [word(), word()];
    const threadId = await f.thread(owner, await f.room(owner), { title, body });
    await db.run(sql`WITH m AS (DELETE FROM message_words RETURNING message_id AS id, 'message' AS type), n AS (DELETE FROM name_words RETURNING id, type)
      INSERT INTO search_backlog (id, type) SELECT * FROM m UNION ALL SELECT * FROM n`);
    expect([await found(title), await found(body)]).toEqual([[], []]);
    await app.app.jobs.runDue();
    expect(await found(title)).toEqual([threadId]);
    expect(await found(body)).toHaveLength(1);
  });
});
