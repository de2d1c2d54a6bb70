import { openDatabase } from '../../src/db/database.ts';
import { findProof } from '../../src/features/log/proof.store.ts';
import { comparePosts } from '../measure/compare-posts.ts';
import type { Bench } from '../measure/measure.ts';
import type { Profile } from '../load/profiles.ts';
import type { Edit, Service } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { type Round, roundOf, type Spread } from '../measure/stats.ts';

export interface LogFigures {
  /** Posts a second as they are, and when no act is recorded and so nothing integrated. */
  readonly posts: { readonly recorded: Spread; readonly bare: Spread };
  /** Of the speed without recording; 1: it costs nothing. */
  readonly ratio: Spread;
  /** Entries of the log at the end. */
  readonly entries: number;
  /** Acts a second that get their place when very many wait. */
  readonly integrated: number;
  /** Milliseconds that a proof takes, one after the other. */
  readonly proof: Round;
}

const PROOFS = 2_000;
const CHUNK = 100_000;

/** The service without receipts: a post leaves no act behind. */
const withoutActs: Edit = {
  file: 'kernel/closing.store.js',
  from: /\.\.\.\(acts\.length \?[^\n]*\n/,
  to: '',
};

const sizeOf = async (sql: SqlLimit): Promise<number> =>
  Number((await sql.run('SELECT size FROM log_state'))[0]?.size);

/** Lets so many acts wait, and then get their places. Returns how many a second did. */
async function fill(
  sql: SqlLimit,
  holder: SqlLimit,
  agentId: string,
  count: number,
): Promise<number> {
  // Whoever holds this row is taken for the one who integrates.
  await holder.run('BEGIN');
  await holder.run('SELECT 1 FROM log_state FOR UPDATE');
  for (let done = 0; done < count; done += CHUNK) {
    await sql.run(
      `WITH acts AS (INSERT INTO portable_events (id, kind, visibility, occurred_at, actor_id, subject_type, subject_id, content_sha256, issuer, realm)
          SELECT uuidv7(), 'message.posted', CASE WHEN nr % 4 = 0 THEN 'private' ELSE 'public' END, now(), $1, 'message', gen_random_uuid(), sha256(nr::text::bytea),
            'https://stoa.example.org', 'bench' FROM generate_series(1, $2::int) nr RETURNING id, actor_id)
        INSERT INTO portable_queue (event_id, concerned) SELECT id, ARRAY[actor_id] FROM acts`,
      [agentId, Math.min(CHUNK, count - done)],
    );
  }
  const before = await sizeOf(sql);
  const began = performance.now();
  await holder.run('COMMIT');
  while ((await sizeOf(sql)) < before + count)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return count / ((performance.now() - began) / 1000);
}

/** Proofs of acts all over the log, one after the other, as a receipt asks for them. */
async function timeProofs({ database }: Service, sql: SqlLimit): Promise<Round> {
  const rows = await sql.run(
    'SELECT event_id AS id FROM log_entries TABLESAMPLE SYSTEM (5) ORDER BY random() LIMIT $1',
    [PROOFS],
  );
  await using db = openDatabase(database.connection, { connections: 1 });
  const latencies: number[] = [];
  const began = performance.now();
  for (const { id } of rows) {
    const at = performance.now();
    if (!(await findProof(db, String(id)))) throw new Error('An entry of the log has no proof.');
    latencies.push(performance.now() - at);
  }
  return roundOf(latencies, (performance.now() - began) / 1000);
}

/** What the log costs those who post, how fast it takes what waits, and how long a proof takes when it is long. */
export async function measureLog(
  bench: Bench,
  service: Service,
  agentId: string,
  entries: number,
  posts: Profile,
): Promise<LogFigures> {
  bench.say('posts with and without their acts in the log');
  const { whole, without, ratio } = await comparePosts(bench, service, 'acts', withoutActs, posts);
  bench.say(`a log of ${entries} entries`);
  await using holder = await connectSql(service.database.connection, 1);
  const integrated = await fill(
    bench.sql,
    holder,
    agentId,
    Math.max(CHUNK / 10, entries - (await sizeOf(bench.sql))),
  );
  bench.look();
  await bench.sql.run('ANALYZE log_entries');
  bench.say(`${PROOFS} proofs`);
  return {
    posts: { recorded: whole, bare: without },
    ratio,
    integrated,
    entries: await sizeOf(bench.sql),
    proof: await timeProofs(service, bench.sql),
  };
}
