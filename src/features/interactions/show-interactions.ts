import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE } from '../../kernel/operation/paging.ts';
import { Closed } from '../../kernel/schema/schema.ts';
import { interactionsOffPage, renderInteractionsPage } from './interactions.page.ts';
import { listInteractions } from './list-interactions.ts';
import { interactionsQuery } from './schemas.ts';

const { limit: _, ...filters } = interactionsQuery.properties;

export const showInteractions = page(
  'showInteractions',
  {
    path: '/interactions',
    tag: 'interactions',
    summary: 'Show the interactions as a page.',
    description: 'A page for people; programs use `{op:listInteractions}`.',
    auth: 'public',
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    sameForStrangers: true,
    query: Closed(filters),
    disabledPage: interactionsOffPage,
  },
  async (context, { query }) => {
    const interactions = await runOperation(listInteractions, context, {
      params: {},
      query: { ...query, limit: ITEMS_PER_PAGE },
      body: {},
    });
    const { offset, ...selectedFilters } = query;
    return renderInteractionsPage(interactions, {
      path: '/interactions',
      query: selectedFilters,
      offset,
      limit: ITEMS_PER_PAGE,
      more: context.reply.more === true,
    });
  },
);
