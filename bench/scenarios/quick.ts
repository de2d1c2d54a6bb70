import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCorpus } from '../content/corpus.ts';
import { createSetup } from '../content/setup.ts';
import { type Subject, subjects } from '../content/subjects.ts';
import { openChild } from '../load/child.ts';
import type { LoadCommand } from '../load/load.ts';
import { dataFolder, startService } from '../load/service.ts';
import { measureCosts, renderSpread } from '../measure/costs.ts';
import { measureLoopTime, measureSyncTime } from '../measure/machine-speed.ts';
import { type Round, type Spread, toSpread } from '../measure/stats.ts';
import { renderMarkdownTable } from '../report/document.ts';

const calls: readonly (readonly [what: Subject, connections: number])[] = [
  ['post', 8],
  ['post', 32],
  ['page', 8],
  ['public-page', 8],
  ['html-anew', 8],
  ['poll', 8],
  ['register', 8],
];
const ROUNDS = 3;
const SECONDS = 1.5;
const WARM_UP_SECONDS = 1;
const SYNCS = 50;
const LOOPS = 3;

/** What is kept of a run for the next one. */
interface Kept {
  readonly at: string;
  readonly loopMs: number;
  readonly medians: Readonly<Record<string, { readonly rate: number; readonly both: number }>>;
}

const lastPath = join(dataFolder, 'bench-quick.json');
const readLast = (): Kept | null =>
  existsSync(lastPath) ? (JSON.parse(readFileSync(lastPath, 'utf8')) as Kept) : null;

/** How a figure relates to that of the last run; empty without one. */
const renderChange = (now: number, before: number | undefined): string =>
  before === undefined ? '' : (now / before).toFixed(2);

/**
 * Runs the command `bench quick`, which somebody runs while working: the kinds of calls in turns,
 * round by round, so that a change of the machine's speed meets all of them. `both` is microseconds
 * of processor time of service and database a call. The last columns are the ratios to the last
 * run, whose figures are kept under `data`; the machine's own speed stands beside them.
 */
export async function benchQuick(): Promise<void> {
  const last = readLast();
  await using service = await startService({ RATE_LIMITS: 'off', LOAD_LIMITS: 'off' });
  using load = openChild<LoadCommand, Round | null>('load');
  const corpus = await findCorpus(undefined, service.folder);
  const setup = await createSetup(service, corpus);
  const rounds = new Map<string, Awaited<ReturnType<typeof measureCosts>>[]>();
  const loops: number[] = [];
  for (let nr = 0; nr <= ROUNDS; nr++) {
    loops.push(measureLoopTime(LOOPS).median);
    for (const [what, connections] of calls) {
      const name = `${what}, ${connections}`;
      if (nr === 0) {
        const profile = subjects[what](setup, corpus.bodies, true);
        await load.ask({ keep: name, profile, adminKey: service.adminKey });
      }
      const seconds = nr === 0 ? WARM_UP_SECONDS : SECONDS;
      const run = async (url: string) =>
        (await load.ask({ run: name, url, connections, seconds })) as Round;
      const costs = await measureCosts(service, run, seconds);
      if (nr > 0) rounds.set(name, [...(rounds.get(name) ?? []), costs]);
    }
    process.stderr.write(nr === 0 ? 'warmed up\n' : `round ${nr} of ${ROUNDS}\n`);
  }
  const loopMs = toSpread(loops).median;
  const medians: Record<string, { rate: number; both: number }> = {};
  const rows = [...rounds].map(([name, costs]) => {
    const spread = (read: (one: (typeof costs)[0]) => number): Spread => toSpread(costs.map(read));
    const rate = spread((one) => one.rate);
    const both = spread((one) => one.service + one.database);
    medians[name] = { rate: rate.median, both: both.median };
    const before = last?.medians[name];
    return [
      name,
      renderSpread(rate, 0),
      renderSpread(
        spread((one) => one.p50),
        1,
      ),
      renderSpread(
        spread((one) => one.p99),
        1,
      ),
      renderSpread(both, 0),
      renderChange(rate.median, before?.rate),
      renderChange(both.median, before?.both),
    ];
  });
  const head = ['connections', '/s', 'p50 ms', 'p99 ms', 'both µs', 'rate to last', 'both to last'];
  console.log(renderMarkdownTable(head, rows));
  const sync = renderSpread(measureSyncTime(service.folder, SYNCS), 2);
  const since = last ? `, ${renderChange(loopMs, last.loopMs)} of the last run (${last.at})` : '';
  console.log(`\nThe machine: a fixed loop ${loopMs.toFixed(1)} ms${since}; fdatasync ${sync} ms.`);
  const kept: Kept = { at: new Date().toISOString().slice(0, 16), loopMs, medians };
  writeFileSync(lastPath, JSON.stringify(kept));
}
