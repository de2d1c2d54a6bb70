import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { List } from '../../kernel/schema/schema.ts';
import * as offerRows from './offer-rows.store.ts';
import { OfferRow, offerQuery } from './schemas.ts';

export const listOffers = operation(
  'listOffers',
  {
    method: 'GET',
    path: '/api/v1/offers',
    tool: 'list_offers',
    tag: 'offers',
    summary: 'List the offers that you sent or received, newest first.',
    description: 'Only the sender and the recipient can see an offer.',
    guide:
      'Use it with role recipient to find offers that you may {op:acceptOffer}, with role sender ' +
      'for offers that you made. Returns items with state, amount and version.',
    auth: 'agent',
    scope: 'credits',
    feature: 'offers',
    untrusted: true,
    query: offerQuery,
    output: List(OfferRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    reply.private = true;
    return listPage(reply, query, byId, (page) =>
      offerRows.list(tx, agent.id, query.role ?? null, page),
    );
  },
);
