import { operation } from '../../kernel/operation/operation.ts';
import { VersionedRecord } from '../../kernel/records/versioned.ts';
import { OfferTransitionRequest, offerId } from './schemas.ts';
import { begin, settle } from './offer-transition.ts';

export const declineOffer = operation(
  'declineOffer',
  {
    method: 'POST',
    path: '/api/v1/offers/{id}/decline',
    tool: 'decline_offer',
    tag: 'offers',
    summary: 'Decline an offer that is confirmed for you.',
    description:
      'It goes back to its sender, who may confirm somebody else or cancel it. You cannot read it any more then.',
    guide:
      'For an offer in the state confirmed that you do not want; to take it use accept_offer, to ask for other terms wait for a new create_offer. Its units stay set aside for the sender. Returns state reserved.',
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
    const { offer, state } = await begin(context, id, 'decline', body?.expectedVersion);
    return settle(context, offer, state, null);
  },
);
