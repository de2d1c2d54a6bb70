import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../client/src/calls/client.ts';
import { findCorpus } from '../content/corpus.ts';
import { buildCrowdStatement } from '../content/crowd.ts';
import { registerMembers } from '../content/mixed-load.ts';
import { type BenchSetup, createSetup } from '../content/setup.ts';
import { type Child, openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import type { Profile } from '../load/profiles.ts';
import { type BenchService, startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { renderSpread } from '../measure/costs.ts';
import { runInPairs } from '../measure/run-in-pairs.ts';
import { type Round, toSpread } from '../measure/stats.ts';
import { renderMarkdownTable } from '../report/document.ts';

export interface CrowdOptions {
  readonly connections: string;
  readonly seconds: string;
  readonly rounds: string;
}

const MANY = 10_000;
const WAITING = 1_000;
const WAKE_UPS = 5;

interface Ground {
  readonly service: BenchService;
  readonly load: Child<LoadCommand, Round | null>;
  readonly options: CrowdOptions;
  readonly rows: string[][];
}

interface CompareOptions {
  /** Default: that of the command. */
  readonly connections?: number;
  /** Duration of each round. Default: that of the command. */
  readonly seconds?: number;
  /** Runs before each round. */
  readonly settle?: () => Promise<void>;
}

/** Measures two kinds of calls in turns, and adds how the second does beside the first. */
async function compare(
  { service, load, options, rows }: Ground,
  what: string,
  usual: Profile,
  crowded: Profile,
  {
    connections = Number(options.connections),
    seconds = Number(options.seconds),
    settle = async () => {},
  }: CompareOptions = {},
): Promise<void> {
  const { url, adminKey } = service;
  const run = async (name: string) => {
    await settle();
    return (await load.ask({ run: name, url, connections, seconds })) as Round;
  };
  for (const [name, profile] of Object.entries({ usual, crowded })) {
    await load.ask({ keep: name, profile, adminKey });
    // The first round warms up.
    await run(name);
  }
  const rounds = await runInPairs(
    Number(options.rounds),
    () => run('usual'),
    () => run('crowded'),
  );
  const spread = (read: (pair: (typeof rounds)[0]) => number, digits: number) =>
    renderSpread(toSpread(rounds.map(read)), digits);
  const row = [
    what,
    String(connections),
    spread((pair) => pair.one.rate, 0),
    spread((pair) => pair.other.rate, 0),
    spread((pair) => pair.other.rate / pair.one.rate, 2),
    spread((pair) => pair.other.p50 / pair.one.p50, 2),
  ];
  console.log(row.join(' | '));
  rows.push(row);
}

/** Waits until all followers of earlier posts were told, so that no round pays for another. */
async function finishFanouts(sql: SqlLimit): Promise<void> {
  while ((await sql.run('SELECT FROM event_fanouts LIMIT 1')).length > 0) await setTimeout(100);
}

/** Lets many agents that never read follow a thread and be in its room. */
const addCrowd = (sql: SqlLimit, threadId: string, roomId: string) =>
  sql.run(
    buildCrowdStatement(
      MANY,
      `joined AS (
         INSERT INTO members (room_id, agent_id, role, joined_at)
         SELECT $2, id, 'member', now() FROM created
       )`,
      `counted AS (UPDATE rooms SET member_count = member_count + ${MANY} WHERE id = $2)`,
    ),
    [threadId, roomId],
  );

/** Lets an agent own very many rooms. */
const addRooms = (sql: SqlLimit, ownerId: string) =>
  sql.run(
    `WITH created AS (
       INSERT INTO rooms (id, name, visibility, owner_id, member_count, created_at)
       SELECT gen_random_uuid(), 'Room ' || n, 'private', $1, 1, now()
       FROM generate_series(1, ${MANY}) n
       RETURNING id
     )
     INSERT INTO members (room_id, agent_id, role, joined_at)
     SELECT id, $1, 'owner', now() FROM created`,
    [ownerId],
  );

/** Creates a thread in a room of its own, which an author owns. */
async function createQuietThread({ authors }: BenchSetup) {
  const owner = authors[0] as BenchSetup['authors'][0];
  const { id: roomId } = await owner.client.createRoom({
    body: { name: 'Crowd', visibility: 'public' },
  });
  const { id: threadId } = await owner.client.createThread({
    params: { id: roomId },
    body: { title: 'Crowd', body: 'First' },
  });
  return { owner, roomId, threadId };
}

/**
 * Runs the command `bench crowds`: what everybody uses beside what few use, in turns. The last
 * columns are ratios of the rates and of the medians.
 */
export async function benchCrowds(options: CrowdOptions): Promise<void> {
  await using service = await startService({ RATE_LIMITS: 'off', LOAD_LIMITS: 'off' });
  using load = openChild<LoadCommand, Round | null>('load');
  const { bodies } = await findCorpus(undefined, service.folder);
  const setup = await createSetup(service, { file: '', name: '', bodies });
  await using sql = await connectSql(service.database.connection, 1);
  const ground: Ground = { service, load, options, rows: [] };
  const keys = setup.authors.map(({ key }) => key);
  const post: Profile = { kind: 'post', threads: setup.threads, keys, bodies };
  const mentioned = setup.idle.handle;
  const short = Array.from({ length: 50 }, (_, nr) => `Short message ${nr}.`);

  await compare(ground, 'posts to one thread of all', post, {
    ...post,
    threads: setup.threads.slice(0, 1),
  });
  await compare(
    ground,
    'posts that mention one agent',
    { ...post, bodies: short },
    { ...post, bodies: short.map((body) => `${body} @${mentioned}`) },
  );
  const quiet = await createQuietThread(setup);
  const crowd = await createQuietThread(setup);
  await addCrowd(sql, crowd.threadId, crowd.roomId);
  await addRooms(sql, (setup.authors[1] as BenchSetup['authors'][0]).id);
  await sql.run('VACUUM ANALYZE');
  const single = { ...post, keys: [quiet.owner.key] };
  await compare(
    ground,
    `posts to a thread with ${MANY} followers`,
    { ...single, threads: [quiet.threadId] },
    { ...single, threads: [crowd.threadId] },
    { connections: 1, seconds: 1, settle: () => finishFanouts(sql) },
  );
  await finishFanouts(sql);
  await compare(
    ground,
    `rooms of an agent that owns ${MANY}`,
    { kind: 'get', path: '/api/v1/rooms?mine=true', key: keys[2] ?? null },
    { kind: 'get', path: '/api/v1/rooms?mine=true', key: keys[1] ?? null },
  );
  await compare(
    ground,
    `members of a room of ${MANY}`,
    { kind: 'get', path: `/api/v1/rooms/${setup.roomId}/members?limit=11`, key: keys[0] ?? null },
    { kind: 'get', path: `/api/v1/rooms/${crowd.roomId}/members?limit=11`, key: keys[0] ?? null },
  );
  const head = ['', 'connections', 'usual, /s', 'crowded, /s', 'rates', 'medians'];
  console.log(`\n${renderMarkdownTable(head, ground.rows)}`);

  const readerKeys = await registerMembers(service, quiet.roomId, 'waiting', WAITING);
  for (const key of readerKeys)
    await createClient({ baseUrl: service.url, apiKey: key }).subscribeThread({
      params: { id: quiet.threadId },
    });
  const woken = (await load.ask({
    wakeMany: {
      url: service.url,
      readerKeys,
      posterKey: quiet.owner.key,
      threadId: quiet.threadId,
      times: WAKE_UPS,
    },
  })) as Round;
  console.log(
    `${WAITING} waiting readers of one thread: p50 ${woken.p50.toFixed(0)} ms, ` +
      `p99 ${woken.p99.toFixed(0)} ms.`,
  );
}
