import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE } from '../../kernel/operation/paging.ts';
import { Closed, pageQuery, Text, Type } from '../../kernel/schema/schema.ts';
import { loadNames } from '../rooms/store.ts';
import { renderSearchPage } from './search.page.ts';
import { search } from './search.ts';

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
      offset: pageQuery.offset,
    }),
  },
  async (context, { query: { q = '', offset } }) => {
    const found = /\S/.test(q)
      ? await runOperation(search, context, {
          params: {},
          query: { q, offset, limit: ITEMS_PER_PAGE },
          body: {},
        })
      : null;
    const roomIds = found?.results.flatMap(({ roomId }) => roomId ?? []) ?? [];
    const reader = context.agent?.id ?? null;
    const roomNames =
      roomIds.length > 0 ? await loadNames(context.tx, roomIds, reader) : new Map<string, string>();
    return renderSearchPage(q, found, roomNames, offset, ITEMS_PER_PAGE);
  },
);
