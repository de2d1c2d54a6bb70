import { Agent, request } from 'node:http';
import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { toRound } from '../measure/stats.ts';

export interface ClaimOptions {
  readonly requests: string;
  readonly calls: string;
  readonly connections: string;
}

/** `fetch` takes as much of the processor as the service does, which shares it here. */
const agent = new Agent({ keepAlive: true });

/** Sends a call; returns its answer and how long it took, in milliseconds. */
function send(
  address: string,
  key?: string,
  body?: object,
  method = body ? 'POST' : 'GET',
  // biome-ignore lint/suspicious/noExplicitAny: Answers of several operations are read here.
): Promise<{ readonly body: any; readonly milliseconds: number }> {
  const began = performance.now();
  const text = body && JSON.stringify(body);
  const headers = {
    ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...(key !== undefined && { 'x-api-key': key }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { agent, method, headers }, (answer) => {
      let received = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        received += piece;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200)
          resolve({ body: JSON.parse(received), milliseconds: performance.now() - began });
        else reject(new Error(`${address} answered ${answer.statusCode}: ${received}`));
      });
    });
    outgoing.on('error', reject).end(text);
  });
}

/**
 * Adds open requests, a hundred a thread, by SQL, because posting them would take too long. Each
 * thread has one of ten tags.
 */
async function addRequests(sql: SqlLimit, author: string, room: string, count: number) {
  await sql.run(
    `INSERT INTO threads (
       id, room_id, title, kind, visibility, author_id, message_count, tags, created_at,
       last_message_at
     )
     SELECT gen_random_uuid(), $1, 'Work ' || i, 'discussion', 'public', $2, 100,
       ARRAY['tag-' || i % 10], now(), now()
     FROM generate_series(1, $3::int) i`,
    [room, author, Math.ceil(count / 100)],
  );
  await sql.run(
    `INSERT INTO messages (
       id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at, is_request
     )
     SELECT gen_random_uuid(), t.id, p, $1, 'Please do this.', '', gen_random_uuid(),
       now() + make_interval(secs => p / 1000.0), true
     FROM generate_series(0, 99) p, threads t
     WHERE t.room_id = $2`,
    [author, room],
  );
  await sql.run(
    `INSERT INTO requests (message_id, thread_id, room_id, author_id, is_public, created_at)
     SELECT m.id, t.id, t.room_id, m.author_id, true, m.created_at
     FROM messages m
     JOIN threads t ON t.id = m.thread_id
     WHERE t.room_id = $1`,
    [room],
  );
  await sql.run(
    `INSERT INTO request_tags (room_id, tag, is_public, created_at, message_id)
     SELECT q.room_id, t.tags[1], true, q.created_at, q.message_id
     FROM requests q
     JOIN threads t ON t.id = q.thread_id`,
  );
  for (const text of ['VACUUM ANALYZE', 'CHECKPOINT']) await sql.run(text);
}

/** Calls on each connection before the time is taken. */
const WARM_UP = 20;
/** How many requests one agent takes: it may hold 100. */
const HELD = 90;

const print = (what: string, latencies: readonly number[]): void => {
  const { p50, p99 } = toRound([...latencies], 1);
  const figures = `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  process.stdout.write(`${what}: ${latencies.length} calls, ${figures}\n`);
};

/** Runs calls one after the other on each of several connections; returns how long each took. */
async function measure(
  connections: number,
  calls: number,
  call: () => Promise<number>,
): Promise<number[]> {
  const latencies: number[] = [];
  const run = async () => {
    for (let nr = -WARM_UP; nr < calls / connections; nr++) {
      const milliseconds = await call();
      if (nr >= 0) latencies.push(milliseconds);
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
  return latencies;
}

/** Measures taking requests and listing them, while very many are open. */
export async function benchClaims({ requests, calls, connections }: ClaimOptions): Promise<void> {
  await using service = await startService({ RATE_LIMITS: 'off' });
  const { url } = service;
  const register = async (handle: string) =>
    (await send(`${url}/api/v1/agents`, undefined, { handle })).body;
  const asker = await register('asker');
  const room = { name: 'Work', visibility: 'public' };
  const { id: roomId } = (await send(`${url}/api/v1/rooms`, asker.apiKey, room)).body;
  const at = Number(connections);
  // Each kind of claim is called so often, and its warm-up before.
  const claims = 5 * (Number(calls) + WARM_UP * at);
  const takers: string[] = [];
  for (let nr = 0; nr < at * Math.ceil(claims / (at * HELD)); nr++) {
    const { apiKey } = await register(`taker-${nr}`);
    await send(`${url}/api/v1/rooms/${roomId}/join`, apiKey, {});
    takers.push(apiKey);
  }
  await using sql = await connectSql(service.database.connection, 1);
  await addRequests(sql, asker.agent.id, roomId, Number(requests));

  const list = `${url}/api/v1/requests`;
  const readPage = (query: string) => () =>
    send(`${list}?limit=20${query}`).then((answer) => answer.milliseconds);
  print('GET /requests', await measure(1, 200, readPage('')));
  print('GET /requests?tag= with a tag of a tenth', await measure(1, 200, readPage('&tag=tag-3')));
  print('GET /requests?tag= with an unused tag', await measure(1, 200, readPage('&tag=unused')));

  const page = (await send(`${list}?limit=100`)).body as { messageId: string }[];
  const ids = page.map(({ messageId }) => messageId);
  let last = ids.at(-1);
  while (ids.length < Number(calls) + WARM_UP * at) {
    const next = (await send(`${list}?limit=100&before=${last}`)).body as typeof page;
    ids.push(...next.map(({ messageId }) => messageId));
    last = ids.at(-1);
  }
  let taken = 0;
  /** Each connection has an agent of its own, and another one when that holds enough. */
  const nextTaker = () => {
    const nr = taken++;
    return takers[(nr % at) + at * Math.floor(nr / (at * HELD))];
  };
  const claim = async () =>
    (await send(`${url}/api/v1/messages/${ids.pop()}/claim`, nextTaker(), {})).milliseconds;
  print(
    `POST /messages/{id}/claim, ${connections} connections`,
    await measure(at, Number(calls), claim),
  );
  for (const [name, filter] of [
    ['a room', { roomId }],
    ['a tag', { tag: 'tag-7' }],
  ] as const) {
    const takeNext = async () => {
      const key = nextTaker();
      const { body, milliseconds } = await send(`${url}/api/v1/claims/next`, key, filter);
      const [{ messageId, claim: taken }] = body;
      // It is given back, so that as many are held as a team of this size holds.
      const released = `${url}/api/v1/messages/${messageId}/claim?fence=${taken.fence}`;
      await send(released, key, undefined, 'DELETE');
      return milliseconds;
    };
    for (const together of [1, at])
      print(
        `POST /claims/next of ${name}, ${together} connections`,
        await measure(together, Number(calls), takeNext),
      );
  }
}
