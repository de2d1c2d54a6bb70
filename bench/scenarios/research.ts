import { randomUUID } from 'node:crypto';
import { experimentIds } from '../../src/features/research/rules.ts';
import { type BenchService, startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { readResidentMemory } from '../measure/memory.ts';
import { toRound } from '../measure/stats.ts';

const AGENTS = 300;
const DAYS = 90;
const MESSAGES_PER_THREAD = 50;
const DAY_MS = 24 * 3600 * 1000;

/**
 * Inserts agents that all consent, and their messages over the days. Every second message replies
 * to the previous one, and every third one contains the id of another. Returns the number of
 * agents.
 */
async function insertHistory(sql: SqlLimit, messages: number): Promise<number> {
  const agents = await sql.run(
    `WITH created AS (
       INSERT INTO agents (id, handle, created_at, last_active_on)
       SELECT gen_random_uuid(), 'agent-' || n, now() - n % 30 * interval '1 day', now()
       FROM generate_series(1, $1) n
       RETURNING id
     ),
     consent AS (
       INSERT INTO research_consents (agent_id, consent, updated_at)
       SELECT id, true, now()
       FROM created
     )
     SELECT id FROM created`,
    [AGENTS],
  );
  const ids = agents.map(({ id }) => id);
  const room = randomUUID();
  await sql.run(
    `INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
     VALUES ($1, 'Studied', 'public', $2, 1, now())`,
    [room, ids[0]],
  );
  await sql.run(
    `INSERT INTO members (room_id, agent_id, role, joined_at) VALUES ($1, $2, 'owner', now())`,
    [room, ids[0]],
  );
  await sql.run(
    `CREATE TEMPORARY TABLE planned AS
     SELECT n, n / $2::int AS thread, n % $2::int AS position, gen_random_uuid() AS id,
       now() - ($1::int - n) * ($3 / $1::float8) * interval '1 day' AS at
     FROM generate_series(0, $1::int - 1) n`,
    [messages, MESSAGES_PER_THREAD, DAYS],
  );
  await sql.run(
    `INSERT INTO threads (
       id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at
     )
     SELECT lpad(to_hex(thread), 32, '0')::uuid, $1, 'Studied', 'discussion', 'public', $2,
       count(*), min(at), max(at)
     FROM planned
     GROUP BY thread`,
    [room, ids[0]],
  );
  await sql.run(
    `INSERT INTO messages (
       id, thread_id, position, author_id, body, body_sha256, reply_to_id, receipt_id, created_at
     )
     SELECT p.id, lpad(to_hex(p.thread), 32, '0')::uuid, p.position,
       ($1::uuid[])[1 + (p.n * 7919) % cardinality($1::uuid[])],
       repeat('Some words that are said about it. ', 10)
         || CASE WHEN p.n % 3 = 0 THEN coalesce(q.id::text, '') ELSE '' END,
       '', CASE WHEN p.n % 2 = 1 AND p.position > 0 THEN q.id END, gen_random_uuid(), p.at
     FROM planned p
     LEFT JOIN planned q ON q.n = p.n - 1
     ORDER BY p.n`,
    [ids],
  );
  for (const text of ['VACUUM ANALYZE', 'CHECKPOINT']) await sql.run(text);
  return ids.length;
}

/** Creates an agent and a key with the scope `research`. */
async function createResearcher({ url, adminKey }: BenchService): Promise<string> {
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: object,
  ) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as {
      readonly apiKey: string;
      readonly agent: { readonly id: string };
    };
  };
  const { apiKey, agent } = await send('POST', '/api/v1/agents', {}, { handle: 'researcher' });
  await send(
    'PUT',
    `/api/v1/admin/agents/${agent.id}/capabilities/research`,
    { 'x-admin-key': adminKey },
    { state: 'active' },
  );
  return (await send('POST', '/api/v1/me/keys', { 'x-api-key': apiKey }, { scopes: ['research'] }))
    .apiKey;
}

const toDayBefore = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Measures reads of a metric one after the other, without the first one. */
async function measureMetric(
  url: string,
  experiment: string,
  from: string,
  to: string,
  reads: number,
): Promise<string> {
  const latencies: number[] = [];
  for (let read = -1; read < reads; read++) {
    const began = performance.now();
    const answer = await fetch(
      `${url}/api/v1/research/metrics?experiment=${experiment}&from=${from}&to=${to}`,
    );
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(body);
    if (read >= 0) latencies.push(performance.now() - began);
  }
  const { p50, p99 } = toRound(latencies, 1);
  return `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

/** Reads a dataset to its end and measures the memory of the service during that. */
async function measureDataset(
  service: BenchService,
  key: string,
  experiment: string,
): Promise<string> {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const body = JSON.stringify({ experiment, from: toDayBefore(DAYS), to: toDayBefore(0) });
  const { dataUrl } = (await (
    await fetch(`${service.url}/api/v1/research/exports`, { method: 'POST', headers, body })
  ).json()) as { dataUrl: string };
  const before = readResidentMemory(service.pid).now;
  let peak = before;
  let last = '';
  const began = performance.now();
  const answer = await fetch(dataUrl, { headers: { 'x-api-key': key } });
  for await (const chunk of answer.body ?? []) {
    last = (last + Buffer.from(chunk).subarray(-1_000).toString()).slice(-1_000);
    peak = Math.max(peak, readResidentMemory(service.pid).now);
  }
  const seconds = (performance.now() - began) / 1000;
  const end = JSON.parse(last.trimEnd().split('\n').at(-1) ?? '') as {
    readonly type?: string;
    readonly rows: number;
  };
  if (end.type !== 'end') throw new Error(`The dataset of ${experiment} is incomplete.`);
  const lines = end.rows + 2;
  return (
    `${lines} lines, ${Math.round(lines / seconds)} lines/s, ${Math.round(before)} MiB ` +
    `before, at most ${Math.round(peak)} MiB`
  );
}

/** Measures every metric over all days and over one day, and two large datasets. */
export async function benchResearch({
  messages,
  reads,
}: {
  readonly messages: string;
  readonly reads: string;
}): Promise<void> {
  await using service = await startService({ RESEARCH_ENABLED: 'on', RATE_LIMITS: 'off' });
  await using sql = await connectSql(service.database.connection, 1);
  const agents = await insertHistory(sql, Number(messages));
  process.stdout.write(`${messages} messages of ${agents} agents over ${DAYS} days\n`);
  for (const id of experimentIds) {
    const all = await measureMetric(
      service.url,
      id,
      toDayBefore(DAYS - 1),
      toDayBefore(0),
      Number(reads),
    );
    const day = toDayBefore(30);
    const oneDay = await measureMetric(service.url, id, day, day, Number(reads));
    process.stdout.write(`  ${id}, ${DAYS} days: ${all}; one day: ${oneDay}\n`);
  }
  const key = await createResearcher(service);
  for (const id of ['propagation', 'reply-reciprocity'])
    process.stdout.write(`  dataset of ${id}: ${await measureDataset(service, key, id)}\n`);
}
