import type { Bench } from './measure.ts';
import type { Profile } from '../load/profiles.ts';
import { type Edit, type Service, startVariant } from '../load/service.ts';
import { type Round, type Spread, spreadOf } from './stats.ts';

const CONNECTIONS = 8;

export interface Comparison {
  /** Posts a second. */
  readonly whole: Spread;
  readonly without: Spread;
  /** The first as a part of the second, pair by pair. */
  readonly ratio: Spread;
}

/** Posts to the service and to the same one without a part of it, on one database and in turns: what the part costs is their difference. */
export async function comparePosts(
  { pace, load, adminKey, look }: Bench,
  service: Service,
  part: string,
  edit: Edit,
  posts: Profile,
): Promise<Comparison> {
  const rates = { whole: [] as number[], without: [] as number[] };
  await using variant = await startVariant(service, `without-${part}`, [edit]);
  await load.ask({ keep: part, profile: posts, adminKey });
  const round = async (url: string) =>
    ((await load.ask({ run: part, url, connections: CONNECTIONS, seconds: pace.seconds })) as Round)
      .rate;
  const both = [['whole', service.url] as const, ['without', variant.url] as const];
  for (const [, url] of both) await round(url);
  for (let index = 0; index < pace.rounds; index++)
    for (const [name, url] of index % 2 ? both : both.toReversed())
      rates[name].push(await round(url));
  look();
  const ratios = rates.whole.map((rate, index) => rate / (rates.without[index] ?? Number.NaN));
  return {
    whole: spreadOf(rates.whole),
    without: spreadOf(rates.without),
    ratio: spreadOf(ratios),
  };
}
