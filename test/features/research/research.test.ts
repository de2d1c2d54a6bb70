import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { definitions } from '../../../src/features/research/experiments.ts';
import { readExportData } from '../../../src/features/research/read-export-data.ts';
import { experimentIds } from '../../../src/features/research/rules.ts';
import { openContent } from '../../../src/kernel/pipeline/open-content.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together } from '../../support/factories.ts';
import { DAY, newcomers, RESEARCH, readDataset } from './setup.ts';

const app = await startApp({ ...RESEARCH, INTERACTIONS_ENABLED: 'on', DATA_KEY: 'ab'.repeat(32) });
const other = await app.another();
const f = factories(app);
const { db } = app.app.env;

const researcher = await f.agent();
const key = await f.keyWith(researcher, 'research');
const metrics = (query: string) => f.send('GET', `/api/v1/research/metrics?${query}`);
const day = (back = 0) => new Date(app.clock() - back * DAY).toISOString().slice(0, 10);
const define = (body: object, as: string = key) =>
  f.send('POST', '/api/v1/research/exports', { key: as, body });
const consent = (agent: TestAgent, yes = true) =>
  f.ok('PUT', '/api/v1/me/research-consent', { key: agent.key, body: { consent: yes } });

const { born, host, room, people } = await newcomers(app, f);
const asked = { experiment: 'activation', from: born, to: born };

describe('the experiments', () => {
  it('[research.experiments] are eight, each with question, population, formula and window', async () => {
    const list = await f.ok('GET', '/api/v1/research/experiments');
    expect(list.map(({ id }: Loose) => id)).toEqual([...experimentIds]);
    for (const { question, population, formula, window, windowDays, values } of list) {
      for (const text of [question, population, formula, window])
        expect(text.length).toBeGreaterThan(10);
      expect(values.length).toBeGreaterThan(1);
      expect(windowDays).toBeGreaterThanOrEqual(0);
    }
    expect(definitions.propagation.windowDays).toBe(14);
  });

  it('[research.docs] the document names each with its window', () => {
    const page = readFileSync(new URL('../../../docs/research.md', import.meta.url), 'utf8');
    for (const id of experimentIds) {
      const { windowDays } = definitions[id];
      const row = new RegExp(`^\\| \`${id}\` \\|.*\\| (none|\\d+ days?) \\|$`, 'm').exec(page);
      expect(row?.[1], id).toBe(
        windowDays === 0 ? 'none' : `${windowDays} day${windowDays === 1 ? '' : 's'}`,
      );
    }
  });
});

describe('a day', () => {
  it('[research.mature] [research.mature-d1-d7] [research.mature-propagation] has no rate until the window of all of it is over, to the millisecond', async () => {
    const row = async (experiment: string) =>
      (
        await f.ok(
          'GET',
          `/api/v1/research/metrics?experiment=${experiment}&from=${born}&to=${born}`,
        )
      )[0];
    for (const [experiment, numerator, denominator] of [
      ['activation', 5, 7],
      ['retention', 0, 7],
      ['propagation', 0, 5],
    ] as const) {
      const over = Date.parse(born) + (definitions[experiment].windowDays + 1) * DAY;
      app.clock.advance(over - 1 - app.clock());
      expect(await row(experiment)).toEqual({
        day: born,
        numerator: 0,
        denominator: 0,
        rate: null,
        mature: false,
        suppressed: true,
      });
      app.clock.advance(1);
      expect(await row(experiment)).toEqual({
        day: born,
        numerator,
        denominator,
        rate: numerator / denominator,
        mature: true,
        suppressed: false,
      });
    }
  });

  it('[research.suppressed] [research.small-groups] with fewer than five authors in a group tells nothing, not even how few', async () => {
    const [alone, quiet] = [await f.agent(), await f.agent()];
    await consent(alone);
    const lonely = await f.room(alone);
    const thread = await f.thread(alone, lonely);
    for (let count = 0; count < 9; count++) await f.post(alone, thread, 'Nobody here.');
    const spoken = day();
    app.clock.advance(20 * DAY);
    expect(quiet).toBeDefined();
    const nothing = { numerator: 0, denominator: 0, rate: null, mature: true, suppressed: true };
    for (const experiment of ['activation', 'propagation', 'reply-latency'])
      expect(
        await f.ok(
          'GET',
          `/api/v1/research/metrics?experiment=${experiment}&from=${spoken}&to=${day(19)}`,
        ),
        experiment,
      ).toEqual([
        { day: spoken, ...nothing },
        { day: day(19), ...nothing },
      ]);
    const { id } = (await define({ experiment: 'propagation', from: spoken, to: spoken })).body;
    expect((await readDataset(f, key, id)).rows).toEqual([]);
  });
});

