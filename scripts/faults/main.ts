/**
 * Lets faults strike an installation while agents do everything that they can do, and proves
 * afterwards that nothing was lost, doubled, out of order or shown to a stranger. Usage:
 * npm run faults -- --help
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { parseAmount } from '../parse-amount.ts';
import { type PlannedFault, planFaults, withUpgrade } from './plan.ts';
import { plantFault } from './plant.ts';
import { plantedFaults } from './planted-faults.ts';
import { buildPreviousRelease } from './previous-release.ts';
import { runSeed, type SeedResult } from './run-seed.ts';
import { openSite, type Site, type SiteOptions } from './site.ts';
import { strike } from './strikes.ts';

/** So many seeds in a row share an installation. */
const SEEDS_OF_SITE = 5;
const SHOWN = 5;

interface Flags {
  readonly seed: number;
  readonly seeds: number;
  readonly minutes?: number;
  readonly faults: number;
  readonly fault?: string;
  readonly from?: string;
}

const faultNames = Object.keys(plantedFaults);
const flags = new Command('faults')
  .description('lets faults strike an installation, and proves that nothing was lost or doubled')
  .option('--seed <number>', 'the first seed', parseAmount, 1)
  .option('--seeds <number>', 'how many seeds, one after the other', parseAmount, 1)
  .option('--minutes <number>', 'how long seeds begin, instead of how many', parseAmount)
  .option('--faults <number>', 'faults of a seed', parseAmount, 3)
  .addOption(
    new Option('--fault <name>', 'plants a fault in the program, which must be found').choices([
      'all',
      ...faultNames,
    ]),
  )
  .option('--from <commit>', 'an older program, upgraded in the middle of each seed')
  .parse()
  .opts<Flags>();
const seeds = flags.minutes === undefined ? flags.seeds : Infinity;
const until = flags.minutes === undefined ? Infinity : Date.now() + flags.minutes * 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** The installation that is open now. */
let site: Site | undefined;

/** The installation of a seed: every combination of nodes and stores comes in turn. */
function chooseSite(seed: number): SiteOptions & { readonly nr: number } {
  const nr = Math.floor((seed - 1) / SEEDS_OF_SITE);
  return { nr, nodes: nr % 3 === 2 ? 1 : 2, store: nr % 2 === 0 ? 's3' : 'folder' };
}

const formatFault = ({ kind, node }: PlannedFault): string =>
  /node|clients|database$|commits/.test(kind) ? `${kind} ${node}` : kind;

const formatRow = (seed: number, plan: readonly PlannedFault[], one: SeedResult): string =>
  `| ${seed} | ${plan.map(formatFault).join(', ')} | ${one.calls} | ${one.acts} | ` +
  `${one.lost} | ${one.cuts} | ${one.violations.length} |`;

/** Runs one seed after the other until `isEnough` says so. Violations are printed. */
async function runSeeds(
  main: string | undefined,
  isEnough: (result: SeedResult, seed: number) => boolean,
): Promise<void> {
  let current = -1;
  try {
    for (let nr = 0; nr < seeds && Date.now() < until; nr++) {
      const seed = flags.seed + nr;
      const { nr: wanted, ...options } = chooseSite(seed);
      if (wanted !== current || flags.from) {
        await site?.[Symbol.asyncDispose]();
        site = await openSite({ ...options, ...(main && { main }) });
        current = wanted;
      }
      const planned = planFaults(seed, flags.faults, options.nodes);
      const plan = flags.from ? withUpgrade(planned) : planned;
      const opened = site as Site;
      const result = await runSeed(opened, seed, () => strike(opened, plan));
      say(formatRow(seed, plan, result));
      for (const violation of result.violations.slice(0, SHOWN)) say(violation);
      if (isEnough(result, seed)) return;
    }
  } finally {
    await site?.[Symbol.asyncDispose]();
  }
}

/** Runs the program with a planted fault until that is found. */
async function findFault(name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-planted-'));
  let found: number | undefined;
  try {
    const main = await plantFault(plantedFaults, name, join(folder, 'program'));
    await runSeeds(main, ({ violations }, seed) => {
      if (violations.length > 0) found = seed;
      return found !== undefined;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  say(found ? `${name}: found with seed ${found}` : `${name}: NOT FOUND`);
  if (!found) process.exitCode = 1;
}

// Otherwise nodes and database would go on.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, async () => {
    await site?.[Symbol.asyncDispose]();
    process.exit(1);
  });

say('| Seed | Faults | Calls | Acts | Answers lost | Connections cut | Violations |');
say('|--:|---|--:|--:|--:|--:|--:|');
if (flags.fault === undefined)
  await runSeeds(flags.from && (await buildPreviousRelease(flags.from)), ({ violations }) => {
    if (violations.length > 0) process.exitCode = 1;
    return false;
  });
else for (const name of flags.fault === 'all' ? faultNames : [flags.fault]) await findFault(name);
