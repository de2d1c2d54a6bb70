import { findCorpus } from '../content/corpus.ts';
import { createSetup } from '../content/setup.ts';
import { openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { readDatabaseCounters } from '../measure/database-counters.ts';
import { readDatabaseTime, readProcessorTime } from '../measure/processor-time.ts';
import type { Round } from '../measure/stats.ts';
import { formatNumber, renderMarkdownTable } from '../report/document.ts';
import { readStorage, type StoredTable } from './storage.ts';

export interface ByteOptions {
  readonly posts: string;
  readonly length: string;
  readonly connections: string;
  readonly data?: string;
}

const ROUND_SECONDS = 5;
const TEXTS = 5_000;
/** What has fewer bytes a post is none of what grows with posts. */
const LEAST_BYTES = 0.5;

/** Cuts the texts of a corpus anew, so that each has so many characters. */
function cutTexts(bodies: readonly string[], length: number): string[] {
  const text = bodies.join(' ').replaceAll('@', '').replaceAll(/\s+/g, ' ');
  const count = Math.min(TEXTS, Math.floor(text.length / length));
  return Array.from({ length: count }, (_, nr) => text.slice(nr * length, (nr + 1) * length));
}

const countMessages = async (sql: SqlLimit): Promise<number> =>
  Number((await sql.run('SELECT count(*)::int AS count FROM messages'))[0]?.count);

/** Waits until all receipts are in the log, and backends have reported what they did. */
async function waitForJobs(sql: SqlLimit): Promise<void> {
  for (;;) {
    const [row] = await sql.run('SELECT count(*)::int AS count FROM portable_queue');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    if (Number(row?.count) === 0) return;
  }
}

/** What posts need besides places: bytes of the write-ahead log, milliseconds of processors. */
type Spent = Readonly<Record<'walBytes' | 'service' | 'database', number>>;

/** What is stored after a number of posts, and what was spent on them. */
interface Reading {
  readonly posts: number;
  readonly tables: readonly StoredTable[];
  readonly spent: Spent;
}

const addSpent = (sum: Spent, before: Spent, after: Spent): Spent => ({
  walBytes: sum.walBytes + after.walBytes - before.walBytes,
  service: sum.service + after.service - before.service,
  database: sum.database + after.database - before.database,
});

/** Lists what a post added between two readings: rows, and bytes of each table and index. */
function listParts(before: Reading, after: Reading): Map<string, readonly [number, number]> {
  const posts = after.posts - before.posts;
  const parts = new Map<string, readonly [number, number]>();
  for (const table of after.tables) {
    const old = before.tables.find(({ name }) => name === table.name);
    const rows = (table.added - (old?.added ?? 0)) / posts;
    parts.set(table.name, [rows, (table.bytes - (old?.bytes ?? 0)) / posts]);
    for (const [name, bytes] of table.indexes)
      parts.set(`— ${name}`, [rows, (bytes - (old?.indexes.get(name) ?? 0)) / posts]);
  }
  return parts;
}

/** Renders what a post adds, by each number of posts, and how far the first foretells the last. */
function renderReadings(readings: readonly Reading[]): string {
  const [start, ...later] = readings as [Reading, ...Reading[]];
  const all = later.map((reading) => listParts(start, reading));
  const sum = (parts: Map<string, readonly [number, number]>) =>
    [...parts.values()].reduce((total, [, bytes]) => total + bytes, 0);
  const rows = [...(all.at(-1) ?? [])]
    .filter(([, [, bytes]]) => bytes >= LEAST_BYTES)
    .map(([name, [count]]) => [
      name,
      name.startsWith('—') ? '' : count.toFixed(2),
      ...all.map((parts) => formatNumber(parts.get(name)?.[1] ?? 0)),
    ]);
  const each = (name: keyof Spent, factor = 1) =>
    later.map(({ posts, spent }) => formatNumber((spent[name] * factor) / (posts - start.posts)));
  const head = later.map(({ posts }) => `bytes a post, ${formatNumber(posts - start.posts)} posts`);
  return renderMarkdownTable(
    ['', 'rows a post', ...head],
    [
      ...rows,
      ['all', '', ...all.map((parts) => formatNumber(sum(parts)))],
      ['write-ahead log', '', ...each('walBytes')],
      ['service, µs', '', ...each('service', 1000)],
      ['database, µs', '', ...each('database', 1000)],
    ],
  );
}

/** Runs the command `bench bytes`: what a post with three followers leaves in the database. */
export async function benchBytes(options: ByteOptions): Promise<void> {
  await using service = await startService({ RATE_LIMITS: 'off', LOAD_LIMITS: 'off' });
  const corpus = await findCorpus(options.data, service.folder);
  const { threads, authors } = await createSetup(service, corpus);
  await using sql = await connectSql(service.database.connection, 1);
  using load = openChild<LoadCommand, Round | null>('load');
  const bodies = cutTexts(corpus.bodies, Number(options.length));
  const keys = authors.map(({ key }) => key);
  const profile = { kind: 'post', threads, keys, bodies } as const;
  await load.ask({ keep: 'post', profile, adminKey: service.adminKey });
  const readSpent = async (): Promise<Spent> => {
    const { walBytes } = await readDatabaseCounters(sql);
    const used = readProcessorTime(service.pid);
    const spent = readDatabaseTime(service.database.location.data);
    return { walBytes, service: used.own + used.kernel, database: spent.own + spent.kernel };
  };
  const read = async (spent: Spent): Promise<Reading> => ({
    posts: await countMessages(sql),
    tables: await readStorage(sql),
    spent,
  });
  const run = { run: 'post', url: service.url, connections: Number(options.connections) };
  let spent: Spent = { walBytes: 0, service: 0, database: 0 };
  const first = await read(spent);
  const readings = [first];
  for (const posts of options.posts.split(',').map(Number)) {
    const before = await readSpent();
    while ((await countMessages(sql)) < first.posts + posts)
      await load.ask({ ...run, seconds: ROUND_SECONDS });
    await waitForJobs(sql);
    spent = addSpent(spent, before, await readSpent());
    readings.push(await read(spent));
    console.log(`${formatNumber(posts)} posts at ${new Date().toISOString()}`);
  }
  console.log(`\n${corpus.name}, ${options.length} characters.\n\n${renderReadings(readings)}`);
}
