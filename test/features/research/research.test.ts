import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { definitions } from '../../../src/features/research/experiments.ts';
import { readExportData } from '../../../src/features/research/read-export-data.ts';
import { experimentIds } from '../../../src/features/research/rules.ts';
import { openContent } from '../../../src/kernel/pipeline/open-content.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';
import { createNewcomers, DAY, readDataset, researchSettings } from './setup.ts';

const app = await startApp({
  ...researchSettings,
  INTERACTIONS_ENABLED: 'on',
  DATA_KEY: 'ab'.repeat(32),
});
const other = await app.startNode();
const f = factories(app);
const { db } = app.app.env;

const researcher = await f.createAgent();
const key = await f.getKeyWithScope(researcher, 'research');
const getMetrics = (query: string) => f.send('GET', `/api/v1/research/metrics?${query}`);
const getDay = (back = 0) => new Date(app.clock() - back * DAY).toISOString().slice(0, 10);
const createExport = (body: object, as: string = key) =>
  f.send('POST', '/api/v1/research/exports', { key: as, body });
const setConsent = (agent: TestAgent, yes = true) =>
  f.ok('PUT', '/api/v1/me/research-consent', { key: agent.key, body: { consent: yes } });

const { firstDay: born, host, room, people } = await createNewcomers(app, f);
const asked = { experiment: 'activation', from: born, to: born };

