/**
 * Proves claims: two nodes over one database, many workers, and faults from a seed (kill -9 and
 * SIGSTOP of nodes for longer than a lease, answers that are lost, clocks of nodes that jump). What
 * each caller was told is checked by a search over a small model. With `--fault` the program has a
 * fault that must be found. Usage: npm run claims -- [--seeds 20] [--seed 1] [--requests 1000]
 * [--workers 64] [--fault all|<name>]
 */
import { parseArgs } from 'node:util';
import { plantedFaults } from './planted-faults.ts';
import { type ProofResult, runProof } from './run-proof.ts';

/** So many seeds are tried until a planted fault must have been found. */
const SEEDS_FOR_FAULT = 10;

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '64' },
    fault: { type: 'string' },
  },
});
const size = { requests: Number(flags.requests), workers: Number(flags.workers) };
const firstSeed = Number(flags.seed);
const say = (line: string) => process.stdout.write(`${line}\n`);

const formatRow = (one: ProofResult): string =>
  `| ${one.seed} | ${one.calls} | ${one.kills} | ${one.pauses} | ${one.lostAnswers} | ` +
  `${one.takenOver} | ${one.slowestTakeoverMs ?? ''} | ${one.violations.length} |`;

async function prove(): Promise<void> {
  say(
    '| Seed | Calls | kill -9 | SIGSTOP | Answers lost | Taken over | Slowest, ms | Violations |',
  );
  say('|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (let nr = 0; nr < Number(flags.seeds); nr++) {
    const result = await runProof({ ...size, seed: firstSeed + nr, fault: null });
    say(formatRow(result));
    for (const violation of result.violations.slice(0, 3)) say(violation);
    if (result.violations.length > 0) process.exitCode = 1;
  }
}

async function findFault(fault: string): Promise<void> {
  for (let nr = 0; nr < SEEDS_FOR_FAULT; nr++) {
    const { violations } = await runProof({ ...size, seed: firstSeed + nr, fault });
    if (violations.length === 0) continue;
    say(`${fault}: found with seed ${firstSeed + nr}, ${violations.length} violations`);
    say(violations[0] ?? '');
    return;
  }
  say(`${fault}: NOT FOUND with ${SEEDS_FOR_FAULT} seeds`);
  process.exitCode = 1;
}

if (flags.fault === undefined) await prove();
else
  for (const name of flags.fault === 'all' ? Object.keys(plantedFaults) : [flags.fault])
    await findFault(name);
