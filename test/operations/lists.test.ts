import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import * as roomRows from '../../src/features/rooms/room-rows.store.ts';
import * as threadRows from '../../src/features/threads/thread-rows.store.ts';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  type RequestOptions,
  runConcurrently,
} from '../support/factories.ts';
import { getCase } from './cases.ts';
import { fillPath, registry } from './fixture.ts';
import type { ListRows } from './operation-case.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const owner = await f.createAgent();
const room = await f.createRoom(owner);

/** Rows that every list gets where it has no number of its own: more than a page. */
const TURNS = 53;

interface Arranged {
  readonly path: string;
  readonly as: RequestOptions;
  readonly count: number;
}

type Query = { readonly properties?: Readonly<Record<string, unknown>> };
const lists = registry
  .filter(
    (operation): operation is Operation =>
      operation.kind === 'call' &&
      (operation.query as Query | undefined)?.properties?.offset !== undefined &&
      (operation.output as { type?: string }).type === 'array',
  )
  .map((operation) => {
    const { list } = getCase(operation.name);
    return { name: operation.name, operation, order: list?.order ?? [], total: list?.total };
  });

const arranged = new Map<string, Arranged>();
const getArranged = (name: string): Arranged => {
  const found = arranged.get(name);
  if (!found) throw new Error(`The case of ${name} has no list: say how to fill it.`);
  return found;
};

/** Fills all lists: a row of each in every turn, a little later than the one before. */
beforeAll(async () => {
  const filled: { readonly operation: Operation; readonly rows: ListRows }[] = [];
  for (const { name, operation } of lists) {
    const list = getCase(name).list;
    if (list) filled.push({ operation, rows: await list.arrange({ app, f, owner, room }) });
  }
  for (let index = 0; index < TURNS; index++) {
    // Some turns are at one moment, so that the id decides too.
    app.clock.advance(index % 5 === 0 ? 0 : 1000);
    const guest = await f.createAgent();
    for (const { rows } of filled) await rows.createRow?.({ index, guest });
  }
  for (const { operation, rows } of filled)
    arranged.set(operation.name, {
      path: fillPath(operation, rows.input ?? {}),
      as: rows.as ?? { key: owner.key, admin: true },
      count: (await rows.count?.(TURNS)) ?? TURNS,
    });
});

/** A step of a plan as EXPLAIN (FORMAT JSON) describes it. */
interface PlanStep {
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanStep[];
}

const sumSkipped = (step: PlanStep): number =>
  (step['Rows Removed by Filter'] ?? 0) +
  (step['Rows Removed by Join Filter'] ?? 0) +
  (step.Plans ?? []).reduce((sum, inner) => sum + sumSkipped(inner), 0);

/** Counts the rows that the statements of a read skip when they use indexes wherever they can. */
const countSkippedRows = (read: (tx: Queryable) => Promise<unknown>): Promise<number> =>
  app.app.env.db.transaction(async (tx) => {
    let skipped = 0;
    await tx.run(sql`SET LOCAL enable_seqscan = off`);
    await tx.run(sql`SET LOCAL enable_bitmapscan = off`);
    await tx.run(sql`SET LOCAL enable_sort = off`);
    await read({
      ...tx,
      rows: async <Row>(query: Sql) => {
        const plans = await tx.rows<{ 'QUERY PLAN': readonly { Plan: PlanStep }[] }>(
          sql`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`,
        );
        for (const { 'QUERY PLAN': plan } of plans)
          for (const { Plan } of plan) skipped += sumSkipped(Plan);
        return tx.rows<Row>(query);
      },
    });
    return skipped;
  });

