import { type Call, isLinearizable } from '../../test/support/linearizability.ts';
import {
  type HistoryShape,
  inventHistory,
  type RegisterOperation,
  registers,
} from '../../test/support/registers.ts';
import { createRandom } from '../content/varied-text.ts';
import { toSpread } from '../measure/stats.ts';

const SEEDS = [1, 2, 3, 4, 5];
const NEVER = Infinity;

const shapes: Readonly<Record<string, HistoryShape>> = {
  'one register': { calls: 10_000, callers: 10, registers: 1, lostOneOf: NEVER },
  'one register, one answer of 200 lost': {
    calls: 10_000,
    callers: 10,
    registers: 1,
    lostOneOf: 200,
  },
  '100 registers': { calls: 10_000, callers: 10, registers: 100, lostOneOf: NEVER },
  '100 registers, one answer of 20 lost': {
    calls: 10_000,
    callers: 10,
    registers: 100,
    lostOneOf: 20,
  },
};

/** Adds a read near the end that saw what the first write left. */
function addStaleRead(history: readonly Call<RegisterOperation>[]): Call<RegisterOperation>[] {
  const start = Math.max(...history.map((call) => call.start)) - 20;
  const written = history.flatMap(({ operation }) => (operation.kind === 'write' ? operation : []));
  const stale = written.slice(0, 1).map((operation) => ({
    operation: { ...operation, kind: 'read' as const },
    start,
    end: start + 10,
  }));
  return [...history, ...stale];
}

/**
 * Measures how long the checker of histories takes for 10,000 calls of ten callers, in time of the
 * processor, which other programs do not lengthen.
 */
export function benchHistories(): void {
  for (const [name, shape] of Object.entries(shapes)) {
    const histories = SEEDS.map((seed) => inventHistory(shape, createRandom(seed)));
    for (const isRight of [true, false]) {
      const times = histories.map((history) => {
        const checked = isRight ? history : addStaleRead(history);
        const before = process.cpuUsage();
        if (isLinearizable(checked, registers) !== isRight) throw new Error(`${name}: wrong.`);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000_000;
      });
      const { min, median, max } = toSpread(times);
      const figures = [min, median, max].map((seconds) => seconds.toFixed(2)).join(' – ');
      process.stdout.write(`${name}, ${isRight ? 'an' : 'no'} order: ${figures} s\n`);
    }
  }
}