describe('replies', () => {
  it('[research.metrics-from-facts] of several between two agents on one day the first is taken', async () => {
    const [crowd, answered] = [await f.room(host), people[6] as TestAgent];
    for (const agent of people) await f.join(agent, crowd);
    const spoken = day();
    const tick = () => app.clock.advance(1_000);
    for (const agent of people.slice(0, 5)) {
      const { id, messageId } = await f.ok('POST', `/api/v1/rooms/${crowd}/threads`, {
        key: answered.key,
        body: { title: 'T', body: 'B' },
      });
      tick();
      const first = await f.post(agent, id, 'One.', { replyToId: messageId });
      tick();
      await f.post(answered, id, 'Back.', { replyToId: first.id });
      tick();
      await f.post(agent, id, 'Two.', { replyToId: messageId });
    }
    app.clock.advance(9 * DAY);
    // Each of the five was answered after its first reply, and answered again; after its last one nobody said anything.
    const [row] = await f.ok(
      'GET',
      `/api/v1/research/metrics?experiment=reply-reciprocity&from=${spoken}&to=${spoken}`,
    );
    expect(row).toMatchObject({ numerator: 10, denominator: 10 });
  });
});

describe('four agents', () => {
  it('[research.small-groups] leave no trace: no metric, window or dataset tells what they did, or that there were any', async () => {
    app.clock.advance(DAY - (app.clock() % DAY) + DAY / 24);
    const born = day();
    const [one, two, three, four, silent, made] = (await together(6, () => f.agent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    for (const agent of [one, two, three, four, made]) await consent(agent);
    await f.ok('PUT', `/api/v1/admin/agents/${made.id}/synthetic`, {
      admin: true,
      body: { synthetic: true },
    });
    const small = await f.room(one);
    const all = [one, two, three, four, silent, made];
    for (const agent of all.slice(1)) await f.join(agent, small);
    const said: { readonly thread: string; readonly message: string }[] = [];
    for (const [index, agent] of all.entries()) {
      const { id, messageId } = await f.ok('POST', `/api/v1/rooms/${small}/threads`, {
        key: agent.key,
        body: { title: 'T', body: 'B' },
      });
      said.push({ thread: id, message: messageId });
      const back = await f.post(all[(index + 1) % 6] as TestAgent, id, `See ${said[0]?.message}.`, {
        replyToId: messageId,
      });
      await f.post(agent, id, 'Yes.', { replyToId: back.id });
      await f.ok('PUT', `/api/v1/threads/${id}/summary`, {
        key: agent.key,
        body: { summary: 'S', messageIds: [messageId, back.id] },
      });
    }
    app.clock.advance(20 * DAY);
    const spans = [
      [born, born],
      [day(22), born],
      [born, day(18)],
      [day(89), day()],
    ] as const;
    const datasets = await Promise.all(
      experimentIds.map(
        async (experiment) =>
          (await define({ experiment, from: day(22), to: day() })).body.id as string,
      ),
    );
    /** All that can be read, by how it was asked. */
    async function everything(): Promise<Map<string, string>> {
      const read = new Map<string, string>();
      for (const [index, id] of experimentIds.entries()) {
        for (const [from, to] of spans)
          read.set(
            `${id} ${from} ${to}`,
            (await metrics(`experiment=${id}&from=${from}&to=${to}`)).text,
          );
        read.set(
          `rows of ${id}`,
          JSON.stringify(await readDataset(f, key, datasets[index] as string)),
        );
      }
      return read;
    }
    const before = await everything();
    const changed = async () =>
      [...(await everything())].flatMap(([asked, text]) =>
        text === before.get(asked) ? [] : [asked],
      );
    await f.ok('DELETE', `/api/v1/admin/messages/${said[0]?.message}`, { admin: true });
    expect(await changed()).toEqual([]);
    await f.ok('DELETE', `/api/v1/admin/threads/${said[1]?.thread}`, { admin: true });
    await consent(four, false);
    expect(await changed()).toEqual([]);
    // With a fifth they are a group. What was deleted stays away.
    await consent(four);
    await consent(silent);
    const shown = async (id: string) =>
      (await f.ok('GET', `/api/v1/research/metrics?experiment=${id}&from=${born}&to=${born}`))[0];
    expect(await shown('activation')).toMatchObject({ numerator: 5, denominator: 5 });
    expect(await shown('propagation')).toMatchObject({ suppressed: false });
    await f.ok('PUT', `/api/v1/admin/agents/${silent.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect(await changed()).toEqual([]);
  });
});

describe('consent', () => {
  it('[research.consent] is false until the agent says otherwise, and is known to it alone', async () => {
    const agent = await f.agent();
    const mine = () => f.ok('GET', '/api/v1/me/research-consent', { key: agent.key });
    expect(await mine()).toEqual({ consent: false, updatedAt: null });
    const updatedAt = new Date(app.clock()).toISOString();
    expect(await consent(agent)).toEqual({ consent: true, updatedAt });
    expect(await mine()).toEqual({ consent: true, updatedAt });
    expect(
      (await f.send('GET', '/api/v1/me/research-consent', { key: agent.key })).headers.get(
        'cache-control',
      ),
    ).toBe('private, no-store');
    await consent(agent, false);
    expect(await mine()).toMatchObject({ consent: false });
    for (const body of [
      {},
      { consent: 'yes' },
      { consent: null },
      { consent: 1 },
      { consent: true, why: 'x' },
    ])
      expect(
        await f.send('PUT', '/api/v1/me/research-consent', { key: agent.key, body }),
      ).toMatchObject(refused(400, 'invalid_request'));
    expect(await mine()).toMatchObject({ consent: false });
  });

  it('[research.consent-scope] is said with a key for the forum or for research, and with no other', async () => {
    const agent = await f.agent();
    const body = { consent: true };
    for (const scope of ['forum', 'research'])
      expect(
        (
          await f.send('PUT', '/api/v1/me/research-consent', {
            key: await f.keyWith(agent, scope),
            body,
          })
        ).status,
      ).toBe(200);
    expect(
      await f.send('PUT', '/api/v1/me/research-consent', {
        key: await f.keyWith(agent, 'interactions'),
        body: { consent: false },
      }),
    ).toMatchObject(refused(403, 'insufficient_scope', { requiredScope: 'forum' }));
    expect(await f.ok('GET', '/api/v1/me/research-consent', { key: agent.key })).toMatchObject({
      consent: true,
    });
  });

  it('[research.consent-now] taken back is out of figures and datasets with the next read, on another node too, and comes back when it is given again', async () => {
    const { id } = (await define(asked)).body;
    const before = (await readDataset(f, key, id)).rows;
    await consent(people[6] as TestAgent, false);
    const after = (await readDataset(factories(other), key, id)).rows;
    expect([before.length, after.length]).toEqual([7, 6]);
    expect(after.every(({ author }) => before.some((row) => row.author === author))).toBe(true);
    const query = `experiment=activation&from=${born}&to=${born}`;
    expect(await factories(other).ok('GET', `/api/v1/research/metrics?${query}`)).toMatchObject([
      { numerator: 5, denominator: 6 },
    ]);
    await consent(people[6] as TestAgent);
    const again = (await readDataset(f, key, id)).rows;
    expect(again.map(({ author }) => author).sort()).toEqual(
      before.map(({ author }) => author).sort(),
    );
  });

  it('[research.consent-now] [research.export-rechecks] taken back in the middle of a long reading ends the rows of that agent, as a deletion ends those of a thread', async () => {
    const [crowd, busy] = [await f.room(host), day()];
    for (const agent of people) await f.join(agent, crowd);
    const thread = await f.thread(people[0] as TestAgent, crowd);
    // Many more messages than a batch has, past the service: nobody posts so much in a test.
    await db.run(sql`INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at)
      SELECT gen_random_uuid(), ${thread}, n, (${people.map(({ id }) => id)}::uuid[])[1 + n % 7], 'x', '', gen_random_uuid(), ${`${busy}T23:00:00Z`}::timestamptz + n % 3 * interval '1 day' FROM generate_series(1, 20000) n`);
    app.clock.advance(20 * DAY);
    const { id } = (await define({ experiment: 'propagation', from: busy, to: day(18) })).body;
    // Whole, over batches that end within a day and days that end within a batch.
    expect((await readDataset(f, key, id)).rows).toHaveLength(20_001);
    // Piece by piece, past the socket: what it holds back has left already.
    const call = {
      credentials: { apiKey: key },
      address: '127.0.0.1',
      idempotencyKey: undefined,
      params: { id },
      query: {},
      body: undefined,
    };
    const { content } = await openContent(app.app.env, readExportData as never, call);
    const pieces = content.open()[Symbol.asyncIterator]();
    let text = String((await pieces.next()).value);
    await consent(people[1] as TestAgent, false);
    for (let next = await pieces.next(); !next.done; next = await pieces.next())
      text += String(next.value);
    await consent(people[1] as TestAgent);
    const authors = text
      .trimEnd()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line).author as string);
    const gone = [...new Set(authors)].sort(
      (one, two) => authors.lastIndexOf(one) - authors.lastIndexOf(two),
    )[0] as string;
    const rest = authors.slice(5_000);
    // One of seven is there in the first batch alone; the others are to the last.
    expect([
      authors.includes(gone),
      rest.includes(gone),
      new Set(rest).size,
      new Set(rest.slice(-1_000)).size,
    ]).toEqual([true, false, 6, 6]);
    expect(rest.length).toBeGreaterThan(10_000);
    const lastOf = (read: string) => JSON.parse(read.trimEnd().split('\n').at(-1) as string);
    expect(lastOf(text)).toMatchObject({ type: 'end', rows: authors.length });

    // What is deleted on the way ends at once; the last line counts what came.
    const again = (await openContent(app.app.env, readExportData as never, call)).content
      .open()
      [Symbol.asyncIterator]();
    let cut = String((await again.next()).value);
    await f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true });
    for (let next = await again.next(); !next.done; next = await again.next())
      cut += String(next.value);
    expect([lastOf(cut), cut.split('\n').length]).toMatchObject([
      { type: 'end', rows: 5_000 },
      5_003,
    ]);
  });
});

describe('a dataset', () => {
  it('[research.exports] is a definition that its owner alone reads, with a key for research', async () => {
    const made = (await define(asked)).body;
    expect(made).toEqual({
      id: made.id,
      ...asked,
      createdAt: expect.any(String),
      dataUrl: `${app.url}/api/v1/research/exports/${made.id}/data`,
    });
    expect(await f.ok('GET', `/api/v1/research/exports/${made.id}`, { key })).toEqual(made);
    const stranger = await f.agent();
    for (const path of [made.id, `${made.id}/data`]) {
      const read = (as: string) => f.send('GET', `/api/v1/research/exports/${path}`, { key: as });
      expect(await read(await f.keyWith(stranger, 'research'))).toMatchObject(
        refused(404, 'not_found'),
      );
      expect(await read(researcher.key)).toMatchObject(
        refused(403, 'insufficient_scope', { requiredScope: 'research' }),
      );
      expect(await f.send('GET', `/api/v1/research/exports/${path}`)).toMatchObject(
        refused(401, 'unauthenticated'),
      );
    }
    await f.grant(researcher, 'research', 'revoked');
    expect(await f.send('GET', made.dataUrl.replace(app.url, ''), { key })).toMatchObject(
      refused(403, 'capability_revoked'),
    );
    await f.grant(researcher, 'research');
  });

  it('[research.ndjson] [research.pseudonyms] [research.no-text] names agents and rooms by pseudonyms that are its own, and has no text, id, handle or time of theirs', async () => {
    const [one, two] = [
      (await define({ ...asked, experiment: 'propagation' })).body,
      (await define({ ...asked, experiment: 'propagation' })).body,
    ];
    const [first, again, second] = [
      await readDataset(f, key, one.id),
      await readDataset(f, key, one.id),
      await readDataset(f, key, two.id),
    ];
    expect(first.rows).toHaveLength(5);
    expect(again.rows).toEqual(first.rows);
    for (const row of first.rows as Loose[])
      expect(Object.keys(row)).toEqual(['type', 'day', 'context', 'author', 'value']);
    for (const member of ['author', 'context'] as const) {
      const names = new Set(first.rows.map((row) => row[member]));
      expect(second.rows.filter((row) => names.has(row[member]))).toEqual([]);
      for (const name of names) expect(name).toMatch(/^[\w-]{22}$/);
    }
    const { text } = await f.send('GET', `/api/v1/research/exports/${one.id}/data`, { key });
    for (const { id, handle } of people)
      expect(text.includes(id) || text.includes(handle)).toBe(false);
    expect(text).not.toContain(room);
    // Of its own reading only.
    expect(text.match(/T\d\d:/g)).toHaveLength(1);
  });

  it('[research.key-sealed] keeps the key of its pseudonyms sealed under DATA_KEY, for itself alone', async () => {
    const [one, two] = [(await define(asked)).body, (await define(asked)).body];
    const rows = await db.rows<{ key: Buffer }>(
      sql`SELECT pseudonym_key AS key FROM research_exports WHERE id IN (${one.id}, ${two.id})`,
    );
    for (const { key: kept } of rows) expect([kept[0], kept.length]).toEqual([1, 1 + 12 + 16 + 32]);
    await db.run(
      sql`UPDATE research_exports a SET pseudonym_key = b.pseudonym_key FROM research_exports b WHERE a.id = ${one.id} AND b.id = ${two.id}`,
    );
    expect((await f.send('GET', `/api/v1/research/exports/${one.id}`, { key })).status).toBe(200);
    await expect(readDataset(f, key, one.id)).rejects.toThrow();
  });
});

describe('days', () => {
  it('[research.input] that are none, in the future, in the wrong order or too many are refused, and nothing is made', async () => {
    const before = await db.rows(sql`SELECT id FROM research_exports`);
    const wrong: [string, string, string][] = [
      ['2026-02-30', day(), 'from'],
      ['2026-13-01', day(), 'from'],
      ['0000-00-00', day(), 'from'],
      ['0000-01-01', day(), 'from'],
      ['1999-12-31', '1999-12-31', 'from'],
      [day(), '2026-1-1', 'to'],
      [day(), day(-1), 'to'],
      [day(1), '9999-12-31', 'to'],
      [day(1), day(2), 'from'],
      [day(366), day(), 'from'],
      ['', day(), 'from'],
    ];
    for (const [from, to, at] of wrong) {
      const said = (place: string) =>
        refused(400, 'invalid_request', { errors: [{ pointer: `/${place}/${at}` }] });
      expect(
        await metrics(`experiment=activation&from=${from}&to=${to}`),
        `${from} ${to}`,
      ).toMatchObject(said('query'));
      expect(await define({ experiment: 'activation', from, to })).toMatchObject(said('body'));
    }
    for (const query of [
      '',
      'experiment=',
      'experiment=growth',
      `experiment=activation&from=${day()}&from=${day(1)}`,
      'experiment=activation&page=1',
    ])
      expect(await metrics(query), query).toMatchObject(refused(400, 'invalid_request'));
    for (const body of [
      {},
      { experiment: 'activation' },
      { ...asked, experiment: 'growth' },
      { ...asked, from: 1 },
      { ...asked, from: null },
    ])
      expect(await define(body)).toMatchObject(refused(400, 'invalid_request'));
    expect(await db.rows(sql`SELECT id FROM research_exports`)).toEqual(before);
    expect((await metrics(`experiment=activation&from=${day(365)}&to=${day()}`)).body).toHaveLength(
      366,
    );
    expect((await metrics('experiment=activation')).body).toHaveLength(90);
  });

  it('[research.paging] come all at once, or page by page', async () => {
    const all = await metrics(`experiment=activation&from=${day(9)}`);
    expect([all.body.length, all.headers.get('x-total-count'), all.headers.get('link')]).toEqual([
      10,
      '10',
      null,
    ]);
    const pages = await f.walk(
      `/api/v1/research/metrics?experiment=activation&from=${day(9)}&limit=4`,
    );
    expect([pages.map((rows) => rows.length), pages.flat()]).toEqual([[4, 4, 2], all.body]);
    expect((await metrics(`experiment=activation&offset=8&from=${day(9)}`)).body).toEqual(
      all.body.slice(8),
    );
    for (const wrong of ['limit=0', 'limit=101', 'offset=-1', 'limit=x'])
      expect(await metrics(`experiment=activation&${wrong}`), wrong).toMatchObject(
        refused(400, 'invalid_request'),
      );
  });
});
