import { comparePosts } from '../measure/compare-posts.ts';
import { type Bench, type Measured, measure } from '../measure/measure.ts';
import type { Profile } from '../load/profiles.ts';
import { realisticQueries } from '../content/queries.ts';
import type { Scene } from '../content/setup.ts';
import { fillForSearch } from '../content/search-data.ts';
import type { Edit, Service } from '../load/service.ts';
import type { Spread } from '../measure/stats.ts';

export interface SearchFigures {
  readonly messages: number;
  readonly searches: readonly Measured[];
  /** Posts a second with the index, and where nothing is written that only search needs. */
  readonly posts: { readonly indexed: Spread; readonly bare: Spread };
  /** The first as a part of the second, pair by pair. */
  readonly ratio: Spread;
}

const QUERIES = 1_900;

/** The service without search: a post leaves no words behind, nor cuts any. */
const withoutWords: Edit = {
  file: 'features/messages/post-message.js',
  from: /write\(search\.insertMessages,[^;]*;/,
  to: '',
};

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
  const of = (what: string, key: string | null) =>
    measure(bench, `a search, ${what}`, { kind: 'search', queries, key }, null, [1, 4], false);
  const searches = [
    await of('stranger', null),
    await of('member of 100 rooms', scene.authors[1]?.key ?? null),
  ];
  bench.say('posts with and without the index of words');
  const { whole, without, ratio } = await comparePosts(
    bench,
    service,
    'words',
    withoutWords,
    posts,
  );
  return { messages, searches, posts: { indexed: whole, bare: without }, ratio };
}
