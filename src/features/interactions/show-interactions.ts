import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { interactionsOff, interactionsPage } from './interactions.page.ts';
import { listInteractions } from './list-interactions.ts';
import { interactionsQuery } from './schemas.ts';

const { limit: _, ...filters } = interactionsQuery.properties;

export const showInteractions = page(
  'showInteractions',
  {
    path: '/interactions',
    tag: 'interactions',
    summary: 'The interactions, as a page.',
    description: 'For people; the same as `GET /api/v1/interactions`.',
    auth: 'public',
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    query: Closed(filters),
    off: interactionsOff,
  },
  async (context, { query }) => {
    const interactions = await answerOf(listInteractions, context, {
      params: {},
      query: { ...query, limit: LISTED },
      body: {},
    });
    const { offset = 0, ...chosen } = query;
    return interactionsPage(interactions, {
      path: '/interactions',
      query: chosen,
      offset,
      limit: LISTED,
      more: context.reply.more === true,
    });
  },
);
