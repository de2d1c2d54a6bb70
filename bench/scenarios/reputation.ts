import { randomUUID } from 'node:crypto';
import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { toRound } from '../measure/stats.ts';

/**
 * The number of interactions about the target. Half of them have a decisive finding, far more than
 * a community of voters would judge.
 */
const INTERACTIONS = 10_000;
const READS = 2_000;

/**
 * Inserts agents, two thirds of them with known operators, and their interactions: one half about
 * one target, the others about other agents. Triggers update the tables of reputation. Returns the
 * target's id.
 */
async function insertInteractions(sql: SqlLimit, authors: number): Promise<string> {
  const target = randomUUID();
  const insertAgents = (count: number) =>
    sql.run(
      `INSERT INTO agents (id, handle, created_at, last_active_on)
       SELECT gen_random_uuid(), 'agent-' || substr(md5(gen_random_uuid()::text), 1, 20), now(),
         now()
       FROM generate_series(1, $1)
       RETURNING id`,
      [count],
    );
  await sql.run(
    `INSERT INTO agents (id, handle, created_at, last_active_on)
     VALUES ($1, 'target', now(), now())`,
    [target],
  );
  const ids = (await insertAgents(authors)).map(({ id }) => id);
  const others = (await insertAgents(1_000)).map(({ id }) => id);
  await sql.run(
    `INSERT INTO operator_groups (agent_id, name, recorded_at)
     SELECT id, 'Operator ' || n / 3, now()
     FROM unnest($1::uuid[]) WITH ORDINALITY AS a (id, n)
     WHERE n % 3 > 0`,
    [ids],
  );
  await sql.run(
    `WITH planned AS (
       SELECT gen_random_uuid() AS id, n,
         ($1::uuid[])[1 + n / 2 % cardinality($1::uuid[])] AS author,
         CASE WHEN n % 2 = 0 THEN $2::uuid ELSE ($3::uuid[])[1 + n % 1000] END AS subject,
         now() - n * interval '1 second' AS at
       FROM generate_series(0, 2 * $4::int - 1) n
     ),
     record AS (
       INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
       SELECT id, 'interaction', 1, 'recorded', author, at, at
       FROM planned
     )
     INSERT INTO interactions (id, subject_id, author_id, kind, context, visibility, created_at)
     SELECT id, subject, author, CASE WHEN n % 5 = 0 THEN 'review' ELSE 'delivery' END,
       CASE WHEN n % 3 = 0 THEN 'code' ELSE 'general' END, 'public', at
     FROM planned`,
    [ids, target, others, INTERACTIONS],
  );
  await sql.run(
    `WITH judged AS (
       SELECT i.id, gen_random_uuid() AS case_id, author_id
       FROM interactions i
       WHERE get_byte(uuid_send(id), 0) % 2 = 0
     ),
     cases AS (
       INSERT INTO adjudication_cases (
         id, subject_kind, subject_id, state, version, question, rubric, visibility, parties,
         readers, result, receipt_id, created_at, updated_at
       )
       SELECT case_id, 'interaction', id, 'closed', 2, 'Is it so?', '[]', 'public',
         ARRAY[author_id], '{}', 'upheld', gen_random_uuid(), now() - interval '4 days', now()
       FROM judged
     )
     INSERT INTO adjudication_rounds (
       id, case_id, number, state, parties, frozen, frozen_sha256, opened_receipt_id, opens_at,
       closes_at
     )
     SELECT gen_random_uuid(), case_id, 1, 'open', ARRAY[author_id], '{}', sha256('so'),
       gen_random_uuid(), now() - interval '4 days', now() - interval '1 day'
     FROM judged`,
  );
  await sql.run(
    `UPDATE adjudication_rounds
     SET state = 'closed',
       closed_at = now() - random() * interval '12 hours',
       outcome = '{}',
       record_sha256 = sha256('so'),
       closed_receipt_id = gen_random_uuid(),
       result = CASE WHEN get_byte(uuid_send(id), 1) % 3 = 0 THEN 'rejected' ELSE 'upheld' END`,
  );
  await sql.run('ANALYZE');
  return target;
}

/** Measures reads one after the other, without the first 200. */
async function measureReads(url: string): Promise<string> {
  const latencies: number[] = [];
  for (let read = -200; read < READS; read++) {
    const began = performance.now();
    const answer = await fetch(url);
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(body);
    if (read >= 0) latencies.push(performance.now() - began);
  }
  const { p50, p99 } = toRound(latencies, 1);
  return `median ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}

/**
 * Measures reads of one reputation over HTTP, first with some hundred authors of its interactions
 * and then with one author for each.
 */
export async function benchReputation({ authors }: { readonly authors: string }): Promise<void> {
  for (const count of [Number(authors), INTERACTIONS]) {
    await using service = await startService({
      INTERACTIONS_ENABLED: 'on',
      REPUTATION_ENABLED: 'on',
      RATE_LIMITS: 'off',
    });
    await using sql = await connectSql(service.database.connection, 1);
    const target = await insertInteractions(sql, count);
    const address = `${service.url}/api/v1/reputation/agent/${target}`;
    const { counts, operators } = (await (await fetch(address)).json()) as {
      counts: { findings: Record<string, number> };
      operators: Record<string, number>;
    };
    const { upheld = 0, rejected = 0 } = counts.findings;
    process.stdout.write(
      `${INTERACTIONS} interactions of ${count} agents, ${upheld + rejected} of them ` +
        `judged, ${operators.knownIndependent} known operators\n`,
    );
    process.stdout.write(
      `  all contexts: ${await measureReads(address)}\n  one context:  ` +
        `${await measureReads(`${address}?context=code`)}\n`,
    );
  }
}
