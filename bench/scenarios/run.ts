import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Corpus, findCorpus } from '../content/corpus.ts';
import { createLongThread } from '../content/long-thread.ts';
import { type BenchSetup, createSetup } from '../content/setup.ts';
import type { BareAnswers } from '../load/bare.ts';
import { openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import type { PageRef } from '../load/profiles.ts';
import { type BenchService, importFile, startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import * as statements from '../load/statements.ts';
import {
  type Bench,
  measure,
  measureInTurn,
  measureRounds,
  type Pace,
} from '../measure/measure.ts';
import { readDatabaseMemory, readResidentMemory } from '../measure/memory.ts';
import type { Round } from '../measure/stats.ts';
import { replaceBetweenMarkers } from '../report/document.ts';
import { describeMachine } from '../report/machine.ts';
import { renderRangePlot } from '../report/range-plot.ts';
import { goals, renderLoadTable, renderOtherTable } from '../report/results.ts';
import { measureExport } from './export.ts';
import { measureLog } from './log.ts';
import { measureSearch } from './search.ts';

/** The options of the command line. */
export interface BenchOptions {
  readonly data?: string;
  readonly quick?: boolean;
  readonly write?: boolean;
}

const fullPace: Pace = { rounds: 5, seconds: 2, bareRounds: 3, bareSeconds: 1, wakeUps: 200 };
const quickPace: Pace = { rounds: 3, seconds: 0.7, bareRounds: 3, bareSeconds: 0.4, wakeUps: 40 };
const LONG_THREAD = 100_000;
const searchedMessages = { full: 1_000_000, quick: 50_000 };
const logEntries = { full: 1_000_000, quick: 50_000 };
const exportedMessages = { full: 1_000_000, quick: 100_000 };
const CONNECTIONS = 8;

const documentPath = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));
const plotName = 'rates.svg';

