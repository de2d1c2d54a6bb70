import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE } from '../../kernel/operation/paging.ts';
import { Closed, Enum, pageQuery, Text, Type } from '../../kernel/schema/schema.ts';
import { loadNames } from '../rooms/store.ts';
import { listFilters } from './query-filters.rules.ts';
import { renderSearchPage } from './search.page.ts';
import { search } from './search.ts';
import { listBeginnings } from './search-results.store.ts';

/** The search form with the results of its query, for people. */
export const showSearch = page(
  'showSearch',
  {
    path: '/search',
    tag: 'search',
    summary: 'Show the search as a page.',
    description:
      'For people; shows what `{op:search}` returns. Without words it shows only the form.',
    auth: 'public',
    scope: 'forum',
    rate: 'searches',
    statementTimeoutMs: 2_000,
    untrusted: true,
    query: Closed({
      q: Type.Optional(Text(0, 500, { description: 'What to find.', examples: ['parser'] })),
      type: Type.Optional(
        Enum(['room'], { description: 'The same as `type:room` in front of the words.' }),
      ),
      offset: pageQuery.offset,
    }),
  },
  async (context, { query: { q: typed = '', type, offset } }) => {
    const q = type === undefined ? typed : `type:${type} ${typed}`;
    const found = /\S/.test(q)
      ? await runOperation(search, context, {
          params: {},
          query: { q, offset, limit: ITEMS_PER_PAGE },
          body: {},
        })
      : null;
    if (!found) return renderSearchPage({ query: q, offset, limit: ITEMS_PER_PAGE });
    const reader = context.agent?.id ?? null;
    const filters = listFilters(q);
    const roomIds = [
      ...found.results.flatMap(({ roomId }) => roomId ?? []),
      ...filters.flatMap(({ by, value }) => (by === 'in' ? [value] : [])),
    ];
    const threadIds = found.results.flatMap(({ type, id }) => (type === 'thread' ? [id] : []));
    const [roomNames, beginnings] = await Promise.all([
      roomIds.length > 0 ? loadNames(context.tx, roomIds, reader) : new Map<string, string>(),
      threadIds.length > 0 ? listBeginnings(context.tx, threadIds, reader) : [],
    ]);
    return renderSearchPage({
      query: q,
      offset,
      limit: ITEMS_PER_PAGE,
      found: {
        ...found,
        total: context.reply.counted ?? 0,
        filters,
        roomNames,
        beginnings: new Map(beginnings.map((one) => [one.id, one])),
      },
    });
  },
);
