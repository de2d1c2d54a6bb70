import { writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import {
  mixedKinds,
  mixedOrder,
  prepareMixedLoad,
  registerMembers,
} from '../content/mixed-load.ts';
import { openChild } from '../load/child.ts';
import { addHooks, startHookReceiver } from '../load/hook-receiver.ts';
import { buildMachineCalls } from '../load/machine-calls.ts';
import type { OpenLoopCommand, Outcomes } from '../load/open-loop.ts';
import { ask } from '../load/poster.ts';
import { startService } from '../load/service.ts';
import { buildSteadyCalls } from '../load/soak-calls.ts';
import { connectSql } from '../load/sql-limit.ts';
import { startSteadyCalls } from '../load/steady-calls.ts';
import { measureCapacity } from '../measure/capacity.ts';
import { sumUpOutcomes } from '../measure/outcomes.ts';
import { type ServiceSample, sampleService } from '../measure/sample-service.ts';
import { toRound } from '../measure/stats.ts';
import { renderSoakPlot, renderSoakTable } from '../report/soak-report.ts';

export interface SoakOptions {
  readonly minutes: string;
  readonly share: string;
  readonly messages: string;
  readonly plot: string;
}

const INTERVAL_SECONDS = 15;
const HOOKS = 20;
const STEADY_AGENTS = 40;
const ARCHIVED = 1_000;

/** Adds latencies to a sample under the names of their kind. */
const toLatencies = (
  name: string,
  { p50, p99 }: { readonly p50: number; readonly p99: number },
) => ({
  [`${name} p50, ms`]: p50,
  [`${name} p99, ms`]: p99,
});

/**
 * Runs a mixed load for long and watches what the service holds. At the end it compares the last
 * quarter with the first, after a tenth to warm up.
 */
export async function benchSoak(options: SoakOptions): Promise<void> {
  const minutes = Number(options.minutes);
  const [load = 0] = loadavg();
  await using hooks = await startHookReceiver();
  await using service = await startService({ ...hooks.settings, RATE_LIMITS: 'off' });
  const { setup, profiles } = await prepareMixedLoad(service, Number(options.messages));
  const { key: ownerKey } = setup.authors[0] as (typeof setup.authors)[0];
  const create = async (path: string, body: object): Promise<string> =>
    (await ask(service, ownerKey, path, body)).id;
  const createRoom = (name: string) => create('/rooms', { name, visibility: 'public' });
  const createThread = (room: string, title: string) =>
    create(`/rooms/${room}/threads`, { title, body: 'First' });
  const roomId = await createRoom('Soak');
  const threadId = await createThread(roomId, 'Work');
  const hookedThreadId = await createThread(roomId, 'Hooks');
  const archive = { id: await createRoom('Archive'), key: ownerKey };
  const archived = await createThread(archive.id, 'Archived');
  for (let nr = 0; nr < ARCHIVED; nr++)
    await create(`/threads/${archived}/messages`, { body: `Message ${nr} of the archive.` });
  const keys = await registerMembers(service, roomId, 'steady', STEADY_AGENTS);
  await using sql = await connectSql(service.database.connection, 1);
  await addHooks(sql, HOOKS, hookedThreadId, hooks.encryptionKey);

  using generator = openChild<OpenLoopCommand, Outcomes | null>('open-loop');
  const open = mixedKinds.map((kind) => profiles[kind]);
  await generator.ask({ open, url: service.url, adminKey: service.adminKey });
  const order = mixedOrder.map((kind) => mixedKinds.indexOf(kind));
  await measureCapacity(generator, order, 3);
  const capacity = await measureCapacity(generator, order, 6);
  const rates = capacity.map((rate) => rate * Number(options.share));
  const described = mixedKinds.map((kind, nr) => `${kind} ${rates[nr]?.toFixed(1)}/s`).join(', ');
  console.log(`Load average before the start: ${load.toFixed(1)}. Offered: ${described}.`);

  await using file = await openFile(join(service.folder, 'page'), 'w');
  const steady = startSteadyCalls([
    ...buildSteadyCalls(service, { roomId, threadId, archive, hookedThreadId, keys }),
    ...buildMachineCalls(file),
  ]);
  const samples: ServiceSample[] = [];
  const until = performance.now() + minutes * 60_000;
  for (let seed = 1; performance.now() < until; seed++) {
    const round = { rates, seconds: INTERVAL_SECONDS, seed, connections: 0 };
    const outcomes = (await generator.ask(round)) as Outcomes;
    const part = { from: 0, to: INTERVAL_SECONDS * 1000 };
    const { latencies, failed } = steady.take();
    const all = sumUpOutcomes([outcomes], part);
    const { count } = await hooks.process.ask({ count: true });
    const sample = {
      ...(await sampleService(service, sql)),
      ...Object.assign(
        {},
        ...mixedKinds.map((name, kind) =>
          toLatencies(name, sumUpOutcomes([outcomes], { ...part, kind }).accepted),
        ),
        ...[...latencies].map(([name, list]) => toLatencies(name, toRound(list, 1))),
      ),
      'refused or failed, /s': all.refused.rate + (all.failed + failed) / INTERVAL_SECONDS,
      'hints so far': count,
      'load of the machine': loadavg()[0] ?? 0,
    };
    samples.push(sample);
    if (samples.length % (60 / INTERVAL_SECONDS) === 0) {
      const minute = (samples.length * INTERVAL_SECONDS) / 60;
      const figures = ['resident memory, MiB', 'file descriptors', 'post p99, ms'].map(
        (name) => `${name} ${sample[name]?.toFixed(0)}`,
      );
      const lastError = steady.lastError?.slice(0, 120) ?? 'no call failed';
      console.log(`${minute} min: ${figures.join('; ')}; ${lastError}`);
    }
  }
  await steady.stop();
  console.log(`\n${renderSoakTable(samples)}`);
  writeFileSync(options.plot, renderSoakPlot(samples, minutes));
}
