import { openDatabase } from '../../src/db/database.ts';
import { findProof } from '../../src/features/log/proof.store.ts';
import type { Profile } from '../load/profiles.ts';
import type { BenchService, ProgramEdit } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { comparePosts } from '../measure/compare-posts.ts';
import type { Bench } from '../measure/measure.ts';
import { type Round, type Spread, toRound } from '../measure/stats.ts';

/** The figures of the log. */
export interface LogFigures {
  /** Posts per second with receipts, and without receipts and thus without the log. */
  readonly posts: { readonly recorded: Spread; readonly bare: Spread };
  /** The first rate divided by the second; 1 means that receipts cost nothing. */
  readonly ratio: Spread;
  /** The number of entries at the end. */
  readonly entries: number;
  /** Receipts that are integrated per second when very many wait. */
  readonly integrated: number;
  /** The time of a proof, read one after the other. */
  readonly proof: Round;
}

const PROOFS = 2_000;
const CHUNK = 100_000;

/** The service without receipts. */
const withoutReceipts: ProgramEdit = {
  file: 'kernel/pipeline/group-commit/commit-effects.store.js',
  from: /\.\.\.\(receipts\.length[\s\S]*?: \[\]\),\n/,
  to: '',
};

const getLogSize = async (sql: SqlLimit): Promise<number> =>
  Number((await sql.run('SELECT size FROM log_state'))[0]?.size);

/** Lets many receipts wait and then be integrated. Returns how many are integrated per second. */
async function fillLog(
  sql: SqlLimit,
  locker: SqlLimit,
  agentId: string,
  count: number,
): Promise<number> {
  // Nodes do not integrate while another transaction has locked this row.
  await locker.run('BEGIN');
  await locker.run('SELECT 1 FROM log_state FOR UPDATE');
  for (let done = 0; done < count; done += CHUNK) {
    await sql.run(
      `WITH receipts AS (
         INSERT INTO portable_events (
           id, kind, visibility, occurred_at, actor_id, subject_type, subject_id, content_sha256,
           issuer, realm
         )
         SELECT uuidv7(), 'message.posted', CASE WHEN nr % 4 = 0 THEN 'private' ELSE 'public' END,
           now(), $1, 'message', gen_random_uuid(), sha256(nr::text::bytea),
           'https://stoa.example.org', 'bench'
         FROM generate_series(1, $2::int) nr
         RETURNING id, actor_id
       )
       INSERT INTO portable_queue (event_id, concerned)
       SELECT id, ARRAY[actor_id]
       FROM receipts`,
      [agentId, Math.min(CHUNK, count - done)],
    );
  }
  const before = await getLogSize(sql);
  const began = performance.now();
  await locker.run('COMMIT');
  while ((await getLogSize(sql)) < before + count)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return count / ((performance.now() - began) / 1000);
}

/** Reads proofs of random receipts one after the other, like a read of a receipt does. */
async function timeProofs({ database }: BenchService, sql: SqlLimit): Promise<Round> {
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
  return toRound(latencies, (performance.now() - began) / 1000);
}

/**
 * Measures the cost of the log for posts, its throughput, and the time of a proof in a long log.
 */
export async function measureLog(
  bench: Bench,
  service: BenchService,
  agentId: string,
  entries: number,
  posts: Profile,
): Promise<LogFigures> {
  bench.report('posts with and without their receipts in the log');
  const { whole, without, ratio } = await comparePosts(
    bench,
    service,
    'receipts',
    withoutReceipts,
    posts,
  );
  bench.report(`a log of ${entries} entries`);
  await using locker = await connectSql(service.database.connection, 1);
  const integrated = await fillLog(
    bench.sql,
    locker,
    agentId,
    Math.max(CHUNK / 10, entries - (await getLogSize(bench.sql))),
  );
  bench.sampleMemory();
  await bench.sql.run('ANALYZE log_entries');
  bench.report(`${PROOFS} proofs`);
  return {
    posts: { recorded: whole, bare: without },
    ratio,
    integrated,
    entries: await getLogSize(bench.sql),
    proof: await timeProofs(service, bench.sql),
  };
}
