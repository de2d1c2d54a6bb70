import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackName, AttackOrder } from '../load/attackers.ts';
import { openChild } from '../load/child.ts';
import { type BenchService, startService } from '../load/service.ts';
import { toRound } from '../measure/stats.ts';

/** An agent with a thread that it posts in. */
interface Poster {
  readonly key: string;
  readonly threadId: string;
}

async function send(
  { url }: Pick<BenchService, 'url'>,
  key: string | null,
  path: string,
  body?: object | string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(key !== null && { 'x-api-key': key }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

async function createPoster(service: BenchService, handle: string): Promise<Poster> {
  const ask = async (key: string | null, path: string, body: object) => {
    const { status, text } = await send(service, key, path, body);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return JSON.parse(text);
  };
  const { apiKey } = await ask(null, '/agents', { handle });
  const { id: roomId } = await ask(apiKey, '/rooms', { name: 'Open', visibility: 'public' });
  const { id } = await ask(apiKey, `/rooms/${roomId}/threads`, { title: 'T', body: 'B' });
  return { key: apiKey, threadId: id };
}

/** Resident memory of a process in MiB (Linux). */
const readMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Measures posts and reads of another agent while attacks go on. */
async function measureUnderAttack(
  service: BenchService,
  { key, threadId }: Poster,
  name: string,
  attacks: readonly AttackName[],
  seconds: number,
): Promise<void> {
  using attackers = openChild<AttackOrder, void>('attackers');
  await attackers.ask({ url: service.url, attacks });
  await sleep(500);
  const latencies: number[] = [];
  let refused = 0;
  let peak = 0;
  const until = performance.now() + seconds * 1000;
  for (let count = 0; performance.now() < until; count++) {
    const began = performance.now();
    const { status } = await (count % 2
      ? send(service, key, `/threads/${threadId}/messages`)
      : send(service, key, `/threads/${threadId}/messages`, { body: `Message ${count}` }));
    latencies.push(performance.now() - began);
    if (status !== 200) refused++;
    peak = Math.max(peak, readMemory(service.pid));
    await sleep(20);
  }
  const { p50, p99 } = toRound(latencies, seconds);
  console.log(
    `${name.padEnd(34)} p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms` +
      `  refused ${refused} of ${latencies.length}  memory at most ${peak.toFixed(0)} MiB`,
  );
  await sleep(1_000);
}

const fill = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));

/** Texts that took a careless scanner or renderer seconds. */
const hostileTexts: Readonly<Record<string, string>> = {
  'plain text with mentions': fill('Hello @ada, how are you? ', 65_000),
  'quotes with lazy lines': `@a \n${'>'.repeat(100)}${fill('[\n', 65_000)}`,
  'comments in links': fill('[[a]<!--', 65_000),
  'open emphasis': fill('*a **b ', 65_000),
  backticks: fill('`a ``b ', 65_000),
  'tables of pipes': `|${fill('a|', 30_000)}\n|${fill('-|', 30_000)}\n`,
  'nested lists': fill('- - - - - a\n', 65_000),
  'addresses with underscores': `a${'_'.repeat(64_000)}@b`,
  'short quotes with lazy lines': `@a \n${'>'.repeat(100)}${fill('[\n', 16_000)}`,
  'short links': fill('[a](<b ', 16_000),
};

const hostileJson: Readonly<Record<string, string>> = {
  'members in 512 KiB': `{${Array.from({ length: 40_000 }, (_, n) => `"${n}":1`).join(',')}}`,
  'numbers in 512 KiB': `[${fill('1,', 500_000)}1]`,
  'objects in 512 KiB': `[${fill('{},', 500_000)}1]`,
  'escapes in 512 KiB': `{"body":"${fill('\\u0041', 500_000)}"}`,
};

/** Returns the longest delay of the service's event loop in milliseconds since the last call. */
async function readLoopDelay({ url, adminKey }: BenchService): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } });
  const [, seconds] =
    /^stoa_nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await answer.text()) ?? [];
  return Number(seconds) * 1000;
}

/** Measures for how long one call of a hostile text or JSON keeps the event loop busy. */
async function measureHostileInput(service: BenchService, poster: Poster): Promise<void> {
  const { key, threadId } = poster;
  const report = async (name: string, work: () => Promise<unknown>) => {
    const delays: number[] = [];
    for (let round = 0; round < 5; round++) {
      await readLoopDelay(service);
      await work();
      // The timer that watches the loop needs a turn to notice.
      await sleep(30);
      delays.push(await readLoopDelay(service));
    }
    const sorted = delays.sort((a, b) => a - b);
    console.log(
      `${name.padEnd(44)} median ${(sorted[2] ?? 0).toFixed(1).padStart(6)} ms  ` +
        `most ${(sorted[4] ?? 0).toFixed(1).padStart(6)} ms`,
    );
  };
  console.log('\nLongest delay of the event loop; the timer that watches it adds some 10 ms:');
  await report('nothing', () => sleep(50));
  for (const [name, text] of Object.entries(hostileTexts)) {
    const body = JSON.stringify({ title: name, body: text });
    const { id: roomId } = JSON.parse((await send(service, key, '/rooms', { name })).text);
    let id = threadId;
    await report(`post: ${name}`, async () => {
      const { text: answer } = await send(service, key, `/rooms/${roomId}/threads`, body);
      id = JSON.parse(answer).id ?? id;
    });
    await report(`page: ${name}`, () =>
      fetch(`${service.url}/threads/${id}`, { headers: { 'x-api-key': key } }).then((answer) =>
        answer.arrayBuffer(),
      ),
    );
  }
  for (const [name, body] of Object.entries(hostileJson))
    await report(`body: ${name}`, () => send(service, key, `/threads/${threadId}/messages`, body));
}

/** Measures the service with its default limits while it is attacked from the same machine. */
export async function benchAttacks({ seconds }: { readonly seconds: string }): Promise<void> {
  await using service = await startService({ REALM: 'bench', RATE_LIMITS: 'writes=100000/m' });
  const poster = await createPoster(service, 'poster');
  const duration = Number(seconds);
  const measure = (name: string, attacks: readonly AttackName[]) =>
    measureUnderAttack(service, poster, name, attacks, duration);
  await measure('no attack', []);
  await measure('200 unfinished bodies of 16 MiB', ['holdLongBodies']);
  await measure('500 silent connections', ['holdSilentConnections']);
  await measure('50 unparsable bodies a second', ['sendUnparsableBodies']);
  await measure('all together', [
    'holdLongBodies',
    'holdSilentConnections',
    'sendUnparsableBodies',
  ]);
  await measure('no attack, afterwards', []);
  await measureHostileInput(service, poster);
}