const withPage = (path: string, search: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${search}`;
const getRowId = (row: Json): string => row.id ?? row.agentId ?? row.messageId ?? row.day;

describe('lists', () => {
  it.for(lists)(
    '[wire.list-paging] $name is a bare array of 50, or as many as asked for',
    async ({ name }) => {
      const { path, count, as } = getArranged(name);
      const all: Json[] = await f.ok('GET', withPage(path, 'limit=100'), as);
      expect(Array.isArray(all)).toBe(true);
      expect(all).toHaveLength(count);
      const page = async (search: string) =>
        (await f.ok('GET', withPage(path, search), as)).map(getRowId);
      const ids = all.map(getRowId);
      expect(await page('')).toEqual(ids.slice(0, 50));
      expect(await page('limit=1')).toEqual(ids.slice(0, 1));
      expect(await page('offset=3&limit=7')).toEqual(ids.slice(3, 10));
      expect(await page('offset=0')).toEqual(ids.slice(0, 50));
      expect(await page(`offset=${count - 1}`)).toEqual(ids.slice(-1));
      expect(await page(`offset=${count}`)).toEqual([]);
      expect(await page('offset=2147483647&limit=100')).toEqual([]);
    },
  );

  it.for(lists)('[wire.list-paging] $name refuses a page that cannot be', async ({ name }) => {
    const { path, as } = getArranged(name);
    for (const search of [
      'offset=-1',
      'offset=2147483648',
      'offset=1.5',
      'offset=x',
      'offset=',
      'limit=0',
      'limit=101',
      'limit=-5',
      'limit=',
      'limit=1&limit=2',
      'limit=1e1',
    ]) {
      const member = search.slice(0, search.indexOf('='));
      const answer = await f.send('GET', withPage(path, search), as);
      expect({ search, answer }).toMatchObject({
        search,
        answer: buildProblem(400, 'invalid_request', { errors: [{ pointer: `/query/${member}` }] }),
      });
    }
  });

  it.for(lists)(
    '[wire.list-link] $name shows every row once when Link is followed',
    async ({ name, total }) => {
      const { path, count, as } = getArranged(name);
      for (const limit of [1, 7, count - 1, count]) {
        const first = await f.send('GET', withPage(path, `limit=${limit}`), as);
        expect(first.headers.get('x-total-count')).toBe(total ? String(count) : null);
        expect(first.headers.get('link')).toEqual(
          limit < count ? expect.stringMatching(/^<http:\/\/[^>]+>; rel="next"$/) : null,
        );
        const pages = await f.listPages(withPage(path, `limit=${limit}`), as);
        expect(pages.map((rows) => rows.length)).toEqual([
          ...Array(Math.floor(count / limit)).fill(limit),
          ...(count % limit ? [count % limit] : []),
        ]);
        expect(pages.flat().map(getRowId)).toEqual(
          (await f.ok('GET', withPage(path, 'limit=100'), as)).map(getRowId),
        );
        expect(new Set(pages.flat().map(getRowId)).size).toBe(count);
      }
    },
  );

  it('[wire.list-link] the link keeps the rest of the address and its origin', async () => {
    const { headers, body: rows } = await f.send(
      'GET',
      `/api/v1/threads?roomId=${room}&limit=2&offset=4`,
    );
    expect(headers.get('link')).toBe(
      `<${app.url}/api/v1/threads?roomId=${room}&limit=2&before=${rows.at(-1).id}` +
        `&beforeAt=${encodeURIComponent(rows.at(-1).lastMessageAt)}>; rel="next"`,
    );
  });

  it('[wire.list-moving] listThreads goes on where the last row stood', async () => {
    const author = await f.createAgent();
    const own = await f.createRoom(author);
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      app.clock.advance(1000);
      ids.unshift(await f.createThread(author, own));
    }
    const first = await f.send('GET', `/api/v1/threads?roomId=${own}&limit=2`);
    const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
    const path = next.slice(app.url.length);
    const idsAt = async (from: string) => (await f.ok('GET', from)).map(getRowId);
    app.clock.advance(1000);
    await f.postMessage(author, ids[1] ?? '', 'Up');
    expect(await idsAt(path)).toEqual(ids.slice(2, 4));
    await f.ok('DELETE', `/api/v1/admin/threads/${ids[1]}`, { admin: true });
    expect(await idsAt(path)).toEqual(ids.slice(2, 4));
  });

  it('[wire.list-moving] listThreads takes beforeAt together with before only', async () => {
    expect(await f.send('GET', `/api/v1/threads?beforeAt=2026-01-01T00:00:00.000Z`)).toMatchObject(
      buildProblem(400, 'invalid_request', { errors: [{ pointer: '/query/beforeAt' }] }),
    );
  });

  it('[wire.list-unseen] rooms and threads of others are not walked', async () => {
    const author = await f.createAgent();
    const stranger = await f.createAgent();
    const open = await f.createRoom(author);
    await f.archiveRoom(author, await f.createRoom(author));
    for (let index = 0; index < 30; index++) {
      const hidden = await f.createRoom(author, 'private');
      await f.createThread(author, hidden);
      await f.createThread(author, open, { visibility: 'private' });
    }
    const page = { offset: 0, limit: 5 };
    for (const [name, read] of [
      ['threads', (tx: Queryable) => threadRows.list(tx, stranger.id, {}, page)],
      [
        'threads of a room',
        (tx: Queryable) => threadRows.list(tx, stranger.id, { roomId: open }, page),
      ],
      ...[null, true, false].map(
        (archived) =>
          [
            `rooms, archived ${archived}`,
            (tx: Queryable) => roomRows.list(tx, stranger.id, { mine: false, archived }, page),
          ] as const,
      ),
    ] as const)
      expect({ name, skipped: await countSkippedRows(read) }).toEqual({ name, skipped: 0 });
  });

  it.for(lists)(
    '[wire.list-before] $name goes on after any of its rows, as far as one wants',
    async ({ name }) => {
      const { path, as, count } = getArranged(name);
      const ids = (await f.ok('GET', withPage(path, 'limit=100'), as)).map(getRowId);
      const page = async (search: string) =>
        (await f.ok('GET', withPage(path, search), as)).map(getRowId);
      for (const place of [0, 3, count - 2])
        expect(await page(`before=${ids[place]}&limit=2`)).toEqual(ids.slice(place + 1, place + 3));
      expect(await page(`before=${ids[0]}&offset=1&limit=2`)).toEqual(ids.slice(2, 4));
      expect(await page(`before=${ids.at(-1)}`)).toEqual([]);
    },
  );

  it.for(lists)('[wire.list-before] $name refuses what is no row of it', async ({ name }) => {
    const { path, as } = getArranged(name);
    const isRefused = buildProblem(400, 'invalid_request', {
      errors: [{ pointer: '/query/before' }],
    });
    for (const before of ['x', randomUUID(), ''])
      expect(await f.send('GET', withPage(path, `before=${before}`), as)).toMatchObject(isRefused);
  });

  it('[wire.list-before] [wire.list-hides] a row of others looks like none', async () => {
    const stranger = await f.createAgent();
    const hidden = await f.createRoom(owner, 'private');
    const read = (path: string, before: string) =>
      f.send('GET', `${path}?before=${before}`, { key: stranger.key });
    const { requestId: _one, ...unknown } = (await read('/api/v1/rooms', randomUUID())).body;
    const { requestId: _two, ...private_ } = (await read('/api/v1/rooms', hidden)).body;
    expect(private_).toEqual(unknown);
    const thread = await f.createThread(owner, hidden);
    expect((await read('/api/v1/threads', thread)).status).toBe(400);
    expect((await f.send('GET', `/api/v1/threads?before=${thread}`, owner)).status).toBe(200);
  });

  it('[wire.list-deep] a deep offset that takes too long says to use before', async () => {
    await app.app.env.db.transaction(async (tx) => {
      await tx.run(sql`LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE`);
      const deep = runConcurrently(12, () => f.send('GET', '/api/v1/rooms?offset=1001'));
      // Others are answered meanwhile.
      await f.ok('GET', '/api/v1/agents');
      for (const answer of await deep) {
        expect(answer).toMatchObject(buildProblem(503, 'unavailable', { retryAfterSeconds: 1 }));
        expect(answer.body.detail).toContain('`before`');
      }
    });
  });

  it('[wire.list-deep] an offset far beyond the end reads no row', async () => {
    const statements: string[] = [];
    await app.app.env.db.transaction(async (tx) => {
      const watched = {
        ...tx,
        rows: <Row>(query: Sql) => {
          statements.push(query.text);
          return tx.rows<Row>(query);
        },
      };
      expect(
        await threadRows.list(
          watched,
          null,
          { roomId: room },
          { offset: 2_000_000_000, limit: 50 },
        ),
      ).toEqual([]);
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain('LIMIT 0');
  });

  it.for(lists.filter(({ order }) => order.length > 0))(
    '[wire.list-order] $name is newest first by $order',
    async ({ name, order }) => {
      const { path, as } = getArranged(name);
      const rows: Json[] = (await f.listPages(path, as)).flat();
      const getSortKey = (row: Json) => order.map((member) => row[member] as string);
      const places = rows.map((row) => getSortKey(row).join(' '));
      expect(places).toEqual([...places].sort().reverse());
      // There are rows of one moment, so that the id decides too.
      const moments = rows.map((row) => getSortKey(row)[0]);
      expect(new Set(moments).size).toBeLessThan(moments.length);
    },
  );

  it('[wire.list-order] a thread comes up when a message is posted in it', async () => {
    const threads = (): Promise<Json[]> => f.ok('GET', `/api/v1/threads?roomId=${room}`);
    const last = (await threads()).at(-1);
    app.clock.advance(1000);
    await f.postMessage(owner, last.id, 'Up');
    expect((await threads())[0].id).toBe(last.id);
  });

  it('[wire.list-paging] every list of the registry is read here, and nothing else', () => {
    expect(
      registry.filter(({ name }) => getCase(name).list !== undefined).map(({ name }) => name),
    ).toEqual(lists.map(({ name }) => name));
    expect([...arranged.keys()]).toEqual(lists.map(({ name }) => name));
  });
});
