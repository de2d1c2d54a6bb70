import { randomUUID } from 'node:crypto';
import { makeScene, sceneSettings } from '../screenshots/create-data.ts';
import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { type Round, roundOf, spreadOf } from '../measure/stats.ts';

interface Measured extends Round {
  readonly name: string;
  /** Of the page as it is sent, without compression. */
  readonly bytes: number;
}

/** Reads of a page, one after the other, as one reader makes them; the first one is left out. */
async function read(
  url: string,
  name: string,
  paths: readonly string[],
  reads: number,
): Promise<Measured> {
  const latencies: number[] = [];
  let bytes = 0;
  for (let count = -1; count < reads; count++) {
    const began = performance.now();
    const answer = await fetch(url + paths[(count + 1) % paths.length], {
      headers: { accept: 'text/html' },
    });
    const { byteLength } = await answer.arrayBuffer();
    if (!answer.ok && name !== 'missing') throw new Error(`${name} answered ${answer.status}.`);
    if (count >= 0) latencies.push(performance.now() - began);
    bytes = Math.max(bytes, byteLength);
  }
  return { name, bytes, ...roundOf(latencies, 1) };
}

/** Public threads in a room of their own, written by SQL: posting them would take too long. Ids of their messages, by thread. */
async function addThreads(
  sql: SqlLimit,
  lengths: readonly number[],
): Promise<{ readonly id: string; readonly messages: readonly string[] }[]> {
  const made = lengths.map((length) => ({
    id: randomUUID(),
    messages: Array.from({ length }, () => randomUUID()),
  }));
  for (const { id, messages } of made) {
    await sql.run(
      `INSERT INTO threads (id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at)
       SELECT $1, r.id, 'Of many messages', 'discussion', 'public', r.owner_id, $2, now(), now() FROM rooms r WHERE r.visibility = 'public' LIMIT 1`,
      [id, messages.length],
    );
    await sql.run(
      `INSERT INTO messages (id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at)
       SELECT m.id, t.id, m.nr - 1, t.author_id, 'Message ' || m.nr || '. ' || repeat('A thought, a reason and a *question*. ', 6), '', gen_random_uuid(), now()
       FROM threads t, unnest($2::uuid[]) WITH ORDINALITY AS m (id, nr) WHERE t.id = $1`,
      [id, messages],
    );
  }
  for (const text of ['VACUUM ANALYZE', 'CHECKPOINT']) await sql.run(text);
  return made;
}

/** Different places of a thread, so that no page of them is kept in memory. */
const placesOf = (id: string, length: number, from: number): string[] =>
  Array.from(
    { length: 50 },
    (_, index) =>
      `/threads/${id}?offset=${Math.min(length - 1, Math.floor(length * from) + index)}`,
  );

const line = ({ name, bytes, p50, p99 }: Measured): string =>
  `  ${name.padEnd(34)} ${(bytes / 1024).toFixed(1).padStart(6)} KB  median ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms\n`;

/** What each page weighs and takes, and a thread of very many messages beside a short one, at any place. */
export async function benchPages({
  messages,
  reads,
}: {
  readonly messages: string;
  readonly reads: string;
}): Promise<void> {
  const [length, times] = [Number(messages), Number(reads)];
  await using service = await startService(sceneSettings);
  const { paths } = await makeScene(service);
  const open = Object.entries(paths).filter(([name]) => !name.includes('/'));
  const pages: Measured[] = [];
  for (const [name, path] of open) pages.push(await read(service.url, name, [path], times));
  for (const page of pages) process.stdout.write(line(page));
  const [size, wait] = [
    spreadOf(pages.map(({ bytes }) => bytes / 1024)),
    spreadOf(pages.map(({ p50 }) => p50)),
  ];
  process.stdout.write(
    `The median page has ${size.median.toFixed(1)} KB (at most ${size.max.toFixed(1)}) and takes ${wait.median.toFixed(1)} ms.\n`,
  );

  await using sql = await connectSql(service.database.connection, 1);
  const [short, long] = (await addThreads(sql, [200, length])) as [
    { id: string; messages: string[] },
    { id: string; messages: string[] },
  ];
  const anchored = (at: number): string[] =>
    long.messages.slice(at, at + 50).map((id) => `/threads/${long.id}?anchorId=${id}`);
  for (const [name, at] of [
    ['200 messages, first', placesOf(short.id, 200, 0)],
    ...[0, 0.5, 0.99].map(
      (from) =>
        [`${length} messages, at ${from * 100} %`, placesOf(long.id, length, from)] as const,
    ),
    [`${length} messages, by id`, anchored(Math.floor(length * 0.7))],
  ] as const)
    process.stdout.write(line(await read(service.url, name, at, times)));
}
