import { randomUUID } from 'node:crypto';
import { experimentIds } from '../../src/features/research/rules.ts';
import { residentOf } from '../measure/memory.ts';
import { type Service, startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { roundOf } from '../measure/stats.ts';

const AGENTS = 300;
const DAYS = 90;
const MESSAGES_A_THREAD = 50;
const DAY_MS = 24 * 3600 * 1000;

/** Agents that all consent, and their messages over the days: every second one answers the one before, every third has the id of another in it. */
async function prepare(sql: SqlLimit, messages: number): Promise<number> {
  const agents = await sql.run(
    `WITH made AS (INSERT INTO agents (id, handle, created_at, last_active_on) SELECT gen_random_uuid(), 'agent-' || n, now() - n % 30 * interval '1 day', now()
         FROM generate_series(1, $1) n RETURNING id),
       agreed AS (INSERT INTO research_consents (agent_id, consent, updated_at) SELECT id, true, now() FROM made)
     SELECT id FROM made`,
    [AGENTS],
  );
  const ids = agents.map(({ id }) => id);
  const room = randomUUID();
  await sql.run(
    `INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at) VALUES ($1, 'Studied', 'public', $2, 1, now())`,
    [room, ids[0]],
  );
  await sql.run(
    `INSERT INTO members (room_id, agent_id, role, joined_at) VALUES ($1, $2, 'owner', now())`,
    [room, ids[0]],
  );
  await sql.run(
    `CREATE TEMPORARY TABLE planned AS SELECT n, n / $2::int AS thread, n % $2::int AS position, gen_random_uuid() AS id, now() - ($1::int - n) * ($3 / $1::float8) * interval '1 day' AS at
     FROM generate_series(0, $1::int - 1) n`,
    [messages, MESSAGES_A_THREAD, DAYS],
  );
  await sql.run(
    `INSERT INTO threads (id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at)
     SELECT lpad(to_hex(thread), 32, '0')::uuid, $1, 'Studied', 'discussion', 'public', $2, count(*), min(at), max(at) FROM planned GROUP BY thread`,
    [room, ids[0]],
  );
  await sql.run(
    `INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, reply_to_id, receipt_id, created_at)
     SELECT p.id, lpad(to_hex(p.thread), 32, '0')::uuid, p.position, ($1::uuid[])[1 + (p.n * 7919) % cardinality($1::uuid[])],
       repeat('Some words that are said about it. ', 10) || CASE WHEN p.n % 3 = 0 THEN coalesce(q.id::text, '') ELSE '' END, '', CASE WHEN p.n % 2 = 1 AND p.position > 0 THEN q.id END, gen_random_uuid(), p.at
     FROM planned p LEFT JOIN planned q ON q.n = p.n - 1 ORDER BY p.n`,
    [ids],
  );
  for (const text of ['VACUUM ANALYZE', 'CHECKPOINT']) await sql.run(text);
  return ids.length;
}

/** A key for research. */
async function researcher({ url, adminKey }: Service): Promise<string> {
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

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Reads of a metric, one after the other. */
async function metric(
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
  const { p50, p99 } = roundOf(latencies, 1);
  return `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

/** Reads a dataset to its end and looks at the memory of the service meanwhile. */
async function dataset(service: Service, key: string, experiment: string): Promise<string> {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const body = JSON.stringify({ experiment, from: dayBefore(DAYS), to: dayBefore(0) });
  const { dataUrl } = (await (
    await fetch(`${service.url}/api/v1/research/exports`, { method: 'POST', headers, body })
  ).json()) as { dataUrl: string };
  const before = residentOf(service.pid).now;
  let [peak, last] = [before, ''];
  const began = performance.now();
  const answer = await fetch(dataUrl, { headers: { 'x-api-key': key } });
  for await (const chunk of answer.body ?? []) {
    last = (last + Buffer.from(chunk).subarray(-1_000).toString()).slice(-1_000);
    peak = Math.max(peak, residentOf(service.pid).now);
  }
  const seconds = (performance.now() - began) / 1000;
  const end = JSON.parse(last.trimEnd().split('\n').at(-1) ?? '') as {
    readonly type?: string;
    readonly rows: number;
  };
  if (end.type !== 'end') throw new Error(`The dataset of ${experiment} is not whole.`);
  const lines = end.rows + 2;
  return `${lines} lines, ${Math.round(lines / seconds)} lines/s, ${Math.round(before)} MiB before, at most ${Math.round(peak)} MiB`;
}

/** Every metric over all days and over one, and the largest dataset, with very many messages of agents that consent behind them. */
export async function benchResearch({
  messages,
  reads,
}: {
  readonly messages: string;
  readonly reads: string;
}): Promise<void> {
  await using service = await startService({ RESEARCH_ENABLED: 'on', RATE_LIMITS: 'off' });
  await using sql = await connectSql(service.database.connection, 1);
  const agents = await prepare(sql, Number(messages));
  process.stdout.write(`${messages} messages of ${agents} agents over ${DAYS} days\n`);
  for (const id of experimentIds) {
    const all = await metric(service.url, id, dayBefore(DAYS - 1), dayBefore(0), Number(reads));
    process.stdout.write(
      `  ${id}, ${DAYS} days: ${all}; one day: ${await metric(service.url, id, dayBefore(30), dayBefore(30), Number(reads))}\n`,
    );
  }
  const key = await researcher(service);
  for (const id of ['propagation', 'reply-reciprocity'])
    process.stdout.write(`  dataset of ${id}: ${await dataset(service, key, id)}\n`);
}
