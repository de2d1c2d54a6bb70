import { loadavg } from 'node:os';
import { type MixedKind, mixedKinds, mixedOrder, prepareMixedLoad } from '../content/mixed-load.ts';
import { openChild } from '../load/child.ts';
import type { OpenLoop, OpenLoopCommand, Outcomes } from '../load/open-loop.ts';
import type { Profile } from '../load/profiles.ts';
import { type BenchService, startService } from '../load/service.ts';
import { measureCapacity } from '../measure/capacity.ts';
import { type OutcomeFigures, sumUpOutcomes } from '../measure/outcomes.ts';
import { watchMemory } from '../measure/watch-process.ts';
import { formatNumber, renderMarkdownTable } from '../report/document.ts';

export interface OverloadOptions {
  readonly seconds: string;
  readonly times: string;
  readonly messages: string;
  readonly only?: string;
}

/** The share of the capacity at which the service is compared before and after. */
const NORMAL = 0.5;
const NORMAL_SECONDS = 10;
/** The seconds after the end of an overload in which the service may recover. */
const RECOVERY_MS = 5_000;

/** The loads, and in which order callers send the kinds to find the capacity. */
const loads: Readonly<Record<string, readonly MixedKind[]>> = {
  posts: ['post'],
  pages: ['page'],
  polls: ['poll'],
  searches: ['search'],
  mixed: mixedOrder,
};

/** Connections that each generator has from the beginning. */
const CONNECTIONS = 400;

/** Runs a round on all generators, which share the rates, and returns what each of them saw. */
async function runRates(
  generators: readonly OpenLoop[],
  rates: readonly number[],
  seconds: number,
  seed: number,
): Promise<Outcomes[]> {
  const shares = rates.map((rate) => rate / generators.length);
  const rounds = generators.map((generator, index) =>
    generator.ask({ rates: shares, seconds, seed: seed + index, connections: CONNECTIONS }),
  );
  return (await Promise.all(rounds)) as Outcomes[];
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const formatMs = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(1));

/** The part of a round in which the service is compared with itself, in milliseconds. */
const STEP_MS = 500;
/** How much slower than the slowest step before an overload a step after it may be. */
const SLACK = 1.25;

/**
 * Finds how many milliseconds after an overload nothing is refused and the median of each step is
 * that of before: no slower than in the slowest step then, because steps differ without any
 * overload too.
 */
function findRecovery(after: readonly Outcomes[], before: readonly Outcomes[]): number {
  const starts = Array.from({ length: (NORMAL_SECONDS * 1000) / STEP_MS }, (_, nr) => nr * STEP_MS);
  const sumUpStep = (all: readonly Outcomes[], from: number) =>
    sumUpOutcomes(all, { from, to: from + STEP_MS });
  const slowest = Math.max(...starts.map((from) => sumUpStep(before, from).accepted.p50));
  const isNormal = (from: number) => {
    const { accepted, refused } = sumUpStep(after, from);
    return refused.rate === 0 && accepted.p50 <= slowest * SLACK;
  };
  const last = starts.findLast((from) => !isNormal(from));
  return last === undefined ? 0 : last + STEP_MS;
}

async function measureLoad(
  service: BenchService,
  generators: readonly OpenLoop[],
  profiles: Readonly<Record<MixedKind, Profile>>,
  name: string,
  seconds: number,
  times: number,
): Promise<string[][]> {
  const order = loads[name] as readonly MixedKind[];
  const used = mixedKinds.filter((kind) => order.includes(kind));
  const open = used.map((kind) => profiles[kind]);
  for (const generator of generators)
    await generator.ask({ open, url: service.url, adminKey: service.adminKey });
  const first = generators[0] as OpenLoop;
  const indexes = order.map((kind) => used.indexOf(kind));
  await measureCapacity(first, indexes, 3);
  const capacity = await measureCapacity(first, indexes, 6);
  using memory = watchMemory(service.pid);
  const scale = (factor: number) => capacity.map((rate) => rate * factor);
  const normal = { from: 0, to: NORMAL_SECONDS * 1000 };
  const beforehand = await runRates(generators, scale(NORMAL), NORMAL_SECONDS, 1);
  const before = sumUpOutcomes(beforehand, normal);
  const memoryBefore = memory.take().now;
  const during = await runRates(generators, scale(times), seconds, 2);
  const { peak } = memory.take();
  const afterwards = await runRates(generators, scale(NORMAL), NORMAL_SECONDS, 3);
  const after = sumUpOutcomes(afterwards, { from: RECOVERY_MS, to: normal.to });
  const recovery = findRecovery(afterwards, beforehand);
  const memoryAfter = memory.take().now;
  const toRow = (what: string, carried: number, figures: OutcomeFigures, rest: string[]) => {
    const { accepted, refused, refusedWithoutRetryAfter, failed, lag } = figures;
    return [
      what,
      formatNumber(carried),
      formatNumber(carried * times),
      `${formatNumber(accepted.rate)} (${Math.round((accepted.rate / carried) * 100)} %)`,
      `${formatMs(accepted.p50)}, **${formatMs(accepted.p99)}**`,
      `${formatNumber(refused.rate)}`,
      `${formatMs(refused.p50)}, ${formatMs(refused.p99)}`,
      `${refusedWithoutRetryAfter}, ${failed}`,
      lag.toFixed(0),
      ...rest,
    ];
  };
  const part = { from: 0, to: seconds * 1000 };
  const rest = [
    `${formatMs(before.accepted.p99)}, ${formatMs(after.accepted.p99)}`,
    `${(recovery / 1000).toFixed(1)} s`,
    [memoryBefore, peak, memoryAfter].map((value) => value.toFixed(0)).join(', '),
  ];
  const rows = [toRow(name, sum(capacity), sumUpOutcomes(during, part), rest)];
  if (used.length > 1)
    for (const [kind, what] of used.entries())
      rows.push(
        toRow(`– ${what}`, capacity[kind] ?? 0, sumUpOutcomes(during, { ...part, kind }), [
          '',
          '',
          '',
        ]),
      );
  return rows;
}

const head = [
  'load',
  'carried alone, /s',
  'offered, /s',
  'accepted, /s',
  'accepted p50, p99 ms',
  'refused, /s',
  'refused p50, p99 ms',
  'no Retry-After, failed',
  'generator late, p99 ms',
  'p99 at half load before, after ms',
  'normal after',
  'MiB before, peak, after',
];

/** Offers several times what the service carries, with its default load limits. */
export async function benchOverload(options: OverloadOptions): Promise<void> {
  const [load = 0] = loadavg();
  const seconds = Number(options.seconds);
  const times = Number(options.times);
  await using service = await startService({ REALM: 'bench', RATE_LIMITS: 'off' });
  const { profiles } = await prepareMixedLoad(service, Number(options.messages));
  using one = openChild<OpenLoopCommand, Outcomes | null>('open-loop');
  using other = openChild<OpenLoopCommand, Outcomes | null>('open-loop');
  const rows: string[][] = [];
  for (const name of options.only?.split(',') ?? Object.keys(loads)) {
    console.log(`${name} ...`);
    rows.push(...(await measureLoad(service, [one, other], profiles, name, seconds, times)));
    console.log(rows.at(-1)?.join(' | '));
  }
  console.log(`Load average before the start: ${load.toFixed(1)}.\n`);
  console.log(renderMarkdownTable(head, rows));
}
