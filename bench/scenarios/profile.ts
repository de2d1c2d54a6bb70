import { join } from 'node:path';
import { type MixedLoad, prepareMixedLoad } from '../content/mixed-load.ts';
import { type Child, openChild } from '../load/child.ts';
import { startCountingRelay, type Traffic } from '../load/counting-relay.ts';
import type { LoadCommand } from '../load/load.ts';
import type { Profile } from '../load/profiles.ts';
import { type BenchService, startSecond, startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { readProfile, sumUpProfile, type TimeSpan } from '../measure/cpu-profile.ts';
import { readDatabaseCounters, sampleWaits } from '../measure/database-counters.ts';
import { readDatabaseTime, readProcessorTime } from '../measure/processor-time.ts';
import type { Round } from '../measure/stats.ts';
import { renderMarkdownTable } from '../report/document.ts';

export interface ProfileOptions {
  readonly seconds: string;
  readonly connections: string;
  readonly messages: string;
}

/** What can be profiled, each with a call of its kind. */
const builders = {
  post: ({ profiles }: MixedLoad) => profiles.post,
  page: ({ profiles }: MixedLoad) => profiles.page,
  poll: ({ profiles }: MixedLoad) => profiles.poll,
  search: ({ profiles }: MixedLoad) => profiles.search,
  register: (): Profile => ({ kind: 'register' }),
  tool: ({ keys }: MixedLoad): Profile => ({ kind: 'tool', keys }),
} as const;
type Subject = keyof typeof builders;

/** What is measured is the cost of calls, not what is refused. */
const unlimited = { RATE_LIMITS: 'off', LOAD_LIMITS: 'off' };
const WARM_UP_SECONDS = 2;
const SHOWN = 12;

interface Ground {
  readonly service: BenchService;
  readonly load: Child<LoadCommand, Round | null>;
  readonly sql: SqlLimit;
  readonly connections: number;
  readonly seconds: number;
}

const run = async ({ load, connections }: Ground, what: Subject, url: string, seconds: number) =>
  (await load.ask({ run: what, url, connections, seconds })) as Round;

const hrtimeMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n);

/** Measures what a call costs: microseconds, and what the database counts. */
async function measureCost(ground: Ground, what: Subject): Promise<string[]> {
  const { service, sql, seconds } = ground;
  const { data } = service.database.location;
  await run(ground, what, service.url, WARM_UP_SECONDS);
  const read = async () => ({
    service: readProcessorTime(service.pid),
    database: readDatabaseTime(data),
    counters: await readDatabaseCounters(sql),
  });
  const before = await read();
  const { rate, p50, p99 } = await run(ground, what, service.url, seconds);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const after = await read();
  const calls = rate * seconds;
  const spent = (who: 'service' | 'database', kind: 'own' | 'kernel') =>
    (((after[who][kind] - before[who][kind]) * 1000) / calls).toFixed(0);
  const counted = (name: keyof typeof before.counters, digits: number) =>
    ((after.counters[name] - before.counters[name]) / calls).toFixed(digits);
  return [
    what,
    rate.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    spent('service', 'own'),
    spent('service', 'kernel'),
    spent('database', 'own'),
    spent('database', 'kernel'),
    counted('transactions', 2),
    counted('walBytes', 0),
    counted('walFlushes', 2),
  ];
}

/** Measures what passes between service and database for a call, and what backends wait for. */
async function measureTraffic(ground: Ground, subjects: readonly Subject[]): Promise<string[][]> {
  const { host, port, user, database } = ground.service.database.connection;
  await using relay = await startCountingRelay(join(host, `.s.PGSQL.${port}`));
  const DATABASE_URL = `postgres://${user}@127.0.0.1:${relay.port}/${database}`;
  await using second = await startSecond(ground.service, 'relayed', { ...unlimited, DATABASE_URL });
  const rows: string[][] = [];
  for (const what of subjects) {
    await run(ground, what, second.url, WARM_UP_SECONDS);
    relay.take();
    const waits = sampleWaits(ground.sql);
    const { rate } = await run(ground, what, second.url, ground.seconds);
    const events = [...(await waits.stop())].toSorted(([, one], [, other]) => other - one);
    const traffic = relay.take();
    const each = (name: keyof Traffic, digits: number) =>
      (traffic[name] / (rate * ground.seconds)).toFixed(digits);
    rows.push([
      what,
      each('statements', 2),
      each('roundTrips', 2),
      each('sentBytes', 0),
      each('receivedBytes', 0),
      events
        .slice(0, 4)
        .map(([event, mean]) => `${event} ${mean.toFixed(2)}`)
        .join(', '),
    ]);
  }
  return rows;
}

/** Profiles the service while it answers, and says where its time went. */
async function measureParts(ground: Ground, subjects: readonly Subject[]): Promise<void> {
  const folder = join(ground.service.folder, 'profiled', 'profile');
  const spans = new Map<Subject, TimeSpan>();
  {
    await using second = await startSecond(ground.service, 'profiled', unlimited, [
      '--cpu-prof',
      `--cpu-prof-dir=${folder}`,
    ]);
    for (const what of subjects) {
      await run(ground, what, second.url, WARM_UP_SECONDS);
      const from = hrtimeMicroseconds();
      await run(ground, what, second.url, ground.seconds);
      spans.set(what, { from, to: hrtimeMicroseconds() });
    }
  }
  const profile = readProfile(folder);
  for (const [what, span] of spans) {
    const { parts, functions } = sumUpProfile(profile, span);
    const total = [...parts.values()].reduce((sum, time) => sum + time, 0);
    const list = (sums: ReadonlyMap<string, number>) =>
      [...sums]
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, SHOWN)
        .map(([name, time]) => `${name} ${((time / total) * 100).toFixed(1)} %`)
        .join(', ');
    console.log(`\n**${what}**, the service's own time by part: ${list(parts)}.\n`);
    console.log(`By function: ${list(functions)}.`);
  }
}

/** Runs the command `bench profile`: where each microsecond of a call goes. */
export async function benchProfile(
  names: readonly string[],
  options: ProfileOptions,
): Promise<void> {
  const subjects = (names.length > 0 ? names : Object.keys(builders)) as Subject[];
  for (const name of subjects)
    if (!(name in builders))
      throw new Error(`${name} is none of ${Object.keys(builders).join(', ')}.`);
  await using service = await startService(unlimited);
  const mixed = await prepareMixedLoad(service, Number(options.messages));
  await using sql = await connectSql(service.database.connection, 1);
  using load = openChild<LoadCommand, Round | null>('load');
  for (const what of subjects) {
    const profile = builders[what](mixed);
    await load.ask({ keep: what, profile, adminKey: service.adminKey });
  }
  const connections = Number(options.connections);
  const ground = { service, load, sql, connections, seconds: Number(options.seconds) };
  const costs: string[][] = [];
  for (const what of subjects) costs.push(await measureCost(ground, what));
  const head = ['', '/s', 'p50 ms', 'p99 ms', 'service µs', 'its kernel µs', 'database µs'];
  console.log(
    `${connections} connections.\n\n${renderMarkdownTable(
      [...head, 'its kernel µs', 'transactions', 'WAL bytes', 'WAL flushes'],
      costs,
    )}\n`,
  );
  const between = ['', 'statements', 'round trips', 'bytes out', 'bytes in'];
  console.log(
    renderMarkdownTable(
      [...between, 'backends that run or wait, on average'],
      await measureTraffic(ground, subjects),
    ),
  );
  await measureParts(ground, subjects);
}
