import type { Profile } from '../load/profiles.ts';
import { type BenchService, type ProgramEdit, startVariant } from '../load/service.ts';
import type { Bench } from './measure.ts';
import { type Round, type Spread, toSpread } from './stats.ts';

const CONNECTIONS = 8;

/** The rates of posts with and without a part of the service. */
export interface PostComparison {
  /** Posts per second. */
  readonly whole: Spread;
  readonly without: Spread;
  /** The first rate divided by the second, pair by pair. */
  readonly ratio: Spread;
}

/**
 * Posts in turns to the service and to a variant without a part of it, on one database. The
 * difference is the cost of the part.
 */
export async function comparePosts(
  { pace, load, adminKey, sampleMemory }: Bench,
  service: BenchService,
  part: string,
  edit: ProgramEdit,
  posts: Profile,
): Promise<PostComparison> {
  const rates = { whole: [] as number[], without: [] as number[] };
  await using variant = await startVariant(service, `without-${part}`, [edit]);
  await load.ask({ keep: part, profile: posts, adminKey });
  const measureRound = async (url: string) =>
    ((await load.ask({ run: part, url, connections: CONNECTIONS, seconds: pace.seconds })) as Round)
      .rate;
  const both = [
    ['whole', service.url],
    ['without', variant.url],
  ] as const;
  for (const [, url] of both) await measureRound(url);
  for (let index = 0; index < pace.rounds; index++)
    for (const [name, url] of index % 2 ? both : both.toReversed())
      rates[name].push(await measureRound(url));
  sampleMemory();
  const ratios = rates.whole.map((rate, index) => rate / (rates.without[index] ?? Number.NaN));
  return {
    whole: toSpread(rates.whole),
    without: toSpread(rates.without),
    ratio: toSpread(ratios),
  };
}
