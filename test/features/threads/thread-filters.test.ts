import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { raw, type Sql, sql } from '../../../src/db/sql.ts';
import * as threadRows from '../../../src/features/threads/thread-rows.store.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada');
const bob = await f.createAgent('bob');
const carol = await f.createAgent('carol');
const room = await f.createRoom(ada);
const hiddenRoom = await f.createRoom(ada, 'private');
await f.joinRoom(bob, room);

const question = await f.createThread(ada, room, { kind: 'question', tags: ['parser', 'v2'] });
const reply = await f.createThread(bob, room, { tags: ['parser'] });
await f.postMessage(ada, reply, 'An answer.');
const monologue = await f.createThread(bob, room);
await f.postMessage(bob, monologue, 'More.');
const hidden = await f.createThread(ada, hiddenRoom, { kind: 'question', tags: ['parser'] });
const membersOnly = await f.createThread(ada, room, { visibility: 'private', tags: ['v2'] });

const list = async (query: string, who?: { readonly key: string }): Promise<string[]> =>
  (await f.ok('GET', `/api/v1/threads?${query}`, { key: who?.key })).map(({ id }: Json) => id);
const sorted = (...ids: string[]) => ids.sort();

/** Indexes that hold every public thread of this test. One that is not expected is dropped. */
const walkedIndexes = [
  'threads_public_latest',
  'threads_public_latest_of_room',
  'threads_public_of_kind',
  'threads_public_of_author',
  'threads_public_unanswered_of_kind',
];

describe('listThreads', () => {
  it('[thread.filters] filters by tag, kind and author', async () => {
    expect((await list('tag=parser')).sort()).toEqual(sorted(question, reply));
    expect((await list('tag=parser', ada)).sort()).toEqual(sorted(question, reply, hidden));
    expect((await list('tag=v2', bob)).sort()).toEqual(sorted(question, membersOnly));
    expect(await list('kind=question')).toEqual([question]);
    expect((await list('kind=question', ada)).sort()).toEqual(sorted(question, hidden));
    expect(await list('kind=question', carol)).toEqual([question]);
    expect((await list('author=bob')).sort()).toEqual(sorted(reply, monologue));
    expect(await list('author=ada')).toEqual([question]);
    expect((await list('author=ada', bob)).sort()).toEqual(sorted(question, membersOnly));
  });

  it('[thread.filters] filters by what is unanswered and what the reader follows', async () => {
    expect((await list('unanswered=true')).sort()).toEqual(sorted(question, monologue));
    expect(await list('unanswered=false')).toEqual([reply]);
    await f.ok('PUT', `/api/v1/threads/${question}/subscription`, { key: carol.key });
    expect(await list('subscribed=true', carol)).toEqual([question]);
    expect((await list('subscribed=false', carol)).sort()).toEqual(sorted(reply, monologue));
    expect(await list(`subscribed=true&roomId=${hiddenRoom}`, ada)).toEqual([hidden]);
    expect(await list('subscribed=true&author=bob', carol)).toEqual([]);
  });

  it('[thread.filters] needs all of several filters', async () => {
    expect(await list(`roomId=${room}&tag=parser&unanswered=true&kind=question`)).toEqual([
      question,
    ]);
    expect(await list('tag=v2&author=bob', bob)).toEqual([]);
  });

  it('[thread.filters] refuses an unknown author, and subscribed without a key', async () => {
    for (const query of ['author=nobody', 'author=no%20handle', 'subscribed=true', 'kind=chat'])
      expect(await f.send('GET', `/api/v1/threads?${query}`)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
  });

  it('[handle.any-case] takes handles in any case', async () => {
    expect((await list('author=Bob')).sort()).toEqual(sorted(reply, monologue));
    expect((await list('author=%40BOB')).sort()).toEqual(sorted(reply, monologue));
    expect(await f.ok('GET', '/api/v1/agents/Ada')).toMatchObject({ handle: 'ada' });
    expect((await f.send('GET', '/agents/ADA', { headers: { accept: 'text/html' } })).status).toBe(
      200,
    );
    const found = await f.ok('GET', '/api/v1/search?q=from%3AAda%20answer');
    expect(found.results).toHaveLength(1);
  });

  it.for([
    ['tag', { tag: 'parser' }, 'threads_public_tags'],
    ['kind', { kind: 'question' }, 'threads_public_of_kind'],
    ['author', { authorId: bob.id }, 'threads_public_of_author'],
    ['unanswered', { unanswered: true }, 'threads_public_unanswered'],
    [
      'unanswered of a room',
      { unanswered: true, roomId: room },
      'threads_public_unanswered_of_room',
    ],
    ['outcome of a room', { outcome: true, roomId: room }, 'threads_public_outcomes_of_room'],
    [
      'unanswered of a kind',
      { unanswered: true, kind: 'question' },
      'threads_public_unanswered_of_kind',
    ],
    ['subscribed', { subscribed: true }, 'threads_pkey'],
  ] as const)('[thread.filter-indexes] [attack.39-4] by %s', async ([, filters, index]) => {
    let plan = '';
    await app.app.env.db
      .transaction(async (tx) => {
        await tx.run(sql`SET LOCAL enable_seqscan = off`);
        // Among so few threads, walking all of them costs least: any index that can do that goes.
        for (const other of walkedIndexes.filter((name) => name !== index))
          await tx.run(sql`DROP INDEX ${raw(other)}`);
        const explaining: Queryable = {
          ...tx,
          rows: async <Row>(query: Sql) => {
            plan += JSON.stringify(await tx.rows(sql`EXPLAIN (FORMAT JSON) ${query}`));
            return tx.rows<Row>(query);
          },
        };
        await threadRows.list(explaining, bob.id, filters, { offset: 0, limit: 50 });
        throw new Error('undo');
      })
      .catch((error: Error) => expect(error.message).toBe('undo'));
    expect(plan).toContain(`"${index}"`);
  });

  it('[attack.9-2] (API4) threads not followed are not compared with each that is', async () => {
    let text = '';
    const reading: Queryable = {
      ...app.app.env.db,
      rows: (query) => {
        text += query.text;
        return app.app.env.db.rows(query);
      },
    };
    const list = (subscribed: boolean) =>
      threadRows.list(reading, bob.id, { subscribed }, { offset: 0, limit: 50 });
    const followed = await list(true);
    const others = await list(false);
    expect(text).not.toContain('<> ALL');
    const ids = followed.map(({ id }) => id);
    expect(ids.length * others.length).toBeGreaterThan(0);
    expect(others.filter(({ id }) => ids.includes(id))).toEqual([]);
  });
});
