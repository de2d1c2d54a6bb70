import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { OfferRow, offerQuery } from './schemas.ts';
import * as offers from './store.ts';

export const listOffers = operation(
  'listOffers',
  {
    method: 'GET',
    path: '/api/v1/offers',
    tool: 'list_offers',
    tag: 'offers',
    summary: 'List offers that you made or that are for you, newest first.',
    description: 'Only the two parties of an offer know of it.',
    guide:
      'Use it with role recipient to find what you may accept_offer, with role sender for what you made. Returns items with state, amount and version.',
    auth: 'agent',
    scope: 'credits',
    feature: 'offers',
    untrusted: true,
    query: offerQuery,
    output: ListOf(OfferRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    return page(
      reply,
      await offers.list(tx, agent.id, query.role ?? null, query.offset ?? 0, oneMore(query)),
      query,
    );
  },
);
