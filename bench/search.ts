import { type Bench, type Measured, measure } from './measure.ts';
import type { Profile } from './profiles.ts';
import { realisticQueries } from './queries.ts';
import type { Scene } from './scene.ts';
import { fillForSearch } from './search-data.ts';
import { type Edit, type Service, startVariant } from './service.ts';
import { type Round, type Spread, spreadOf } from './stats.ts';

export interface SearchFigures {
  readonly messages: number;
  readonly searches: readonly Measured[];
  /** Posts a second with the index, and where nothing is written that only search needs. */
  readonly posts: { readonly indexed: Spread; readonly bare: Spread };
  /** The first as a part of the second, pair by pair. */
  readonly ratio: Spread;
}

const QUERIES = 1_900;
const CONNECTIONS = 8;

/** The service without search: a post leaves no words behind, nor cuts any. */
const withoutWords: Edit = { file: 'features/messages/post-message.js', from: /write\(search\.insertMessages,[^;]*;/, to: '' };

/** Posts with and without words, round by round: what is compared is their difference. */
async function comparePosts({ pace, load, adminKey, say, look }: Bench, service: Service, posts: Profile) {
  const rates = { indexed: [] as number[], bare: [] as number[] };
  await using bare = await startVariant(service, 'without-words', [withoutWords]);
  await load.ask({ keep: 'posts among many', profile: posts, adminKey });
  const round = async (url: string) => ((await load.ask({ run: 'posts among many', url, connections: CONNECTIONS, seconds: pace.seconds })) as Round).rate;
  say('posts with and without the index of words');
  const both = [['indexed', service.url] as const, ['bare', bare.url] as const];
  for (const [, url] of both) await round(url);
  for (let index = 0; index < pace.rounds; index++) for (const [name, url] of index % 2 ? both : both.toReversed()) rates[name].push(await round(url));
  look();
  const ratios = rates.indexed.map((rate, index) => rate / (rates.bare[index] ?? Number.NaN));
  return { posts: { indexed: spreadOf(rates.indexed), bare: spreadOf(rates.bare) }, ratio: spreadOf(ratios) };
}

/** Searches among very many messages, by a stranger and by a member of many rooms, and what the index costs those who post. */
export async function measureSearch(
  bench: Bench,
  service: Service,
  scene: Scene,
  bodies: readonly string[],
  messages: number,
  posts: Profile,
): Promise<SearchFigures> {
  bench.say(`writing ${messages} messages to search in`);
  await fillForSearch(bench.sql, scene, bodies, messages);
  const queries = realisticQueries(bodies, scene, QUERIES);
  const of = (what: string, key: string | null) => measure(bench, `a search, ${what}`, { kind: 'search', queries, key }, null, [1, 4], false);
  const searches = [await of('stranger', null), await of('member of 100 rooms', scene.authors[1]?.key ?? null)];
  return { messages, searches, ...(await comparePosts(bench, service, posts)) };
}
