import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import type { BenchSetup } from '../content/setup.ts';
import type { BenchService } from '../load/service.ts';
import type { SqlLimit } from '../load/sql-limit.ts';
import { type Figures, measureRounds } from '../measure/measure.ts';
import { readResidentMemory } from '../measure/memory.ts';
import { type Spread, toSpread } from '../measure/stats.ts';

/** The number of messages that the service reads at once. */
const BATCH = 250;

const READ_BATCH = `SELECT m.id, m.thread_id, m.position, m.author_id, a.handle, m.body,
    m.reply_to_id, m.mentions, m.deleted_at, m.created_at, m.receipt_id
  FROM messages m
  JOIN agents a ON a.id = m.author_id
  WHERE m.thread_id = $1 AND m.position >= $2 AND m.position < $3
  ORDER BY m.position`;

/** The figures of an export. */
export interface ExportFigures {
  readonly lines: number;
  readonly bytes: number;
  /** Lines per second. */
  readonly rate: Spread;
  /** Statements that read the same messages, 250 each, on one connection. */
  readonly sql: Figures;
  /** The resident memory of the service in MiB before the exports, and its maximum during them. */
  readonly memory: { readonly before: number; readonly peak: number };
}

/**
 * Creates a room with one thread of very many messages, by SQL because posting them would take too
 * long.
 */
async function createRoom(
  sql: SqlLimit,
  { authors }: BenchSetup,
  messages: number,
): Promise<{ roomId: string; threadId: string }> {
  const roomId = randomUUID();
  const threadId = randomUUID();
  const ids = authors.map(({ id }) => id);
  await sql.run(
    `INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
     VALUES ($1, 'Export', 'private', $2, 1, now())`,
    [roomId, ids[0]],
  );
  await sql.run(
    `INSERT INTO members (room_id, agent_id, role, joined_at) VALUES ($1, $2, 'owner', now())`,
    [roomId, ids[0]],
  );
  await sql.run(
    `INSERT INTO threads (
       id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at
     )
     VALUES ($1, $2, 'Everything', 'discussion', 'private', $3, $4, now(), now())`,
    [threadId, roomId, ids[0], messages],
  );
  await sql.run(
    `WITH bodies AS MATERIALIZED (
       SELECT body, row_number() OVER () - 1 AS n
       FROM (SELECT body FROM messages WHERE deleted_at IS NULL ORDER BY id LIMIT 20000)
     )
     INSERT INTO messages (
       id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
     )
     SELECT gen_random_uuid(), $1, p, ($2::uuid[])[1 + p % cardinality($2::uuid[])], b.body, '',
       gen_random_uuid(), now()
     FROM generate_series(0, $3::int - 1) p
     JOIN bodies b ON b.n = p % (SELECT count(*) FROM bodies)`,
    [threadId, ids, messages],
  );
  for (const text of ['VACUUM ANALYZE messages', 'CHECKPOINT']) await sql.run(text);
  return { roomId, threadId };
}

/** Reads an export as fast as it arrives. Errors: Error when it is incomplete. */
function readExport(
  url: string,
  headers: Record<string, string>,
): Promise<{ lines: number; bytes: number; seconds: number }> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const request = get(url, { headers }, (response) => {
      let bytes = 0;
      let last = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        last = (last + chunk.subarray(-1_000).toString()).slice(-1_000);
      });
      response.on('error', reject);
      response.on('end', () => {
        const end = last.trimEnd().split('\n').at(-1) ?? '';
        if (!end.startsWith('{"type":"end"'))
          return reject(
            new Error(`${url} answered ${response.statusCode} with an incomplete export.`),
          );
        resolve({
          lines: (JSON.parse(end) as { lines: number }).lines + 1,
          bytes,
          seconds: (performance.now() - began) / 1000,
        });
      });
    });
    request.on('error', reject);
  });
}

/**
 * Exports a room of `messages` messages `rounds` times, and reads the service's memory ten times
 * per second during that.
 */
export async function measureExport(
  service: BenchService,
  sql: SqlLimit,
  setup: BenchSetup,
  messages: number,
  rounds: number,
): Promise<ExportFigures> {
  const { roomId, threadId } = await createRoom(sql, setup, messages);
  const headers = { 'x-api-key': setup.authors[0]?.key ?? '', 'x-admin-key': service.adminKey };
  const before = readResidentMemory(service.pid).now;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, readResidentMemory(service.pid).now);
  }, 100);
  const done: Awaited<ReturnType<typeof readExport>>[] = [];
  while (done.length < rounds)
    done.push(await readExport(`${service.url}/api/v1/rooms/${roomId}/export`, headers));
  clearInterval(timer);

  let from = 0;
  const nextStatement = () => {
    from = (from + BATCH) % messages;
    return { name: 'export', text: READ_BATCH, values: [threadId, from, from + BATCH] };
  };
  const { lines = 0, bytes = 0 } = done[0] ?? {};
  return {
    lines,
    bytes,
    rate: toSpread(done.map((one) => one.lines / one.seconds)),
    sql: await measureRounds(3, () => sql.measure(1, nextStatement)),
    memory: { before, peak },
  };
}
