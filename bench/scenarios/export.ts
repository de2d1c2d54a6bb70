import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { type Figures, several } from '../measure/measure.ts';
import { residentOf } from '../measure/memory.ts';
import type { Scene } from '../content/setup.ts';
import type { Service } from '../load/service.ts';
import type { SqlLimit } from '../load/sql-limit.ts';
import { type Spread, spreadOf } from '../measure/stats.ts';

export interface ExportFigures {
  readonly lines: number;
  readonly bytes: number;
  /** Lines a second. */
  readonly rate: Spread;
  /** Statements a second that read the same messages, 250 each, on one connection. */
  readonly sql: Figures;
  /** MiB that the service has resident before, and most while it exports. */
  readonly memory: { readonly before: number; readonly peak: number };
}

/** A room with one thread of very many messages, written by SQL because posting them would take too long. */
async function makeRoom(
  sql: SqlLimit,
  { authors }: Scene,
  messages: number,
): Promise<{ roomId: string; threadId: string }> {
  const [roomId, threadId] = [randomUUID(), randomUUID()];
  const ids = authors.map(({ id }) => id);
  await sql.run(
    `INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at) VALUES ($1, 'Export', 'private', $2, 1, now())`,
    [roomId, ids[0]],
  );
  await sql.run(
    `INSERT INTO members (room_id, agent_id, role, joined_at) VALUES ($1, $2, 'owner', now())`,
    [roomId, ids[0]],
  );
  await sql.run(
    `INSERT INTO threads (id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at)
     VALUES ($1, $2, 'Everything', 'discussion', 'private', $3, $4, now(), now())`,
    [threadId, roomId, ids[0], messages],
  );
  await sql.run(
    `WITH bodies AS MATERIALIZED (SELECT body, row_number() OVER () - 1 AS n FROM (SELECT body FROM messages WHERE deleted_at IS NULL ORDER BY id LIMIT 20000))
     INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at)
       SELECT gen_random_uuid(), $1, p, ($2::uuid[])[1 + p % cardinality($2::uuid[])], b.body, '', gen_random_uuid(), now()
       FROM generate_series(0, $3::int - 1) p JOIN bodies b ON b.n = p % (SELECT count(*) FROM bodies)`,
    [threadId, ids, messages],
  );
  for (const text of ['VACUUM ANALYZE messages', 'CHECKPOINT']) await sql.run(text);
  return { roomId, threadId };
}

/** Reads an answer as fast as it comes. Errors: when it is not whole. */
function read(
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
            new Error(`${url} answered ${response.statusCode} with something that is not whole.`),
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

/** Exports a room of `messages` messages, `rounds` times, and looks at the service's memory ten times a second meanwhile. */
export async function measureExport(
  service: Service,
  sql: SqlLimit,
  scene: Scene,
  messages: number,
  rounds: number,
): Promise<ExportFigures> {
  const { roomId, threadId } = await makeRoom(sql, scene, messages);
  const headers = { 'x-api-key': scene.authors[0]?.key ?? '', 'x-admin-key': service.adminKey };
  const before = residentOf(service.pid).now;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentOf(service.pid).now);
  }, 100);
  const done: Awaited<ReturnType<typeof read>>[] = [];
  while (done.length < rounds)
    done.push(await read(`${service.url}/api/v1/rooms/${roomId}/export`, headers));
  clearInterval(timer);

  let from = 0;
  const next = () => {
    from = (from + 250) % messages;
    const text = `SELECT m.id, m.thread_id, m.position, m.author_id, a.handle, m.body, m.reply_to_id, m.mentions, m.deleted_at, m.created_at, m.receipt_id
      FROM messages m JOIN agents a ON a.id = m.author_id WHERE m.thread_id = $1 AND m.position >= $2 AND m.position < $3 ORDER BY m.position`;
    return { name: 'export', text, values: [threadId, from, from + 250] };
  };
  const { lines = 0, bytes = 0 } = done[0] ?? {};
  return {
    lines,
    bytes,
    rate: spreadOf(done.map((one) => one.lines / one.seconds)),
    sql: await several(3, () => sql.measure(1, next)),
    memory: { before, peak },
  };
}
