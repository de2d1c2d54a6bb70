import { openDatabase } from '../src/db/database.ts';
import { findProof } from '../src/features/log/proof.store.ts';
import type { Bench } from './measure.ts';
import type { Profile } from './profiles.ts';
import type { Service } from './service.ts';
import { connectSql, type SqlLimit } from './sql-limit.ts';
import { type Round, roundOf, type Spread, spreadOf } from './stats.ts';

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

const CONNECTIONS = 8;
const PROOFS = 2_000;
const CHUNK = 100_000;

/** How acts are thrown away: what costs a microsecond in the place of what is measured. */
const without = [
  'CREATE FUNCTION thrown_away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  'CREATE TRIGGER thrown_away BEFORE INSERT ON portable_events FOR EACH ROW EXECUTE FUNCTION thrown_away()',
  'CREATE TRIGGER thrown_away BEFORE INSERT ON portable_queue FOR EACH ROW EXECUTE FUNCTION thrown_away()',
];
const within = ['DROP FUNCTION thrown_away CASCADE'];

/** Posts with and without acts, round by round: what is compared is their difference. */
async function comparePosts({ pace, load, url, adminKey, sql, say, look }: Bench, profile: Profile): Promise<Pick<LogFigures, 'posts' | 'ratio'>> {
  const rates = { recorded: [] as number[], bare: [] as number[] };
  await load.ask({ keep: 'posts and the log', profile, adminKey });
  const round = async () => ((await load.ask({ run: 'posts and the log', url, connections: CONNECTIONS, seconds: pace.seconds })) as Round).rate;
  say('posts with and without their acts in the log');
  await round();
  for (let index = 0; index < pace.rounds; index++) {
    const recorded = async () => rates.recorded.push(await round());
    if (index % 2) await recorded();
    for (const text of without) await sql.run(text);
    rates.bare.push(await round());
    for (const text of within) await sql.run(text);
    if (!(index % 2)) await recorded();
  }
  look();
  const ratios = rates.recorded.map((rate, index) => rate / (rates.bare[index] ?? Number.NaN));
  return { posts: { recorded: spreadOf(rates.recorded), bare: spreadOf(rates.bare) }, ratio: spreadOf(ratios) };
}

const sizeOf = async (sql: SqlLimit): Promise<number> => Number((await sql.run('SELECT size FROM log_state'))[0]?.size);

/** Lets so many acts wait, and then get their places. Returns how many a second did. */
async function fill(sql: SqlLimit, holder: SqlLimit, agentId: string, count: number): Promise<number> {
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
  while ((await sizeOf(sql)) < before + count) await new Promise((resolve) => setTimeout(resolve, 20));
  return count / ((performance.now() - began) / 1000);
}

/** Proofs of acts all over the log, one after the other, as a receipt asks for them. */
async function timeProofs({ database }: Service, sql: SqlLimit): Promise<Round> {
  const rows = await sql.run('SELECT event_id AS id FROM log_entries TABLESAMPLE SYSTEM (5) ORDER BY random() LIMIT $1', [PROOFS]);
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
export async function measureLog(bench: Bench, service: Service, agentId: string, entries: number, posts: Profile): Promise<LogFigures> {
  const compared = await comparePosts(bench, posts);
  bench.say(`a log of ${entries} entries`);
  await using holder = await connectSql(service.database.connection, 1);
  const integrated = await fill(bench.sql, holder, agentId, Math.max(CHUNK / 10, entries - (await sizeOf(bench.sql))));
  bench.look();
  await bench.sql.run('ANALYZE log_entries');
  bench.say(`${PROOFS} proofs`);
  return { ...compared, integrated, entries: await sizeOf(bench.sql), proof: await timeProofs(service, bench.sql) };
}
