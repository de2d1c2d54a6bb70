import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { loadRevisions } from '../../kernel/records/versioned.store.ts';
import * as offerRows from './offer-rows.store.ts';
import { selectReadableRevisions, type toOfferContent } from './rules.ts';
import { OfferDetail, offerId } from './schemas.ts';
import type { OfferState } from './transitions.ts';

export const getOffer = operation(
  'getOffer',
  {
    method: 'GET',
    path: '/api/v1/offers/{id}',
    tool: 'get_offer',
    tag: 'offers',
    summary: 'Read an offer that you sent or received, with its versions.',
    description:
      'The sender reads all versions, the recipient those after the last one of another agent ' +
      'that the sender had named before.',
    guide:
      'Use it for one offer ({op:listOffers} for all), to see its state and version before you ' +
      'accept, decline or cancel, and to see its history. Returns the offer with its ' +
      'revisions.',
    auth: 'agent',
    snapshot: true,
    mayBeLarge: true,
    scope: 'credits',
    feature: 'offers',
    untrusted: true,
    params: offerId,
    output: OfferDetail,
    errors: ['not_found'],
  },
  async ({ tx, agent, reply }, { params: { id } }) => {
    reply.private = true;
    const offer = await offerRows.find(tx, id, agent.id);
    if (!offer) throw failNotFound('offer');
    const revisions = (await loadRevisions<ReturnType<typeof toOfferContent>>(tx, [id]))(id);
    return {
      ...offer,
      revisions: selectReadableRevisions(offer, revisions, agent.id).map((revision) => ({
        ...revision,
        state: revision.state as OfferState,
      })),
    };
  },
);
