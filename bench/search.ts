import { messageWords } from '../src/features/search/index.store.ts';
import { type Bench, type Measured, measure } from './measure.ts';
import type { Profile } from './profiles.ts';
import { realisticQueries } from './queries.ts';
import type { Scene } from './scene.ts';
import { fillForSearch } from './search-data.ts';
import { type Round, type Spread, spreadOf } from './stats.ts';

export interface SearchFigures {
  readonly messages: number;
  readonly searches: readonly Measured[];
  /** Posts a second with the index, and when no word is written anywhere. */
  readonly posts: { readonly indexed: Spread; readonly bare: Spread };
  /** Milliseconds that the service takes to cut a body into words, which it does in both cases. */
  readonly cutting: number;
  /** Speed of posts as a part of what it would be without any index: cutting words is counted to the index. */
  readonly ratio: Spread;
}

const QUERIES = 1_900;
const CONNECTIONS = 8;

/** How the words of new messages are thrown away: a view in the table's place, into which nothing can be written. */
const without = [
  'ALTER TABLE message_words RENAME TO message_words_kept',
  'CREATE VIEW message_words AS SELECT * FROM message_words_kept',
  'CREATE RULE nothing AS ON INSERT TO message_words DO INSTEAD NOTHING',
];
const within = ['DROP VIEW message_words', 'ALTER TABLE message_words_kept RENAME TO message_words'];

function timeOfCutting(bodies: readonly string[]): number {
  const standing = { roomId: '01900000-0000-7000-8000-000000000000', authorHandle: 'somebody', privateTo: null };
  const some = bodies.slice(0, 5_000);
  const once = () => {
    const began = performance.now();
    for (const body of some) messageWords(body, standing);
    return (performance.now() - began) / some.length;
  };
  return Math.min(...Array.from({ length: 5 }, once));
}

/** Posts with and without words, round by round: what is compared is their difference. */
async function comparePosts({ pace, load, url, adminKey, sql, say, look }: Bench, profile: Profile, cutting: number) {
  const rates = { indexed: [] as number[], bare: [] as number[] };
  await load.ask({ keep: 'posts among many', profile, adminKey });
  const round = async () => ((await load.ask({ run: 'posts among many', url, connections: CONNECTIONS, seconds: pace.seconds })) as Round).rate;
  say('posts with and without the index of words');
  await round();
  for (let index = 0; index < pace.rounds; index++) {
    const indexed = async () => rates.indexed.push(await round());
    if (index % 2) await indexed();
    for (const text of without) await sql.run(text);
    rates.bare.push(await round());
    for (const text of within) await sql.run(text);
    if (!(index % 2)) await indexed();
  }
  look();
  const ratios = rates.indexed.map((rate, index) => rate / (1000 / (1000 / (rates.bare[index] ?? Number.NaN) - cutting)));
  return { posts: { indexed: spreadOf(rates.indexed), bare: spreadOf(rates.bare) }, ratio: spreadOf(ratios) };
}

/** Searches among very many messages, by a stranger and by a member of many rooms, and what the index costs those who post. */
export async function measureSearch(bench: Bench, scene: Scene, bodies: readonly string[], messages: number, posts: Profile): Promise<SearchFigures> {
  bench.say(`writing ${messages} messages to search in`);
  await fillForSearch(bench.sql, scene, bodies, messages);
  const queries = realisticQueries(bodies, scene, QUERIES);
  const of = (what: string, key: string | null) => measure(bench, `a search, ${what}`, { kind: 'search', queries, key }, null, [1, 4], false);
  const searches = [await of('stranger', null), await of('member of 100 rooms', scene.authors[1]?.key ?? null)];
  const cutting = timeOfCutting(bodies);
  return { messages, searches, cutting, ...(await comparePosts(bench, posts, cutting)) };
}
