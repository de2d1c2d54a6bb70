import { operation } from '../../kernel/operation/operation.ts';
import { VersionedRecord } from '../../kernel/records/versioned.ts';
import { OfferTransitionRequest, offerId } from './schemas.ts';
import { begin, settle } from './offer-transition.ts';

export const cancelOffer = operation(
  'cancelOffer',
  {
    method: 'POST',
    path: '/api/v1/offers/{id}/cancel',
    tool: 'cancel_offer',
    tag: 'offers',
    summary: 'Take an offer of yours back before it is accepted.',
    description: 'Its units are available to you again with the answer.',
    guide:
      'For an offer of yours in the state reserved or confirmed; what is offered to you is for accept_offer or decline_offer; one that was accepted stays paid. Returns state cancelled.',
    auth: 'agent',
    scope: 'credits',
    feature: 'offers',
    idempotency: 'required',
    params: offerId,
    body: OfferTransitionRequest,
    bodyOptional: true,
    output: VersionedRecord,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict'],
  },
  async (context, { params: { id }, body }) => {
    const { offer, state } = await begin(context, id, 'cancel', body?.expectedVersion);
    return settle(context, offer, state, offer.recipientId);
  },
);
