import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCorpus } from '../content/corpus.ts';
import { createSetup } from '../content/setup.ts';
import { type Child, openChild } from '../load/child.ts';
import { addHooks, startHookReceiver } from '../load/hook-receiver.ts';
import type { LoadCommand } from '../load/load.ts';
import type { Arrivals, ReceiverQuestion } from '../load/receiver.ts';
import { startService } from '../load/service.ts';
import { connectSql, type SqlLimit } from '../load/sql-limit.ts';
import { type Round, type Spread, toSpread } from '../measure/stats.ts';
import {
  formatNumber,
  formatSpread,
  formatVerdict,
  renderMarkdownTable,
} from '../report/document.ts';

const fullPace = { hooks: 1_000, idle: 10_000, rounds: 4, seconds: 10, quiet: 30 };
const quickPace = { hooks: 50, idle: 200, rounds: 1, seconds: 2, quiet: 3 };
const CONNECTIONS = 8;

type ReceiverProcess = Child<ReceiverQuestion, Arrivals>;

/** Reads the processor seconds that the service and all processes of its database have used. */
function readProcessorSeconds(pid: number, dataFolder: string): number {
  const postmaster = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  const readSeconds = (process: string | number, withChildren: boolean): number => {
    const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // These fields are the time of the process and of its children that have ended.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0);
    const children = readFileSync(`/proc/${process}/task/${process}/children`, 'utf8')
      .split(' ')
      .filter(Boolean);
    return (
      own + (withChildren ? children.reduce((sum, child) => sum + readSeconds(child, true), 0) : 0)
    );
  };
  return (readSeconds(pid, false) + readSeconds(postmaster, true)) / 100;
}

/** The figures of deliveries. */
interface Deliveries {
  /** The time from the end of coalescing to the last arrival, for each round. */
  readonly seconds: readonly number[];
  /** Posts per second without deliveries and during deliveries. */
  readonly posts: { readonly quiet: Spread; readonly busy: Spread };
}

/** Gives every webhook one event and posts while the hints are sent, in turns with posts alone. */
async function measureDeliveries(
  { hooks, rounds, seconds }: typeof fullPace,
  sql: SqlLimit,
  receiver: ReceiverProcess,
  postEvent: () => Promise<unknown>,
  post: (seconds: number) => Promise<Round>,
): Promise<Deliveries> {
  const durations: number[] = [];
  const rates = { quiet: [] as number[], busy: [] as number[] };
  await post(seconds / 4);
  for (let round = 0; round < rounds; round++) {
    rates.quiet.push((await post(seconds)).rate);
    const before = (await receiver.ask({ count: true })).count;
    await postEvent();
    let due = 0;
    while (due < hooks) {
      await sleep(50);
      due = Number(
        (await sql.run('SELECT count(*) AS n FROM webhooks WHERE due_at IS NOT NULL'))[0]?.n,
      );
    }
    const [{ end } = { end: 0 }] = await sql.run(
      'SELECT extract(epoch FROM max(due_at)) * 1000 AS end FROM webhooks',
    );
    await sleep(Math.max(0, Number(end) - Date.now()));
    rates.busy.push((await post(seconds)).rate);
    let arrived = await receiver.ask({ count: true });
    for (; arrived.count < before + hooks; arrived = await receiver.ask({ count: true }))
      await sleep(100);
    durations.push((arrived.last - Number(end)) / 1000);
  }
  return {
    seconds: durations,
    posts: { quiet: toSpread(rates.quiet), busy: toSpread(rates.busy) },
  };
}

function renderReport(
  { hooks, idle }: typeof fullPace,
  { seconds, posts }: Deliveries,
  processor: { without: number; with: number },
): string {
  const slowest = Math.max(...seconds);
  const slowdown = 1 - posts.busy.median / posts.quiet.median;
  const cost = processor.with - processor.without;
  return renderMarkdownTable(
    ['', 'measured', 'for comparison', 'goal'],
    [
      [
        `${formatNumber(hooks)} webhooks with one event each: from the end of coalescing to the ` +
          'last hint',
        `**${slowest.toFixed(1)} s**`,
        '',
        formatVerdict('≤ 10 s', slowest <= 10),
      ],
      [
        'posts at the same time, 8 connections',
        `${formatSpread(posts.busy)}/s`,
        `without: ${formatSpread(posts.quiet)}/s`,
        formatVerdict('at most 10 % less', slowdown <= 0.1),
      ],
      [
        `processor time of service and database with ${formatNumber(idle)} idle webhooks`,
        `**${processor.with.toFixed(1)} %** of one processor`,
        `without: ${processor.without.toFixed(1)} %`,
        formatVerdict('not measurable', cost < 0.5),
      ],
    ],
  );
}

/** Measures hints with a service of its own, prints the table and cleans up. */
export async function benchWebhooks({
  quick = false,
}: {
  readonly quick?: boolean;
}): Promise<void> {
  const pace = quick ? quickPace : fullPace;
  await using hooks = await startHookReceiver();
  const { encryptionKey, process: receiver } = hooks;
  await using service = await startService(hooks.settings);
  const corpus = await findCorpus(undefined, service.folder);
  const setup = await createSetup(service, corpus);
  await using sql = await connectSql(service.database.connection, 1);
  using load = openChild<LoadCommand, Round | null>('load');
  const { threads, authors, roomId } = setup;
  await load.ask({
    keep: 'posts',
    profile: { kind: 'post', threads, keys: authors.map(({ key }) => key), bodies: corpus.bodies },
    adminKey: service.adminKey,
  });
  const runPosts = async (seconds: number) =>
    (await load.ask({
      run: 'posts',
      url: service.url,
      connections: CONNECTIONS,
      seconds,
    })) as Round;
  const [author] = authors;
  if (!author) throw new Error('The setup has no agents.');
  const createThread = async (title: string) =>
    (await author.client.createThread({ params: { id: roomId }, body: { title, body: 'First' } }))
      .id;

  const measureQuiet = async () => {
    const readUsed = () => readProcessorSeconds(service.pid, service.database.location.data);
    await sleep(2_000);
    const before = readUsed();
    await sleep(pace.quiet * 1000);
    return ((readUsed() - before) / pace.quiet) * 100;
  };
  const without = await measureQuiet();
  await addHooks(sql, pace.idle, await createThread('Nobody posts here'), encryptionKey);
  await sql.run('ANALYZE webhooks');
  const processor = { without, with: await measureQuiet() };
  const crowd = await createThread('Everybody follows this');
  await addHooks(sql, pace.hooks, crowd, encryptionKey);
  const postToCrowd = () =>
    (authors[1] ?? author).client.postMessage({ params: { id: crowd }, body: { body: 'News' } });
  const deliveries = await measureDeliveries(pace, sql, receiver, postToCrowd, runPosts);
  process.stdout.write(`${renderReport(pace, deliveries, processor)}\n`);
}
