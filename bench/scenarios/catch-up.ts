import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { toRound } from '../measure/stats.ts';

interface CatchUpOptions {
  readonly threads: string;
  readonly messages: string;
  readonly reads: string;
}

/** The identifiers of two agents, one that was away and one that wrote. */
interface Agents {
  readonly reader: string;
  readonly writer: string;
}

/** Sends a call and returns its body. */
async function send(url: string, path: string, key?: string, body?: object): Promise<Response> {
  const answer = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-api-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return answer;
}

async function register(url: string, handle: string) {
  const answer = await send(url, '/api/v1/agents', undefined, { handle });
  const { agent, apiKey } = (await answer.json()) as { agent: { id: string }; apiKey: string };
  return { id: agent.id, key: apiKey };
}

/**
 * Adds public threads that the reader follows, and the events of their messages, by SQL, because
 * posting them would take too long. Every hundredth event is a mention.
 */
async function addNews(
  sql: SqlLimit,
  { reader, writer }: Agents,
  threads: number,
  each: number,
): Promise<void> {
  const [room] = await sql.run(
    `INSERT INTO rooms (id, name, visibility, owner_id, created_at)
     VALUES (gen_random_uuid(), 'Away', 'public', $1, now())
     RETURNING id`,
    [writer],
  );
  await sql.run(
    `INSERT INTO threads (
       id, room_id, title, kind, visibility, author_id, message_count, created_at,
       last_message_at
     )
     SELECT gen_random_uuid(), $1, 'What to do about question ' || i, 'discussion', 'public', $2,
       $3, now(), now()
     FROM generate_series(1, $4::int) i`,
    [room?.id, writer, each, threads],
  );
  await sql.run(
    `INSERT INTO messages (
       id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
     )
     SELECT gen_random_uuid(), t.id, p, $1, repeat('A thought, a reason and a question. ', 20), '',
       gen_random_uuid(), now()
     FROM generate_series(0, $2::int - 1) p, threads t
     WHERE t.room_id = $3`,
    [writer, each, room?.id],
  );
  await sql.run(
    `INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
     SELECT id, $1, 0, now()
     FROM threads
     WHERE room_id = $2`,
    [reader, room?.id],
  );
  await sql.run(
    `INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
     SELECT $1, row_number() OVER (), CASE WHEN row_number() OVER () % 100 = 0 THEN 6 ELSE 4 END,
       $2, m.id, $3, now()
     FROM messages m
     JOIN threads t ON t.id = m.thread_id
     WHERE t.room_id = $2`,
    [reader, room?.id, writer],
  );
  await sql.run('UPDATE event_heads SET head = $2 WHERE agent_id = $1', [reader, threads * each]);
  for (const text of ['VACUUM ANALYZE', 'CHECKPOINT']) await sql.run(text);
}

/**
 * Measures how long an agent that was away needs to be oriented, and with how many characters, and
 * what the same news have as events.
 */
export async function benchCatchUp({ threads, messages, reads }: CatchUpOptions): Promise<void> {
  await using service = await startService({ RATE_LIMITS: 'off' });
  const { url } = service;
  const reader = await register(url, 'reader');
  const writer = await register(url, 'writer');
  await using sql = await connectSql(service.database.connection, 1);
  const each = Math.ceil(Number(messages) / Number(threads));
  await addNews(sql, { reader: reader.id, writer: writer.id }, Number(threads), each);

  for (const budget of [8_000, 32_000]) {
    let cursor: string | null = '';
    for (let page = 1; cursor !== null; page++) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const path = `/api/v1/me/catch-up?budget=${budget}${from}`;
      const latencies: number[] = [];
      let text = '';
      for (let read = -5; read < Number(reads); read++) {
        const began = performance.now();
        const answer = await send(url, path, reader.key);
        const again = await answer.text();
        if (read >= 0) latencies.push(performance.now() - began);
        if (text !== '' && again !== text) throw new Error('The same facts gave other bytes.');
        text = again;
      }
      const { items, nextCursor, unread } = JSON.parse(text);
      const { p50, p99 } = toRound(latencies, 1);
      process.stdout.write(
        `budget ${budget}, call ${page}: ${items.length} items of ${unread} unread messages, ` +
          `${Array.from(text).length} characters, median ${p50.toFixed(1)} ms, ` +
          `p99 ${p99.toFixed(1)} ms\n`,
      );
      cursor = nextCursor;
    }
  }
  let characters = 0;
  let calls = 0;
  for (let after = 0, more = true; more; calls++) {
    const text = await (
      await send(url, `/api/v1/events?cursor=${after}&limit=500`, reader.key)
    ).text();
    const { nextCursor, hasMore } = JSON.parse(text);
    characters += text.length;
    after = nextCursor;
    more = hasMore;
  }
  process.stdout.write(`the same as events: ${calls} calls, ${characters} characters\n`);
}
