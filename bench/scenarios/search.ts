import { buildRealisticQueries } from '../content/queries.ts';
import { fillForSearch } from '../content/search-data.ts';
import type { BenchSetup } from '../content/setup.ts';
import type { Profile } from '../load/profiles.ts';
import type { BenchService, ProgramEdit } from '../load/service.ts';
import { comparePosts } from '../measure/compare-posts.ts';
import { type Bench, type Measurement, measure } from '../measure/measure.ts';
import type { Spread } from '../measure/stats.ts';

/** The figures of search. */
export interface SearchFigures {
  readonly messages: number;
  readonly searches: readonly Measurement[];
  /** Posts per second with the index, and without writing to it. */
  readonly posts: { readonly indexed: Spread; readonly bare: Spread };
  /** The first rate divided by the second, pair by pair. */
  readonly ratio: Spread;
}

const QUERIES = 1_900;

/** The service without search: a post neither splits nor stores words. */
const withoutWords: ProgramEdit = {
  file: 'features/messages/post-message.js',
  from: /write\(search\.insertMessages,[^;]*;/,
  to: '',
};

/**
 * Measures searches among very many messages, by a stranger and by a member of many rooms, and the
 * cost of the index for posts.
 */
export async function measureSearch(
  bench: Bench,
  service: BenchService,
  setup: BenchSetup,
  bodies: readonly string[],
  messages: number,
  posts: Profile,
): Promise<SearchFigures> {
  bench.report(`inserting ${messages} messages to search in`);
  await fillForSearch(bench.sql, setup, bodies, messages);
  const queries = buildRealisticQueries(bodies, setup, QUERIES);
  const measureSearches = (what: string, key: string | null) =>
    measure(bench, `a search, ${what}`, { kind: 'search', queries, key }, null, [1, 4], false);
  const searches = [
    await measureSearches('stranger', null),
    await measureSearches('member of 100 rooms', setup.authors[1]?.key ?? null),
  ];
  bench.report('posts with and without the index of words');
  const { whole, without, ratio } = await comparePosts(
    bench,
    service,
    'words',
    withoutWords,
    posts,
  );
  return { messages, searches, posts: { indexed: whole, bare: without }, ratio };
}
