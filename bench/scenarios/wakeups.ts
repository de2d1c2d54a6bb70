import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../../client/src/calls/client.ts';
import { createRandom, type SeededRandom } from '../content/varied-text.ts';
import { type BenchService, startService } from '../load/service.ts';
import { startBridge, startWatch, type Woken, type WokenOptions } from '../load/woken.ts';
import { type Round, toRound } from '../measure/stats.ts';
import { formatVerdict, renderMarkdownTable } from '../report/document.ts';

/** The flags of `npm run wakeups`. */
export interface WakeupOptions {
  readonly events: string;
  readonly kills: string;
  readonly seed: string;
}

/** A way to wake an agent. */
interface Way {
  readonly name: string;
  readonly start: (options: WokenOptions) => Woken;
  /** In every tenth life its command fails first; the bridge has none. */
  readonly canFail: boolean;
}

const ways: readonly Way[] = [
  { name: '`stoa mcp --channel`', start: startBridge, canFail: false },
  { name: '`stoa watch --exec`', start: startWatch, canFail: true },
];

/** What became of the events of a way. */
interface Wakeups {
  readonly name: string;
  readonly latency: Round;
  readonly kills: number;
  readonly failures: number;
  readonly events: number;
  readonly missed: number;
  readonly repeated: number;
  /** How often the event was told that was told most often. */
  readonly mostOften: number;
}

const TIMED = 200;
const FAIL_EVERY = 10;
const TIMEOUT_MS = 60_000;

/** Waits until a condition holds. Errors: Error after a minute. */
async function waitFor(what: string, condition: () => boolean): Promise<void> {
  for (const began = performance.now(); !condition(); await sleep(2))
    if (performance.now() - began > TIMEOUT_MS) throw new Error(`It is not true that ${what}.`);
}

/** An agent that follows a thread, and the function that posts there. */
async function createFollower({ url, adminKey }: BenchService, nr: number) {
  const register = async (handle: string) => {
    const anyone = createClient({ baseUrl: url, adminKey });
    const { apiKey } = await anyone.registerAgent({ body: { handle } });
    return { key: apiKey, client: createClient({ baseUrl: url, adminKey, apiKey }) };
  };
  const writer = await register(`writer-${nr}`);
  const reader = await register(`reader-${nr}`);
  const room = await writer.client.createRoom({ body: { name: 'News', visibility: 'public' } });
  const { id: threadId } = await writer.client.createThread({
    params: { id: room.id },
    body: { title: 'News', body: 'First' },
  });
  await reader.client.subscribeThread({ params: { id: threadId } });
  return { key: reader.key, post: createPost(writer.client, threadId) };
}

const createPost =
  (client: Client, threadId: string) =>
  async (body: string): Promise<string> =>
    (await client.postMessage({ params: { id: threadId }, body: { body } })).id;

type Post = ReturnType<typeof createPost>;

/** Measures the time from sending a post until the program is told of it, one after the other. */
async function measureLatency(start: () => Woken, post: Post): Promise<Round> {
  const woken = start();
  await post('Hello');
  await waitFor('the first event was told', () => woken.told.length === 1);
  const latencies: number[] = [];
  for (let nr = 0; nr < TIMED; nr++) {
    await sleep(15);
    const sent = performance.now();
    await post(`Timed ${nr}`);
    await waitFor('the event was told', () => woken.told.length === nr + 2);
    latencies.push((woken.told.at(-1)?.at ?? Number.NaN) - sent);
  }
  await woken.end('SIGTERM');
  return toRound(latencies, 1);
}

/** Lets the command of a life fail twice before it may succeed. Returns how often it failed. */
async function failFirst(woken: Woken, failing: string): Promise<number> {
  const count = () => woken.readErrors().split('gets again').length - 1;
  await waitFor('the command fails', () => count() >= 2);
  if (woken.told.length > 0) throw new Error('An event was told although the command failed.');
  await rm(failing);
  return count();
}

/**
 * Posts events while the program is killed again and again, each time at a random moment after it
 * was told of two. Returns what it was told of in all of its lives.
 */