describe('listExperiments', () => {
  it('[research.experiments] lists eight, each with question, formula and window', async () => {
    const list = await f.ok('GET', '/api/v1/research/experiments');
    expect(list.map(({ id }: Json) => id)).toEqual([...experimentIds]);
    for (const { question, population, formula, window, windowDays, values } of list) {
      for (const text of [question, population, formula, window])
        expect(text.length).toBeGreaterThan(10);
      expect(values.length).toBeGreaterThan(1);
      expect(windowDays).toBeGreaterThanOrEqual(0);
    }
    expect(definitions.propagation.windowDays).toBe(14);
  });

  it('[attack.14-2] (API4) counts in a queue of its own, and no search waits for it', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = db.transaction(() => released, { statementTimeoutMs: 60_000, queue: 'figures' });
    const path = `/api/v1/research/metrics?experiment=activation&from=${born}&to=${born}`;
    let counted = 0;
    const counts = Array.from({ length: 4 }, () =>
      f.ok('GET', path).finally(() => {
        counted += 1;
      }),
    );
    await waitUntil('all wait', () => db.countWaitingReads('figures') === 4);
    expect(await f.send('GET', path)).toMatchObject({ status: 429 });
    expect((await f.send('GET', '/api/v1/search?q=nothing')).status).toBe(200);
    expect(counted).toBe(0);
    release();
    await Promise.all([slow, ...counts]);
    expect(counted).toBe(4);
  });

  it('[attack.20-2] (API4) refuses nobody who waits for nothing yet', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = db.transaction(() => released, { statementTimeoutMs: 60_000, queue: 'figures' });
    const path = `/api/v1/research/metrics?experiment=activation&from=${born}&to=${born}`;
    const callers = await runConcurrently(6, () => f.createAgent());
    const counts: Promise<Json>[] = [];
    const read = (caller: TestAgent) => counts.push(f.send('GET', path, { key: caller.key }));
    for (const caller of callers.slice(0, 4)) for (let nr = 0; nr < 4; nr++) read(caller);
    await waitUntil('all wait', () => db.countWaitingReads('figures') === 16);
    for (const caller of callers.slice(4)) read(caller);
    await waitUntil('the others wait too', () => db.countWaitingReads('figures') === 18);
    for (const { key: own } of callers.slice(4))
      expect(await f.send('GET', path, { key: own })).toMatchObject({ status: 503 });
    release();
    await slow;
    for (const { status } of await Promise.all(counts)) expect(status).toBe(200);
  });

  it('[research.docs] matches the document, which names each with its window', () => {
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

describe('getMetrics by day', () => {
  it(
    '[research.mature] [research.mature-d1-d7] ' +
      '[research.mature-propagation] has no rate until the window of a whole day is over',
    async () => {
      const getRow = async (experiment: string) =>
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
        expect(await getRow(experiment)).toEqual({
          day: born,
          numerator: 0,
          denominator: 0,
          rate: null,
          mature: false,
          suppressed: true,
        });
        app.clock.advance(1);
        expect(await getRow(experiment)).toEqual({
          day: born,
          numerator,
          denominator,
          rate: numerator / denominator,
          mature: true,
          suppressed: false,
        });
      }
    },
  );

  it('[research.suppressed] [research.small-groups] hides days of fewer than five', async () => {
    const alone = await f.createAgent();
    const quiet = await f.createAgent();
    await setConsent(alone);
    const lonely = await f.createRoom(alone);
    const thread = await f.createThread(alone, lonely);
    for (let count = 0; count < 9; count++) await f.postMessage(alone, thread, 'Nobody here.');
    const spoken = getDay();
    app.clock.advance(20 * DAY);
    expect(quiet).toBeDefined();
    const nothing = { numerator: 0, denominator: 0, rate: null, mature: true, suppressed: true };
    for (const experiment of ['activation', 'propagation', 'reply-latency'])
      expect(
        await f.ok(
          'GET',
          `/api/v1/research/metrics?experiment=${experiment}&from=${spoken}&to=${getDay(19)}`,
        ),
        experiment,
      ).toEqual([
        { day: spoken, ...nothing },
        { day: getDay(19), ...nothing },
      ]);
    const { id } = (await createExport({ experiment: 'propagation', from: spoken, to: spoken }))
      .body;
    expect((await readDataset(f, key, id)).rows).toEqual([]);
  });
});

describe('getMetrics of replies', () => {
  it('[research.metrics-from-facts] counts the first of several between two agents', async () => {
    const crowd = await f.createRoom(host);
    const answered = people[6] as TestAgent;
    for (const agent of people) await f.joinRoom(agent, crowd);
    const spoken = getDay();
    const advanceSecond = () => app.clock.advance(1_000);
    for (const agent of people.slice(0, 5)) {
      const { id, messageId } = await f.ok('POST', `/api/v1/rooms/${crowd}/threads`, {
        key: answered.key,
        body: { title: 'T', body: 'B' },
      });
      advanceSecond();
      const first = await f.postMessage(agent, id, 'One.', { replyToId: messageId });
      advanceSecond();
      await f.postMessage(answered, id, 'Back.', { replyToId: first.id });
      advanceSecond();
      await f.postMessage(agent, id, 'Two.', { replyToId: messageId });
    }
    app.clock.advance(9 * DAY);
    // Each of the five received an answer after its first reply, and another one later. Nobody
    // wrote anything after its last reply.
    const [row] = await f.ok(
      'GET',
      `/api/v1/research/metrics?experiment=reply-reciprocity&from=${spoken}&to=${spoken}`,
    );
    expect(row).toMatchObject({ numerator: 10, denominator: 10 });
  });
});

describe('getMetrics of four agents', () => {
  it('[research.small-groups] leaves no trace in metrics, windows and datasets', async () => {
    app.clock.advance(DAY - (app.clock() % DAY) + DAY / 24);
    const firstDay = getDay();
    const [one, two, three, four, silent, made] = (await runConcurrently(6, () =>
      f.createAgent(),
    )) as [TestAgent, TestAgent, TestAgent, TestAgent, TestAgent, TestAgent];
    for (const agent of [one, two, three, four, made]) await setConsent(agent);
    await f.ok('PUT', `/api/v1/admin/agents/${made.id}/synthetic`, {
      admin: true,
      body: { synthetic: true },
    });
    const small = await f.createRoom(one);
    const all = [one, two, three, four, silent, made];
    for (const agent of all.slice(1)) await f.joinRoom(agent, small);
    const said: { readonly thread: string; readonly message: string }[] = [];
    for (const [index, agent] of all.entries()) {
      const { id, messageId } = await f.ok('POST', `/api/v1/rooms/${small}/threads`, {
        key: agent.key,
        body: { title: 'T', body: 'B' },
      });
      said.push({ thread: id, message: messageId });
      const back = await f.postMessage(
        all[(index + 1) % 6] as TestAgent,
        id,
        `See ${said[0]?.message}.`,
        {
          replyToId: messageId,
        },
      );
      await f.postMessage(agent, id, 'Yes.', { replyToId: back.id });
      await f.ok('PUT', `/api/v1/threads/${id}/summary`, {
        key: agent.key,
        body: { summary: 'S', messageIds: [messageId, back.id] },
      });
    }
    app.clock.advance(20 * DAY);
    const spans = [
      [firstDay, firstDay],
      [getDay(22), firstDay],
      [firstDay, getDay(18)],
      [getDay(89), getDay()],
    ] as const;
    const datasets = await Promise.all(
      experimentIds.map(
        async (experiment) =>
          (await createExport({ experiment, from: getDay(22), to: getDay() })).body.id as string,
      ),
    );
    /** Reads everything that can be read, keyed by its query. */
    async function readEverything(): Promise<Map<string, string>> {
      const read = new Map<string, string>();
      for (const [index, id] of experimentIds.entries()) {
        for (const [from, to] of spans)
          read.set(
            `${id} ${from} ${to}`,
            (await getMetrics(`experiment=${id}&from=${from}&to=${to}`)).text,
          );
        read.set(
          `rows of ${id}`,
          JSON.stringify(await readDataset(f, key, datasets[index] as string)),
        );
      }
      return read;
    }
    const before = await readEverything();
    const listChanged = async () =>
      [...(await readEverything())].flatMap(([asked, text]) =>
        text === before.get(asked) ? [] : [asked],
      );
    await f.ok('DELETE', `/api/v1/admin/messages/${said[0]?.message}`, { admin: true });
    expect(await listChanged()).toEqual([]);
    await f.ok('DELETE', `/api/v1/admin/threads/${said[1]?.thread}`, { admin: true });
    await setConsent(four, false);
    expect(await listChanged()).toEqual([]);
    // With a fifth agent they form a group, and deleted content stays excluded.
    await setConsent(four);
    await setConsent(silent);
    const getFigures = async (id: string) =>
      (
        await f.ok(
          'GET',
          `/api/v1/research/metrics?experiment=${id}&from=${firstDay}&to=${firstDay}`,
        )
      )[0];
    expect(await getFigures('activation')).toMatchObject({ numerator: 5, denominator: 5 });
    expect(await getFigures('propagation')).toMatchObject({ suppressed: false });
    await f.ok('PUT', `/api/v1/admin/agents/${silent.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect(await listChanged()).toEqual([]);
  });
});

describe('setConsent', () => {
  it('[research.consent] is false by default, and getConsent shows it to its agent', async () => {
    const agent = await f.createAgent();
    const getMyConsent = () => f.ok('GET', '/api/v1/me/research-consent', { key: agent.key });
    expect(await getMyConsent()).toEqual({ consent: false, updatedAt: null });
    const updatedAt = new Date(app.clock()).toISOString();
    expect(await setConsent(agent)).toEqual({ consent: true, updatedAt });
    expect(await getMyConsent()).toEqual({ consent: true, updatedAt });
    expect(
      (await f.send('GET', '/api/v1/me/research-consent', { key: agent.key })).headers.get(
        'cache-control',
      ),
    ).toBe('private, no-store');
    await setConsent(agent, false);
    expect(await getMyConsent()).toMatchObject({ consent: false });
    for (const body of [
      {},
      { consent: 'yes' },
      { consent: null },
      { consent: 1 },
      { consent: true, why: 'x' },
    ])
      expect(
        await f.send('PUT', '/api/v1/me/research-consent', { key: agent.key, body }),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await getMyConsent()).toMatchObject({ consent: false });
  });

  it('[research.consent-scope] needs the scope forum or research', async () => {
    const agent = await f.createAgent();
    const body = { consent: true };
    for (const scope of ['forum', 'research'])
      expect(
        (
          await f.send('PUT', '/api/v1/me/research-consent', {
            key: await f.getKeyWithScope(agent, scope),
            body,
          })
        ).status,
      ).toBe(200);
    expect(
      await f.send('PUT', '/api/v1/me/research-consent', {
        key: await f.getKeyWithScope(agent, 'interactions'),
        body: { consent: false },
      }),
    ).toMatchObject(buildProblem(403, 'insufficient_scope', { requiredScope: 'forum' }));
    expect(await f.ok('GET', '/api/v1/me/research-consent', { key: agent.key })).toMatchObject({
      consent: true,
    });
  });

  it('[research.consent-now] takes effect at the next read on every node', async () => {
    const { id } = (await createExport(asked)).body;
    const before = (await readDataset(f, key, id)).rows;
    await setConsent(people[6] as TestAgent, false);
    const after = (await readDataset(factories(other), key, id)).rows;
    expect({ before: before.length, after: after.length }).toEqual({ before: 7, after: 6 });
    expect(after.every(({ author }) => before.some((row) => row.author === author))).toBe(true);
    const query = `experiment=activation&from=${born}&to=${born}`;
    expect(await factories(other).ok('GET', `/api/v1/research/metrics?${query}`)).toMatchObject([
      { numerator: 5, denominator: 6 },
    ]);
    await setConsent(people[6] as TestAgent);
    const again = (await readDataset(f, key, id)).rows;
    expect(again.map(({ author }) => author).sort()).toEqual(
      before.map(({ author }) => author).sort(),
    );
  });

  it('[research.consent-now] [research.export-rechecks] ends rows amid a read', async () => {
    const crowd = await f.createRoom(host);
    const busy = getDay();
    for (const agent of people) await f.joinRoom(agent, crowd);
    const thread = await f.createThread(people[0] as TestAgent, crowd);
    // The rows are inserted by SQL, because nobody posts more messages than a batch holds in a
    // test.
    await db.run(sql`
      INSERT INTO messages (
        id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
      )
      SELECT gen_random_uuid(), ${thread}, n, (${people.map(({ id }) => id)}::uuid[])[1 + n % 7],
        'x', '', gen_random_uuid(), ${`${busy}T23:00:00Z`}::timestamptz + n % 3 * interval '1 day'
      FROM generate_series(1, 20000) n
    `);
    app.clock.advance(20 * DAY);
    const { id } = (await createExport({ experiment: 'propagation', from: busy, to: getDay(18) }))
      .body;
    // The whole export has batches that end within a day and days that end within a batch.
    expect((await readDataset(f, key, id)).rows).toHaveLength(20_001);
    // The pieces are read from the generator, because a socket buffers data that has already left.
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
    await setConsent(people[1] as TestAgent, false);
    for (let next = await pieces.next(); !next.done; next = await pieces.next())
      text += String(next.value);
    await setConsent(people[1] as TestAgent);
    const authors = text
      .trimEnd()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line).author as string);
    const gone = [...new Set(authors)].sort(
      (one, two) => authors.lastIndexOf(one) - authors.lastIndexOf(two),
    )[0] as string;
    const rest = authors.slice(5_000);
    // One of seven agents is in the first batch only, and the others stay to the last.
    expect({
      begun: authors.includes(gone),
      gone: rest.includes(gone),
      authors: new Set(rest).size,
      lastAuthors: new Set(rest.slice(-1_000)).size,
    }).toEqual({ begun: true, gone: false, authors: 6, lastAuthors: 6 });
    expect(rest.length).toBeGreaterThan(10_000);
    const parseLastLine = (read: string) => JSON.parse(read.trimEnd().split('\n').at(-1) as string);
    expect(parseLastLine(text)).toMatchObject({ type: 'end', rows: authors.length });

    // Deletion on the way ends the rows at once, and the last line counts those that came.
    const again = (await openContent(app.app.env, readExportData as never, call)).content
      .open()
      [Symbol.asyncIterator]();
    let cut = String((await again.next()).value);
    await f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true });
    for (let next = await again.next(); !next.done; next = await again.next())
      cut += String(next.value);
    expect({ end: parseLastLine(cut), lines: cut.split('\n').length }).toMatchObject({
      end: { type: 'end', rows: 5_000 },
      lines: 5_003,
    });
  });
});

describe('createExport', () => {
  it('[research.exports] stores a definition that only its owner can read', async () => {
    const made = (await createExport(asked)).body;
    expect(made).toEqual({
      id: made.id,
      ...asked,
      createdAt: expect.any(String),
      dataUrl: `${app.url}/api/v1/research/exports/${made.id}/data`,
    });
    expect(await f.ok('GET', `/api/v1/research/exports/${made.id}`, { key })).toEqual(made);
    const stranger = await f.createAgent();
    for (const path of [made.id, `${made.id}/data`]) {
      const read = (as: string) => f.send('GET', `/api/v1/research/exports/${path}`, { key: as });
      expect(await read(await f.getKeyWithScope(stranger, 'research'))).toMatchObject(
        buildProblem(404, 'not_found'),
      );
      expect(await read(researcher.key)).toMatchObject(
        buildProblem(403, 'insufficient_scope', { requiredScope: 'research' }),
      );
      expect(await f.send('GET', `/api/v1/research/exports/${path}`)).toMatchObject(
        buildProblem(401, 'unauthenticated'),
      );
    }
    await f.grantCapability(researcher, 'research', 'revoked');
    expect(await f.send('GET', made.dataUrl.replace(app.url, ''), { key })).toMatchObject(
      buildProblem(403, 'capability_revoked'),
    );
    await f.grantCapability(researcher, 'research');
  });

  it(
    '[research.ndjson] [research.pseudonyms] [research.no-text] ' +
      'uses pseudonyms and includes no text',
    async () => {
      const one = (await createExport({ ...asked, experiment: 'propagation' })).body;
      const two = (await createExport({ ...asked, experiment: 'propagation' })).body;
      const first = await readDataset(f, key, one.id);
      const again = await readDataset(f, key, one.id);
      const second = await readDataset(f, key, two.id);
      expect(first.rows).toHaveLength(5);
      expect(again.rows).toEqual(first.rows);
      for (const row of first.rows as Json[])
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
      // The pseudonyms are those of this export only.
      expect(text.match(/T\d\d:/g)).toHaveLength(1);
    },
  );

  it('[research.key-sealed] encrypts the key of its pseudonyms under DATA_KEY', async () => {
    const one = (await createExport(asked)).body;
    const two = (await createExport(asked)).body;
    const rows = await db.rows<{ key: Buffer }>(sql`
      SELECT pseudonym_key AS key
      FROM research_exports
      WHERE id IN (${one.id}, ${two.id})
    `);
    for (const { key: kept } of rows)
      expect({ version: kept[0], length: kept.length }).toEqual({
        version: 1,
        length: 1 + 12 + 16 + 32,
      });
    await db.run(sql`
      UPDATE research_exports a
      SET pseudonym_key = b.pseudonym_key
      FROM research_exports b
      WHERE a.id = ${one.id} AND b.id = ${two.id}
    `);
    expect((await f.send('GET', `/api/v1/research/exports/${one.id}`, { key })).status).toBe(200);
    await expect(readDataset(f, key, one.id)).rejects.toThrow();
  });
});

describe('listExports', () => {
  it("[research.list] lists one's own datasets, and nobody else's", async () => {
    const own = await f.createAgent();
    const ownKey = await f.getKeyWithScope(own, 'research');
    const list = (as: string) => f.ok('GET', '/api/v1/research/exports', { key: as });
    expect(await list(ownKey)).toEqual([]);
    const { body } = await f.send('POST', '/api/v1/research/exports', {
      key: ownKey,
      body: asked,
    });
    expect(await list(ownKey)).toEqual([body]);
    expect((await list(key)).map(({ id }: Json) => id)).not.toContain(body.id);
  });
});

describe('days of getMetrics and createExport', () => {
  it('[research.ahead] may be ahead: days to come are not mature', async () => {
    const { body } = await getMetrics(`experiment=activation&from=${getDay()}&to=${getDay(-365)}`);
    expect(body).toHaveLength(366);
    expect(body.at(-1)).toEqual({
      day: getDay(-365),
      numerator: 0,
      denominator: 0,
      rate: null,
      mature: false,
      suppressed: true,
    });
    const span = { from: getDay(-1), to: getDay(-366) };
    expect(await createExport({ experiment: 'activation', ...span })).toMatchObject({
      status: 200,
      body: span,
    });
  });

  it('[research.input] are rejected when invalid, and nothing is stored', async () => {
    const before = await db.rows(sql`SELECT id FROM research_exports`);
    const wrong: [string, string, string][] = [
      ['2026-02-30', getDay(), 'from'],
      ['2026-13-01', getDay(), 'from'],
      ['0000-00-00', getDay(), 'from'],
      ['0000-01-01', getDay(), 'from'],
      ['1999-12-31', '1999-12-31', 'from'],
      [getDay(), '2026-1-1', 'to'],
      [getDay(1), '9999-12-31', 'to'],
      [getDay(-300), getDay(-367), 'to'],
      [getDay(1), getDay(2), 'from'],
      [getDay(366), getDay(), 'from'],
      ['', getDay(), 'from'],
    ];
    for (const [from, to, at] of wrong) {
      const buildRefusal = (place: string) =>
        buildProblem(400, 'invalid_request', { errors: [{ pointer: `/${place}/${at}` }] });
      expect(
        await getMetrics(`experiment=activation&from=${from}&to=${to}`),
        `${from} ${to}`,
      ).toMatchObject(buildRefusal('query'));
      expect(await createExport({ experiment: 'activation', from, to })).toMatchObject(
        buildRefusal('body'),
      );
    }
    for (const query of [
      '',
      'experiment=',
      'experiment=growth',
      `experiment=activation&from=${getDay()}&from=${getDay(1)}`,
      'experiment=activation&page=1',
    ])
      expect(await getMetrics(query), query).toMatchObject(buildProblem(400, 'invalid_request'));
    for (const body of [
      {},
      { experiment: 'activation' },
      { ...asked, experiment: 'growth' },
      { ...asked, from: 1 },
      { ...asked, from: null },
    ])
      expect(await createExport(body)).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(await db.rows(sql`SELECT id FROM research_exports`)).toEqual(before);
    expect(
      (await getMetrics(`experiment=activation&from=${getDay(365)}&to=${getDay()}`)).body,
    ).toHaveLength(366);
    expect((await getMetrics('experiment=activation')).body).toHaveLength(90);
  });

  it('[research.paging] come all at once, or page by page', async () => {
    const all = await getMetrics(`experiment=activation&from=${getDay(9)}`);
    expect({
      length: all.body.length,
      totalCount: all.headers.get('x-total-count'),
      link: all.headers.get('link'),
    }).toEqual({ length: 10, totalCount: '10', link: null });
    const pages = await f.listPages(
      `/api/v1/research/metrics?experiment=activation&from=${getDay(9)}&limit=4`,
    );
    expect({ lengths: pages.map((rows) => rows.length), rows: pages.flat() }).toEqual({
      lengths: [4, 4, 2],
      rows: all.body,
    });
    expect((await getMetrics(`experiment=activation&offset=8&from=${getDay(9)}`)).body).toEqual(
      all.body.slice(8),
    );
    for (const wrong of ['limit=0', 'limit=101', 'offset=-1', 'limit=x'])
      expect(await getMetrics(`experiment=activation&${wrong}`), wrong).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
  });
});
