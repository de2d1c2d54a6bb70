import { createHash, randomUUID } from 'node:crypto';
import { type Database, openDatabase, type Transaction } from '../../src/db/database.ts';
import { join, raw, type Sql, sql } from '../../src/db/sql.ts';
import { splitWords } from '../../src/features/search/search-words.rules.ts';
import { formatMessageWords } from '../../src/features/search/word-index.store.ts';
import { findCorpus } from '../content/corpus.ts';
import { type BenchSetup, createSetup } from '../content/setup.ts';
import { startService } from '../load/service.ts';
import { connectSql } from '../load/sql-limit.ts';
import { readDatabaseTime } from '../measure/processor-time.ts';
import { toSpread } from '../measure/stats.ts';
import { formatSpread, renderMarkdownTable } from '../report/document.ts';
import {
  buildEventParts,
  buildEventStatements,
  buildPostParts,
  type PostRow,
} from './closing-parts.ts';

export interface ClosingOptions {
  readonly seconds: string;
  readonly rounds: string;
}

/** So many posts share a transaction, and so many a transaction that tells followers later. */
const BATCHES = [1, 8];
const LATER = 64;

const sendAsOne = (tx: Transaction, parts: readonly Sql[], more: readonly Sql[]): void =>
  tx.send(
    sql`WITH ${join([...parts.map((part, nr) => sql`${raw(`part${nr}`)} AS (${part})`), ...more])}
      SELECT`,
  );

/** Writes a batch of posts and their events. */
type Write = (db: Database, posts: readonly PostRow[], followers: readonly string[]) => unknown;

const inOneStatement: Write = (db, posts, followers) =>
  db.transaction(
    async (tx) => sendAsOne(tx, buildPostParts(posts), buildEventParts(posts, followers)),
    { genericPlans: true },
  );

const inOneEachTable: Write = (db, posts, followers) =>
  db.transaction(
    async (tx) => {
      for (const part of [...buildPostParts(posts), ...buildEventStatements(posts, followers)])
        tx.send(part);
    },
    { genericPlans: true },
  );

/** Writes the posts with a note for each, and tells followers of very many in another one. */
const createOutbox = (): Write => {
  let waiting: PostRow[] = [];
  return async (db, posts, followers) => {
    const note = sql`
      INSERT INTO outbox (id)
      SELECT *
      FROM unnest(${posts.map(({ id }) => id)}::uuid[])
    `;
    await db.transaction(async (tx) => sendAsOne(tx, [...buildPostParts(posts), note], []), {
      genericPlans: true,
    });
    waiting.push(...posts);
    if (waiting.length < LATER) return;
    const told = waiting;
    waiting = [];
    const taken = sql`DELETE FROM outbox WHERE id = ANY(${told.map(({ id }) => id)}::uuid[])`;
    await db.transaction(async (tx) => sendAsOne(tx, [taken], buildEventParts(told, followers)), {
      genericPlans: true,
    });
  };
};

const ways: readonly (readonly [string, Write])[] = [
  ['one statement', inOneStatement],
  ['one statement a table, same round trip', inOneEachTable],
  ['one statement, followers told later by an outbox', createOutbox()],
];

/** Returns what makes posts of the corpus, one after the other. */
function createPosts({ threads, authors, roomId }: BenchSetup, bodies: readonly string[]) {
  let count = 100_000;
  return (): PostRow => {
    count += 1;
    const body = bodies[count % bodies.length] ?? '';
    const author = authors[count % authors.length];
    const by = { roomId, authorHandle: author?.handle ?? '', privateTo: null };
    return {
      id: randomUUID(),
      thread: threads[count % threads.length] ?? '',
      position: count,
      author: author?.id ?? '',
      body,
      words: formatMessageWords(splitWords(body), by).replaceAll('@', '0'),
      receipt: randomUUID(),
      at: new Date().toISOString(),
      hash: createHash('sha256').update(body).digest(),
      response: Buffer.alloc(600, body),
    };
  };
}

/** Runs the command `bench closing`: posts by SQL alone, in one statement and in several. */
export async function benchClosing(options: ClosingOptions): Promise<void> {
  await using service = await startService();
  const corpus = await findCorpus(undefined, service.folder);
  const setup = await createSetup(service, corpus);
  await using sqlLimit = await connectSql(service.database.connection, 1);
  await sqlLimit.run('CREATE TABLE outbox (id uuid PRIMARY KEY)');
  await using db = openDatabase(service.database.connection, { connections: 1 });
  const next = createPosts(setup, corpus.bodies);
  const followers = setup.subscribers.map(({ id }) => id);
  const measure = async (write: Write, batch: number) => {
    const read = async () => {
      const { own, kernel } = readDatabaseTime(service.database.location.data);
      const [row] = await sqlLimit.run("SELECT pg_current_wal_insert_lsn() - '0/0' AS place");
      return { time: own + kernel, wal: Number(row?.place) };
    };
    const before = await read();
    const began = performance.now();
    let posts = 0;
    for (; performance.now() - began < Number(options.seconds) * 1000; posts += batch)
      await write(db, Array.from({ length: batch }, next), followers);
    const rate = posts / ((performance.now() - began) / 1000);
    const after = await read();
    const wal = (after.wal - before.wal) / posts;
    return { rate, micros: ((after.time - before.time) * 1000) / posts, wal };
  };
  const rows: string[][] = [];
  for (const batch of BATCHES) {
    const results = new Map(ways.map(([name]) => [name, [] as { [K in string]: number }[]]));
    for (const [, write] of ways) await measure(write, batch);
    for (let round = 0; round < Number(options.rounds); round++)
      for (const [name, write] of round % 2 ? ways : ways.toReversed())
        results.get(name)?.push(await measure(write, batch));
    for (const [name, all] of results) {
      const spread = (key: string) => formatSpread(toSpread(all.map((one) => one[key] ?? 0)));
      rows.push([name, String(batch), spread('rate'), spread('micros'), spread('wal')]);
    }
  }
  const head = ['', 'posts a transaction', 'posts/s', 'database, µs a post', 'WAL bytes a post'];
  console.log(renderMarkdownTable(head, rows));
}