async function killAgainAndAgain(
  { start, canFail }: Way,
  options: WokenOptions,
  post: Post,
  wanted: { readonly events: number; readonly kills: number; readonly random: SeededRandom },
) {
  const { events, kills, random } = wanted;
  const told: string[] = [];
  const sent: string[] = [];
  let failures = 0;
  const collect = (woken: Woken) => told.push(...woken.told.map(({ messageId }) => messageId));
  for (let kill = 0; kill < kills; kill++) {
    const fails = canFail && kill % FAIL_EVERY === 0;
    if (fails) await writeFile(options.failing, '');
    const woken = start(options);
    const posting = (async () => {
      for (let until = Math.round(((kill + 1) * events) / kills); sent.length < until; ) {
        sent.push(await post(`Event ${sent.length}`));
        await sleep(random.pickInt(10));
      }
    })();
    if (fails) failures += await failFirst(woken, options.failing);
    await waitFor('two events were told', () => woken.told.length >= 2);
    await sleep(random.pickInt(60));
    await woken.end('SIGKILL');
    await posting;
    collect(woken);
  }
  const last = start(options);
  const newest = sent.at(-1);
  if (newest !== told.at(-1))
    await waitFor('the last event was told', () => last.told.at(-1)?.messageId === newest);
  await last.end('SIGTERM');
  collect(last);
  return { told, sent, failures };
}

/** Returns how often each of these was told, in the order of the events. */
function countTold(told: readonly string[], sent: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const id of told) counts.set(id, (counts.get(id) ?? 0) + 1);
  return sent.map((id) => counts.get(id) ?? 0);
}

async function measureWay(
  service: BenchService,
  nr: number,
  way: Way,
  { events, kills, seed }: { events: number; kills: number; seed: number },
): Promise<Wakeups> {
  const timed = await createFollower(service, 2 * nr);
  const chased = await createFollower(service, 2 * nr + 1);
  const toOptions = (key: string, name: string): WokenOptions => ({
    url: service.url,
    key,
    state: join(service.folder, `${name}-${nr}.json`),
    failing: join(service.folder, `failing-${nr}`),
  });
  const latency = await measureLatency(() => way.start(toOptions(timed.key, 'timed')), timed.post);
  const random = createRandom(seed + nr);
  const { told, sent, failures } = await killAgainAndAgain(
    way,
    toOptions(chased.key, 'chased'),
    chased.post,
    { events, kills, random },
  );
  const counts = countTold(told, sent);
  return {
    name: way.name,
    latency,
    kills,
    failures,
    events: sent.length,
    missed: counts.filter((count) => count === 0).length,
    repeated: counts.filter((count) => count > 1).length,
    mostOften: Math.max(...counts),
  };
}

const renderRow = ({ latency, ...way }: Wakeups): string[] => [
  way.name,
  latency.p50.toFixed(1),
  formatVerdict(`${latency.p99.toFixed(1)}, under 1,000`, latency.p99 < 1000),
  String(way.events),
  String(way.kills),
  String(way.failures),
  formatVerdict(String(way.missed), way.missed === 0),
  String(way.repeated),
  formatVerdict(String(way.mostOften), way.mostOften <= 2),
];

/**
 * Measures how soon programs are woken, and whether they miss events or are told of one too often
 * when they are killed. Exits with 1 if so.
 */
export async function benchWakeups(options: WakeupOptions): Promise<void> {
  const wanted = {
    events: Number(options.events),
    kills: Number(options.kills),
    seed: Number(options.seed),
  };
  await using service = await startService({ RATE_LIMITS: 'off' });
  const results: Wakeups[] = [];
  for (const [nr, way] of ways.entries()) results.push(await measureWay(service, nr, way, wanted));
  const head = [
    'woken by',
    'p50 ms',
    'p99 ms',
    'events',
    'kills',
    'failed commands',
    'missed',
    'told again',
    'told at most',
  ];
  process.stdout.write(`${renderMarkdownTable(head, results.map(renderRow))}\n`);
  if (results.some(({ missed, mostOften }) => missed > 0 || mostOften > 2)) process.exitCode = 1;
}
