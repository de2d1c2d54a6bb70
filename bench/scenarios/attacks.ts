import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackName, AttackOrder } from '../load/attackers.ts';
import { openChild } from '../load/child.ts';
import { createPoster, type Poster, send } from '../load/poster.ts';
import { type BenchService, startService } from '../load/service.ts';
import { toRound } from '../measure/stats.ts';
import { measureHostileInput } from './hostile-input.ts';

/** Resident memory of a process in MiB (Linux). */
const readMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Measures posts and reads of another agent while attacks go on. */
async function measureUnderAttack(
  service: BenchService,
  { key, threadId }: Poster,
  name: string,
  order: Omit<AttackOrder, 'url'>,
  seconds: number,
  text = 'Message',
): Promise<void> {
  using attackers = openChild<AttackOrder, void>('attackers');
  await attackers.ask({ url: service.url, ...order });
  await sleep(500);
  const latencies: number[] = [];
  let refused = 0;
  let peak = 0;
  const until = performance.now() + seconds * 1000;
  for (let count = 0; performance.now() < until; count++) {
    const began = performance.now();
    const { status } = await (count % 2
      ? send(service, key, `/threads/${threadId}/messages`)
      : send(service, key, `/threads/${threadId}/messages`, { body: `${text} ${count}` }));
    latencies.push(performance.now() - began);
    if (status !== 200) refused++;
    peak = Math.max(peak, readMemory(service.pid));
    await sleep(20);
  }
  const { p50, p99 } = toRound(latencies, seconds);
  console.log(
    `${name.padEnd(34)} p50 ${p50.toFixed(1).padStart(6)} ms  ` +
      `p99 ${p99.toFixed(1).padStart(6)} ms` +
      `  refused ${refused} of ${latencies.length}  memory at most ${peak.toFixed(0)} MiB`,
  );
  await sleep(1_000);
}

/** Measures the service with its default limits while it is attacked from the same machine. */
export async function benchAttacks({ seconds }: { readonly seconds: string }): Promise<void> {
  await using service = await startService({ REALM: 'bench', RATE_LIMITS: 'writes=100000/m' });
  const poster = await createPoster(service, 'poster');
  const duration = Number(seconds);
  const measure = (name: string, attacks: readonly AttackName[]) =>
    measureUnderAttack(service, poster, name, { attacks }, duration);
  await measure('no attack', []);
  await measure('200 unfinished bodies of 16 MiB', ['holdLongBodies']);
  await measure('500 silent connections', ['holdSilentConnections']);
  await measure('50 unparsable bodies a second', ['sendUnparsableBodies']);
  await measure('all together', [
    'holdLongBodies',
    'holdSilentConnections',
    'sendUnparsableBodies',
  ]);
  const readers = await Promise.all(
    ['reader-1', 'reader-2', 'reader-3'].map((handle) => createPoster(service, handle)),
  );
  await measureUnderAttack(
    service,
    poster,
    '2,000 streams, each post a mention',
    { attacks: [], streamKeys: readers.map(({ key }) => key) },
    duration,
    '@reader-1 @reader-2 @reader-3',
  );
  await measure('no attack, afterwards', []);
  await measureHostileInput(service, poster);
}
