import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MixedLoad, prepareMixedLoad } from '../content/mixed-load.ts';
import { openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import type { Profile } from '../load/profiles.ts';
import { type BenchService, startKept } from '../load/service.ts';
import { compareCosts, measureCosts } from '../measure/costs.ts';
import { readResidentMemory } from '../measure/memory.ts';
import { runInPairs } from '../measure/run-in-pairs.ts';
import type { Round } from '../measure/stats.ts';
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

/**
 * Runs the command `bench flat`: the same calls to an installation with few messages and to one
 * with very many, in turns. Both are kept for the next run. Times are milliseconds, processor times
 * are microseconds a call.
 */
export async function benchFlat(options: FlatOptions): Promise<void> {
  const [least = 20_000, most = least] = options.messages.split(',').map(Number);
  await using few = await startKept(String(least), unlimited);
  await using many = await startKept(String(most), unlimited);
  const seconds = Number(options.seconds);
  const connections = Number(options.connections);
  using load = openChild<LoadCommand, Round | null>('load');
  const prepare = async (service: BenchService, messages: number) => {
    const profiles = await fillOnce(service, messages);
    return async (kind: (typeof kinds)[number]) => {
      const name = `${kind}-${messages}`;
      await load.ask({ keep: name, profile: profiles[kind], adminKey: service.adminKey });
      const run = async (url: string, duration = seconds) =>
        (await load.ask({ run: name, url, connections, seconds: duration })) as Round;
      await run(service.url, WARM_UP_SECONDS);
      return () => measureCosts(service, run, seconds);
    };
  };
  const prepareFew = await prepare(few, least);
  const prepareMany = await prepare(many, most);
  const rows: string[][] = [];
  for (const kind of kinds) {
    const measureMany = await prepareMany(kind);
    const pairs = await runInPairs(Number(options.rounds), measureMany, await prepareFew(kind));
    const added = compareCosts(pairs, measures).map((row) => [kind, ...row]);
    for (const row of added) console.log(row.join(' | '));
    rows.push(...added);
  }
  const head = ['', '', `${most} messages`, `${least} messages`, 'ratio'];
  console.log(`\n${renderMarkdownTable(head, rows)}`);
  for (const { readyMs, folder, pid } of [few, many])
    console.log(
      `${folder}: ready after ${readyMs.toFixed(0)} ms, at most ` +
        `${readResidentMemory(pid).peak.toFixed(0)} MiB.`,
    );
}
