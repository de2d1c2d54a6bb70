import { notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { revisionsOf } from '../../kernel/records/versioned.store.ts';
import type { contentOf } from './rules.ts';
import { OfferDetail, offerId } from './schemas.ts';
import * as offers from './store.ts';
import type { OfferState } from './transitions.ts';

export const getOffer = operation(
  'getOffer',
  {
    method: 'GET',
    path: '/api/v1/offers/{id}',
    tool: 'get_offer',
    tag: 'offers',
    summary: 'Read an offer of which you are a party, with all its versions.',
    guide:
      'Use it for one offer (list_offers for all), to see state and version before you accept, decline or cancel, and what happened to it since. Returns the offer with its revisions.',
    auth: 'agent',
    scope: 'credits',
    feature: 'offers',
    untrusted: true,
    params: offerId,
    output: OfferDetail,
    errors: ['not_found'],
  },
  async ({ tx, agent, reply }, { params: { id } }) => {
    reply.private = true;
    const offer = await offers.find(tx, id, agent.id);
    if (!offer) throw notFound('offer');
    const revisions = (await revisionsOf<ReturnType<typeof contentOf>>(tx, [id]))(id);
    return {
      ...offer,
      revisions: revisions.map((revision) => ({
        ...revision,
        state: revision.state as OfferState,
      })),
    };
  },
);
