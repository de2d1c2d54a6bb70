import { randomUUID } from 'node:crypto';
import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { type Round, toRound, toSpread } from '../measure/stats.ts';
import { createScreenshotData, screenshotSettings } from '../screenshots/create-data.ts';

/** What every page stays below: bytes without compression, and the median of its milliseconds. */
const bars = { kilobytes: 60, milliseconds: 20 } as const;

/** The figures of a page. */
interface MeasuredPage extends Round {
  readonly name: string;
  /** The size of the page without compression. */
  readonly bytes: number;
}

/** Measures reads of a page one after the other, without the first one. */
async function measurePage(
  url: string,
  name: string,
  paths: readonly string[],
  reads: number,
): Promise<MeasuredPage> {
  const latencies: number[] = [];
  let bytes = 0;
  for (let count = -1; count < reads; count++) {
    const began = performance.now();
    const answer = await fetch(url + paths[(count + 1) % paths.length], {
      headers: { accept: 'text/html' },
    });
    const { byteLength } = await answer.arrayBuffer();
    if (!answer.ok && name !== 'missing') throw new Error(`${name} answered ${answer.status}.`);
    if (count >= 0) latencies.push(performance.now() - began);
    bytes = Math.max(bytes, byteLength);
  }
  return { name, bytes, ...toRound(latencies, 1) };
}

/**
 * Adds public threads by SQL, because posting them would take too long. Returns the threads with
 * the ids of their messages.
 */
async function addThreads(
  sql: SqlLimit,
  lengths: readonly number[],
): Promise<{ readonly id: string; readonly messages: readonly string[] }[]> {
  const threads = lengths.map((length) => ({
    id: randomUUID(),
    messages: Array.from({ length }, () => randomUUID()),
  }));
  for (const { id, messages } of threads) {
    await sql.run(
      `INSERT INTO threads (
         id, room_id, title, kind, visibility, author_id, message_count, created_at,
         last_message_at
       )
       SELECT $1, r.id, 'Many messages', 'discussion', 'public', r.owner_id, $2, now(), now()
       FROM rooms r
       WHERE r.visibility = 'public'
       LIMIT 1`,
      [id, messages.length],
    );
    await sql.run(
      `INSERT INTO messages (
         id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
       )
       SELECT m.id, t.id, m.nr - 1, t.author_id,
         'Message ' || m.nr || '. ' || repeat('A thought, a reason and a *question*. ', 6), '',
         gen_random_uuid(), now()
       FROM threads t, unnest($2::uuid[]) WITH ORDINALITY AS m (id, nr)
       WHERE t.id = $1`,
      [id, messages],
    );
  }
  for (const text of ['VACUUM ANALYZE', 'CHECKPOINT']) await sql.run(text);
  return threads;
}

/** Lists different pages of a thread, so that none of them is cached. */
const listPagePaths = (id: string, length: number, from: number): string[] =>
  Array.from(
    { length: 50 },
    (_, index) =>
      `/threads/${id}?offset=${Math.min(length - 1, Math.floor(length * from) + index)}`,
  );

const renderLine = ({ name, bytes, p50, p99 }: MeasuredPage): string =>
  `  ${name.padEnd(34)} ${(bytes / 1024).toFixed(1).padStart(6)} KB  median ` +
  `${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms\n`;

const isAbove = ({ bytes, p50 }: MeasuredPage): boolean =>
  bytes / 1024 > bars.kilobytes || p50 > bars.milliseconds;

/** Renders the pages as a table in Markdown, the largest first. */
const renderTable = (pages: readonly MeasuredPage[]): string =>
  [
    '| Page | KB | median, ms | p99, ms |',
    '|---|---:|---:|---:|',
    ...pages
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(
        ({ name, bytes, p50, p99 }) =>
          `| ${name} | ${(bytes / 1024).toFixed(1)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`,
      ),
    '',
  ].join('\n');

/**
 * Measures the size and time of each page, and of pages anywhere in a short thread and in a very
 * long one.
 */
export async function benchPages({
  messages,
  reads,
}: {
  readonly messages: string;
  readonly reads: string;
}): Promise<void> {
  const length = Number(messages);
  const times = Number(reads);
  await using service = await startService(screenshotSettings);
  const { paths } = await createScreenshotData(service);
  const open = Object.entries(paths).filter(([name]) => !name.includes('/'));
  const pages: MeasuredPage[] = [];
  for (const [name, path] of open) pages.push(await measurePage(service.url, name, [path], times));
  process.stdout.write(renderTable(pages));
  const above = pages.filter(isAbove).map(({ name }) => name);
  process.stdout.write(
    `To reach: ${bars.kilobytes} KB and ${bars.milliseconds} ms in the median. ` +
      `Above: ${above.join(', ') || 'none'}.\n`,
  );
  const size = toSpread(pages.map(({ bytes }) => bytes / 1024));
  const time = toSpread(pages.map(({ p50 }) => p50));
  process.stdout.write(
    `The median page has ${size.median.toFixed(1)} KB (at most ${size.max.toFixed(1)}) and ` +
      `takes ${time.median.toFixed(1)} ms.\n`,
  );

  await using sql = await connectSql(service.database.connection, 1);
  const [short, long] = (await addThreads(sql, [200, length])) as [
    { id: string; messages: string[] },
    { id: string; messages: string[] },
  ];
  const listAnchoredPaths = (at: number): string[] =>
    long.messages.slice(at, at + 50).map((id) => `/threads/${long.id}?anchorId=${id}`);
  for (const [name, threadPaths] of [
    ['200 messages, first', listPagePaths(short.id, 200, 0)],
    ...[0, 0.5, 0.99].map(
      (from) =>
        [`${length} messages, at ${from * 100} %`, listPagePaths(long.id, length, from)] as const,
    ),
    [`${length} messages, by id`, listAnchoredPaths(Math.floor(length * 0.7))],
  ] as const)
    process.stdout.write(renderLine(await measurePage(service.url, name, threadPaths, times)));
}
