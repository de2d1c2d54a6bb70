import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MixedLoad, prepareMixedLoad } from '../content/mixed-load.ts';
import { openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import type { Profile } from '../load/profiles.ts';
import { type BenchService, startKept } from '../load/service.ts';
import { type Costs, measureCosts, readMeasure, renderSpread } from '../measure/costs.ts';
import { type Round, toSpread } from '../measure/stats.ts';
import { renderMarkdownTable } from '../report/document.ts';

export interface FlatOptions {
  readonly messages: string;
  readonly connections: string;
  readonly seconds: string;
  readonly rounds: string;
}

const kinds = ['post', 'page', 'poll', 'search', 'register', 'tool'] as const;
type Profiles = Readonly<Record<(typeof kinds)[number], Profile>>;

const measures = ['p50', 'p99', 'service', 'database', 'both'] as const;
/** What is measured is the cost of calls, not what is refused. */
const unlimited = { RATE_LIMITS: 'off', LOAD_LIMITS: 'off' };
const WARM_UP_SECONDS = 3;

const toProfiles = ({ profiles, keys }: MixedLoad): Profiles => ({
  ...profiles,
  register: { kind: 'register' },
  tool: { kind: 'tool', keys },
});

/** Fills an installation once, and returns what it is asked for. */
async function fillOnce(service: BenchService, messages: number): Promise<Profiles> {
  const file = join(service.folder, 'profiles.json');
  if (!existsSync(file)) {
    console.log(`Writing ${messages} messages, once ...`);
    const profiles = toProfiles(await prepareMixedLoad(service, messages));
    writeFileSync(file, JSON.stringify(profiles));
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Profiles;
}

/** Renders a measure of two installations, and its ratio round by round. */
function renderRow(
  kind: string,
  measure: (typeof measures)[number],
  few: readonly Costs[],
  many: readonly Costs[],
): string[] {
  const [before, after] = [few, many].map((rounds) =>
    rounds.map((costs) => readMeasure(costs, measure)),
  ) as [number[], number[]];
  const digits = measure.startsWith('p') ? 1 : 0;
  const ratios = after.map((value, nr) => value / (before[nr] ?? Number.NaN));
  return [
    kind,
    measure,
    renderSpread(toSpread(before), digits),
    renderSpread(toSpread(after), digits),
    renderSpread(toSpread(ratios), 2),
  ];
}

/**
 * Runs the command `bench flat`: the same calls to an installation with few messages and to one
 * with very many, in turns. Both are kept for the next run. Times are milliseconds, processor times
 * are microseconds a call.
 */
export async function benchFlat(options: FlatOptions): Promise<void> {
  const sizes = options.messages.split(',').map(Number);
  const [least = 20_000, most = least] = sizes;
  await using few = await startKept(String(least), unlimited);
  await using many = await startKept(String(most), unlimited);
  const seconds = Number(options.seconds);
  const connections = Number(options.connections);
  using load = openChild<LoadCommand, Round | null>('load');
  const services = [few, many];
  const profiles = [await fillOnce(few, least), await fillOnce(many, most)];
  const rows: string[][] = [];
  for (const kind of kinds) {
    const rounds: [Costs[], Costs[]] = [[], []];
    for (const [index, service] of services.entries()) {
      const profile = profiles[index]?.[kind] as Profile;
      await load.ask({ keep: `${kind}-${index}`, profile, adminKey: service.adminKey });
      await load.ask({
        run: `${kind}-${index}`,
        url: service.url,
        connections,
        seconds: WARM_UP_SECONDS,
      });
    }
    for (let nr = 0; nr < Number(options.rounds) * 2; nr++) {
      // Neither is always the first.
      const index = [0, 1, 1, 0][nr % 4] as 0 | 1;
      const run = async (url: string) =>
        (await load.ask({ run: `${kind}-${index}`, url, connections, seconds })) as Round;
      rounds[index].push(await measureCosts(services[index] as BenchService, run, seconds));
    }
    const added = measures.map((measure) => renderRow(kind, measure, rounds[0], rounds[1]));
    for (const row of added) console.log(row.join(' | '));
    rows.push(...added);
  }
  const head = ['', '', `${least} messages`, `${most} messages`, 'ratio'];
  console.log(`\n${renderMarkdownTable(head, rows)}`);
  for (const { readyMs, folder, pid } of services)
    console.log(`${folder}: ready after ${readyMs.toFixed(0)} ms, process ${pid}.`);
}