/** Records one response of each kind from the service. */
async function recordBareAnswers(
  { url, adminKey }: BenchService,
  { threads, authors, idle }: BenchSetup,
  { bodies }: Corpus,
  page: PageRef,
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

/** Finds the page of median size, which the bare route sends for all pages. */
async function findTypicalPage(sql: SqlLimit, pages: readonly PageRef[]): Promise<PageRef> {
  const rows = await sql.run(
    `SELECT p.n::int
     FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS p (thread_id, start, n)
     JOIN messages m ON m.thread_id = p.thread_id
       AND m.position >= p.start AND m.position < p.start + 50
     GROUP BY p.n
     ORDER BY sum(octet_length(m.body))`,
    [pages.map(({ threadId }) => threadId), pages.map(({ offset }) => offset)],
  );
  return pages[Number(rows[Math.floor(rows.length / 2)]?.n ?? 1) - 1] as PageRef;
}

/**
 * Runs the whole bench: it starts everything, imports the data, measures, reports and cleans up.
 */
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
  const report = (what: string) => {
    // The run stops between two steps, so that everything is cleaned up as at a normal end.
    if (interrupted) throw new Error('The bench was interrupted; nothing was written.');
    process.stderr.write(
      `${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}\n`,
    );
  };
  const pace = quick ? quickPace : fullPace;
  report('starting the service on a database of its own');
  await using service = await startService();
  const machine = describeMachine(service.database, service.folder, new Date());
  const { url, adminKey, database } = service;
  const memory: { service: number; database: number | null } = { service: 0, database: null };
  const sampleMemory = () => {
    const resident = readResidentMemory(service.pid);
    const databaseMemory = readDatabaseMemory(database.location.data);
    memory.service = Math.max(memory.service, resident.peak);
    if (databaseMemory !== null) memory.database = Math.max(memory.database ?? 0, databaseMemory);
    report(
      `  memory of the service: ${Math.round(resident.now)} MiB, at most ` +
        `${Math.round(resident.peak)} MiB so far`,
    );
  };

  const corpus = await findCorpus(data, service.folder);
  report(`importing ${corpus.name}`);
  const imported = await importFile(service, corpus.file);
  sampleMemory();
  report('creating rooms and threads to measure with');
  const setup = await createSetup(service, corpus);
  await using sql = await connectSql(database.connection, CONNECTIONS);
  const answers = await recordBareAnswers(
    service,
    setup,
    corpus,
    await findTypicalPage(sql, setup.publicPages),
  );
  using load = openChild<LoadCommand, Round | null>('load');
  using bareProcess = openChild<BareAnswers, string>('bare');
  const bareUrl = await bareProcess.ask(answers);
  const bench: Bench = { pace, url, bareUrl, adminKey, load, sql, report, sampleMemory };

  const { authors, subscribers, idle, threads, publicPages, privatePages } = setup;
  const [owner, member] = authors;
  const [reader] = subscribers;
  if (!owner || !member || !reader) throw new Error('The setup has no agents.');
  const { bodies } = corpus;
  const posts = { kind: 'post', threads, keys: authors.map(({ key }) => key), bodies } as const;
  const post = statements.createPostStatements(setup, bodies, answers.post);
  const posted = await measure(bench, 'a post, three subscribers', posts, post);
  await using single = await connectSql(database.connection, 1);
  const alone = await measureRounds(pace.bareRounds, () => single.measure(pace.bareSeconds, post));
  const loads: Parameters<typeof renderLoadTable>[0][number][] = [
    { goal: goals.posts, measured: posted },
    {
      goal: goals.pages,
      measured: await measure(
        bench,
        'a page of 50, public, stranger',
        { kind: 'page', pages: publicPages, key: null },
        statements.createPageStatements(publicPages),
      ),
    },
    {
      goal: goals.pages,
      measured: await measure(
        bench,
        'a page of 50, private, member',
        { kind: 'page', pages: privatePages, key: member.key },
        statements.createPageStatements(privatePages),
      ),
    },
    {
      goal: goals.poll,
      measured: await measure(
        bench,
        'an empty poll',
        { kind: 'poll', keys: [idle.key], cursor: 0 },
        statements.createPollStatements(idle.id, 0),
      ),
    },
    {
      goal: goals.none,
      measured: await measure(
        bench,
        'a registration',
        { kind: 'register' },
        statements.createRegisterStatements(answers.register),
      ),
    },
  ];

  report('waking a reader');
  const wakeUpOptions = {
    url,
    adminKey,
    readerKey: reader.key,
    posterKey: owner.key,
    threadId: threads[0] ?? '',
    times: pace.wakeUps,
  };
  const wake = (await load.ask({ wake: wakeUpOptions })) as Round;

  report(`inserting a thread of ${LONG_THREAD} messages`);
  const long = await createLongThread(sql, setup, LONG_THREAD);
  const buildEnd = (pages: readonly PageRef[]) => ({
    profile: { kind: 'page', pages, key: null } as const,
    statement: statements.createPageStatements(pages),
  });
  const ends = await measureInTurn(bench, CONNECTIONS, {
    first: buildEnd(long.first),
    last: buildEnd(long.last),
  });

  report('exporting a large room');
  const exported = await measureExport(
    service,
    single,
    setup,
    quick ? exportedMessages.quick : exportedMessages.full,
    quick ? 1 : 2,
  );
  sampleMemory();

  const search = await measureSearch(
    bench,
    service,
    setup,
    bodies,
    quick ? searchedMessages.quick : searchedMessages.full,
    posts,
  );
  loads.push(...search.searches.map((measured) => ({ goal: goals.search, measured })));

  const logged = await measureLog(
    bench,
    service,
    owner.id,
    quick ? logEntries.quick : logEntries.full,
    posts,
  );

  const seconds = Math.round((performance.now() - began) / 1000);
  const text = [
    `${machine}. ${quick ? 'Quick run: rounds too short to trust. ' : ''}The run took ` +
      `${seconds} s.`,
    `![Answers a second of each kind of call, beside their upper limits](${plotName})`,
    renderLoadTable(loads),
    renderOtherTable({
      wake: { ...wake, times: pace.wakeUps },
      ends,
      messages: LONG_THREAD,
      posts: { one: alone, eight: posted.sql },
      exported,
      search,
      logged,
      memory,
    }),
    `The import of ${corpus.name} with eight posters, by the command line (including its own ` +
      'processor time):',
    `\`\`\`\n${imported}\n\`\`\``,
  ].join('\n\n');
  process.stdout.write(`${text}\n`);
  if (write) {
    replaceBetweenMarkers(documentPath, text);
    writeFileSync(
      join(dirname(documentPath), plotName),
      renderRangePlot(loads.map(({ measured }) => measured)),
    );
    report(`written to ${join('docs', 'benchmarks.md')}`);
  }
}
