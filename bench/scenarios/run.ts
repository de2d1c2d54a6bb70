import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BareAnswers } from '../load/bare.ts';
import { openChild } from '../load/child.ts';
import { type Corpus, findCorpus } from '../content/corpus.ts';
import { replaceBetweenMarkers } from '../report/document.ts';
import { measureExport } from './export.ts';
import type { Load } from '../load/load.ts';
import { measureLog } from './log.ts';
import { makeLongThread } from '../content/long-thread.ts';
import { describeMachine } from '../report/machine.ts';
import { type Bench, compare, measure, type Pace, several } from '../measure/measure.ts';
import { databaseMemory, residentOf } from '../measure/memory.ts';
import type { Page } from '../load/profiles.ts';
import { goals, loadTable, otherTable } from '../report/results.ts';
import { createScene, type Scene } from '../content/setup.ts';
import { measureSearch } from './search.ts';
import { importInto, type Service, startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import * as statements from '../load/statements.ts';
import type { Round } from '../measure/stats.ts';

export interface BenchOptions {
  readonly data?: string;
  readonly quick?: boolean;
  readonly write?: boolean;
}

const FULL: Pace = { rounds: 5, seconds: 2, bareRounds: 3, bareSeconds: 1, wakeUps: 200 };
const QUICK: Pace = { rounds: 3, seconds: 0.7, bareRounds: 3, bareSeconds: 0.4, wakeUps: 40 };
const LONG_THREAD = 100_000;
const SEARCHED = { full: 1_000_000, quick: 50_000 };
const LOGGED = { full: 1_000_000, quick: 50_000 };
const EXPORTED = { full: 1_000_000, quick: 100_000 };
const CONNECTIONS = 8;

const documentPath = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** One answer of each kind, as the service gives it. */
async function answersOf(
  { url, adminKey }: Service,
  { threads, authors, idle }: Scene,
  { bodies }: Corpus,
  page: Page,
): Promise<BareAnswers> {
  const send = async (
    method: string,
    path: string,
    key: string | null,
    body?: object,
  ): Promise<string> => {
    const headers = {
      'x-admin-key': adminKey,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(key !== null && { 'x-api-key': key }),
    };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.text();
  };
  return {
    post: await send('POST', `/api/v1/threads/${threads[0]}/messages`, authors[0]?.key ?? '', {
      body: bodies[0],
    }),
    page: await send(
      'GET',
      `/api/v1/threads/${page.threadId}/messages?offset=${page.offset}`,
      null,
    ),
    poll: await send('GET', '/api/v1/events?cursor=0', idle.key),
    register: await send('POST', '/api/v1/agents', null, {
      handle: `sample-${page.threadId.slice(-12)}`,
    }),
  };
}

/** The page of middle size, which stands for all of them on the bare route. */
async function typicalPage(sql: SqlLimit, pages: readonly Page[]): Promise<Page> {
  const rows = await sql.run(
    `SELECT p.n::int FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS p (thread_id, start, n)
       JOIN messages m ON m.thread_id = p.thread_id AND m.position >= p.start AND m.position < p.start + 50
     GROUP BY p.n ORDER BY sum(octet_length(m.body))`,
    [pages.map(({ threadId }) => threadId), pages.map(({ offset }) => offset)],
  );
  return pages[Number(rows[Math.floor(rows.length / 2)]?.n ?? 1) - 1] as Page;
}

/** The whole run: starts everything, loads the data, measures, writes down, and leaves nothing behind. */
export async function runBench({
  data,
  quick = false,
  write = !quick,
}: BenchOptions): Promise<void> {
  const began = performance.now();
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
    });
  }
  const say = (what: string) => {
    // Between two steps, so that everything is put back as at a normal end.
    if (interrupted) throw new Error('The bench was interrupted; nothing was written.');
    process.stderr.write(
      `${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}\n`,
    );
  };
  const pace = quick ? QUICK : FULL;
  say('starting the service on a database of its own');
  await using service = await startService();
  const machine = describeMachine(service.database, service.folder, new Date());
  const { url, adminKey, database } = service;
  const memory: { service: number; database: number | null } = { service: 0, database: null };
  const look = () => {
    const resident = residentOf(service.pid);
    const ofDatabase = databaseMemory(database.location.data);
    memory.service = Math.max(memory.service, resident.peak);
    if (ofDatabase !== null) memory.database = Math.max(memory.database ?? 0, ofDatabase);
    say(
      `  memory of the service: ${Math.round(resident.now)} MiB, at most ${Math.round(resident.peak)} MiB so far`,
    );
  };

  const corpus = await findCorpus(data, service.folder);
  say(`importing ${corpus.name}`);
  const imported = await importInto(service, corpus.file);
  look();
  say('making rooms and threads to measure with');
  const scene = await createScene(service, corpus);
  await using sql = await connectSql(database.connection, CONNECTIONS);
  const answers = await answersOf(
    service,
    scene,
    corpus,
    await typicalPage(sql, scene.publicPages),
  );
  using load = openChild<Load, Round | null>('load');
  using bareProcess = openChild<BareAnswers, string>('bare');
  const bareUrl = await bareProcess.ask(answers);
  const bench: Bench = { pace, url, bareUrl, adminKey, load, sql, say, look };

  const { authors, subscribers, idle, threads, publicPages, privatePages } = scene;
  const [owner, member] = authors;
  const [reader] = subscribers;
  if (!owner || !member || !reader) throw new Error('The scene is empty.');
  const { bodies } = corpus;
  const posts = { kind: 'post', threads, keys: authors.map(({ key }) => key), bodies } as const;
  const post = statements.posts(scene, bodies, answers.post);
  const posted = await measure(bench, 'a post, three subscribers', posts, post);
  await using single = await connectSql(database.connection, 1);
  const alone = await several(pace.bareRounds, () => single.measure(pace.bareSeconds, post));
  const loads: Parameters<typeof loadTable>[0][number][] = [
    { goal: goals.posts, measured: posted },
    {
      goal: goals.pages,
      measured: await measure(
        bench,
        'a page of 50, public, stranger',
        { kind: 'page', pages: publicPages, key: null },
        statements.pages(publicPages),
      ),
    },
    {
      goal: goals.pages,
      measured: await measure(
        bench,
        'a page of 50, private, member',
        { kind: 'page', pages: privatePages, key: member.key },
        statements.pages(privatePages),
      ),
    },
    {
      goal: goals.poll,
      measured: await measure(
        bench,
        'an empty poll',
        { kind: 'poll', key: idle.key, cursor: 0 },
        statements.polls(idle.id, 0),
      ),
    },
    {
      goal: goals.none,
      measured: await measure(
        bench,
        'a registration',
        { kind: 'register' },
        statements.registrations(answers.register),
      ),
    },
  ];

  say('waking a reader');
  const waking = {
    url,
    adminKey,
    readerKey: reader.key,
    posterKey: owner.key,
    threadId: threads[0] ?? '',
    times: pace.wakeUps,
  };
  const wake = (await load.ask({ wake: waking })) as Round;

  say(`writing a thread of ${LONG_THREAD} messages`);
  const long = await makeLongThread(sql, scene, LONG_THREAD);
  const end = (pages: readonly Page[]) => ({
    profile: { kind: 'page', pages, key: null } as const,
    statement: statements.pages(pages),
  });
  const ends = await compare(bench, CONNECTIONS, { first: end(long.first), last: end(long.last) });

  say('exporting a large room');
  const exported = await measureExport(
    service,
    single,
    scene,
    quick ? EXPORTED.quick : EXPORTED.full,
    quick ? 1 : 2,
  );
  look();

  const search = await measureSearch(
    bench,
    service,
    scene,
    bodies,
    quick ? SEARCHED.quick : SEARCHED.full,
    posts,
  );
  loads.push(...search.searches.map((measured) => ({ goal: goals.search, measured })));

  const logged = await measureLog(
    bench,
    service,
    owner.id,
    quick ? LOGGED.quick : LOGGED.full,
    posts,
  );

  const seconds = Math.round((performance.now() - began) / 1000);
  const text = [
    `${machine}. ${quick ? 'Quick run: rounds too short to trust. ' : ''}The run took ${seconds} s.`,
    loadTable(loads),
    otherTable({
      wake: { ...wake, times: pace.wakeUps },
      ends,
      messages: LONG_THREAD,
      posts: { one: alone, eight: posted.sql },
      exported,
      search,
      logged,
      memory,
    }),
    `The import of ${corpus.name}, eight posters, by the command line (its own processor time included):`,
    `\`\`\`\n${imported}\n\`\`\``,
  ].join('\n\n');
  process.stdout.write(`${text}\n`);
  if (write) {
    replaceBetweenMarkers(documentPath, text);
    say(`written to ${join('docs', 'benchmarks.md')}`);
  }
}
