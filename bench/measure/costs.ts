import type { BenchService } from '../load/service.ts';
import { readResidentMemory } from './memory.ts';
import { readDatabaseTime, readServiceTime } from './processor-time.ts';
import type { Pair } from './run-in-pairs.ts';
import { type Round, type Spread, toSpread } from './stats.ts';

/**
 * What a round cost: calls per second, milliseconds, microseconds of processor time a call, and the
 * resident memory of the service afterwards in MiB.
 */
type Costs = Readonly<Record<'rate' | 'p50' | 'p99' | 'service' | 'database' | 'memory', number>>;

export const MEASURES = ['rate', 'p50', 'p99', 'service', 'database', 'both', 'memory'] as const;

/** Measures one round of calls against a service. */
export async function measureCosts(
  service: BenchService,
  run: (url: string) => Promise<Round>,
  seconds: number,
): Promise<Costs> {
  const read = () => {
    const sum = ({ own, kernel }: { readonly own: number; readonly kernel: number }) =>
      own + kernel;
    const { data } = service.database.location;
    return {
      service: sum(readServiceTime(service.pid, data)),
      database: sum(readDatabaseTime(data)),
    };
  };
  const before = read();
  const round = await run(service.url);
  const after = read();
  const each = (who: 'service' | 'database') =>
    ((after[who] - before[who]) * 1000) / (round.rate * seconds);
  return {
    ...round,
    service: each('service'),
    database: each('database'),
    memory: readResidentMemory(service.pid).now,
  };
}

const readMeasure = (costs: Costs, measure: (typeof MEASURES)[number]): number =>
  measure === 'both' ? costs.service + costs.database : costs[measure];

/** Renders the least, the median and the most. */
export const renderSpread = ({ min, median, max }: Spread, digits: number): string =>
  `${min.toFixed(digits)} – **${median.toFixed(digits)}** – ${max.toFixed(digits)}`;

/** Renders measures of two things, and the ratio of the first to the other, pair by pair. */
export const compareCosts = (
  pairs: readonly Pair<Costs>[],
  measures: readonly (typeof MEASURES)[number][],
): string[][] =>
  measures.map((measure) => {
    const one = pairs.map((pair) => readMeasure(pair.one, measure));
    const other = pairs.map((pair) => readMeasure(pair.other, measure));
    const ratios = one.map((value, index) => value / (other[index] ?? Number.NaN));
    const digits = measure === 'p50' || measure === 'p99' ? 1 : 0;
    return [
      measure,
      renderSpread(toSpread(one), digits),
      renderSpread(toSpread(other), digits),
      renderSpread(toSpread(ratios), 2),
    ];
  });
