/**
 * Proves claims: two nodes over one database, many workers, and faults from a seed (kill -9 and
 * SIGSTOP of nodes for longer than a lease, answers that are lost, clocks of nodes that jump). What
 * each caller was told is checked by a search over a small model. With `--fault` the program has a
 * fault that must be found. Usage: npm run claims -- --help
 */
import { Command, Option } from 'commander';
import { parseAmount } from '../parse-amount.ts';
import { plantedFaults } from './planted-faults.ts';
import { type ProofResult, runProof } from './run-proof.ts';

/** So many seeds are tried until a planted fault must have been found. */
const SEEDS_FOR_FAULT = 10;

interface Flags {
  readonly seed: number;
  readonly seeds: number;
  readonly requests: number;
  readonly workers: number;
  readonly fault?: string;
}

const faultNames = Object.keys(plantedFaults);
const { seed, seeds, requests, workers, fault } = new Command('claims')
  .description('lets many workers claim requests while nodes are killed, and checks every answer')
  .option('--seed <number>', 'the first seed', parseAmount, 1)
  .option('--seeds <number>', 'how many seeds, one after the other', parseAmount, 1)
  .option('--requests <number>', 'requests of a seed', parseAmount, 1000)
  .option('--workers <number>', 'workers that claim them', parseAmount, 64)
  .addOption(
    new Option('--fault <name>', 'plants a fault in the program, which must be found').choices([
      'all',
      ...faultNames,
    ]),
  )
  .parse()
  .opts<Flags>();
const size = { requests, workers };
const say = (line: string) => process.stdout.write(`${line}\n`);

const formatRow = (one: ProofResult): string =>
  `| ${one.seed} | ${one.calls} | ${one.kills} | ${one.pauses} | ${one.lostAnswers} | ` +
  `${one.takenOver} | ${one.slowestTakeoverMs ?? ''} | ${one.violations.length} |`;

async function prove(): Promise<void> {
  say(
    '| Seed | Calls | kill -9 | SIGSTOP | Answers lost | Taken over | Slowest, ms | Violations |',
  );
  say('|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (let nr = 0; nr < seeds; nr++) {
    const result = await runProof({ ...size, seed: seed + nr, fault: null });
    say(formatRow(result));
    for (const violation of result.violations.slice(0, 3)) say(violation);
    if (result.violations.length > 0) process.exitCode = 1;
  }
}

async function findFault(name: string): Promise<void> {
  for (let nr = 0; nr < SEEDS_FOR_FAULT; nr++) {
    const { violations } = await runProof({ ...size, seed: seed + nr, fault: name });
    if (violations.length === 0) continue;
    say(`${name}: found with seed ${seed + nr}, ${violations.length} violations`);
    say(violations[0] ?? '');
    return;
  }
  say(`${name}: NOT FOUND with ${SEEDS_FOR_FAULT} seeds`);
  process.exitCode = 1;
}

if (fault === undefined) await prove();
else for (const name of fault === 'all' ? faultNames : [fault]) await findFault(name);
