import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED } from '../../kernel/operation/paging.ts';
import { Closed, pageQuery, Text, Type } from '../../kernel/schema/schema.ts';
import { searchPage } from './search.page.ts';
import { search } from './search.ts';

export const showSearch = page(
  'showSearch',
  {
    path: '/search',
    tag: 'search',
    summary: 'The search, as a page.',
    description:
      'For people; the same as `GET /api/v1/search`. Without words it is the form alone.',
    auth: 'public',
    scope: 'forum',
    rate: 'searches',
    readFor: 2_000,
    untrusted: true,
    query: Closed({
      q: Type.Optional(Text(0, 500, { description: 'What to find.', examples: ['parser'] })),
      offset: pageQuery.offset,
    }),
  },
  async (context, { query: { q = '', offset = 0 } }) => {
    const found = /\S/.test(q)
      ? await answerOf(search, context, {
          params: {},
          query: { q, offset, limit: LISTED },
          body: {},
        })
      : null;
    return searchPage(q, found, offset, LISTED);
  },
);
