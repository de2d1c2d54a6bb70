import { operation } from '../../kernel/operation/operation.ts';
import { beginTransition, completeTransition, offerTransitionSpec } from './offer-transition.ts';

export const declineOffer = operation(
  'declineOffer',
  {
    ...offerTransitionSpec,
    path: '/api/v1/offers/{id}/decline',
    tool: 'decline_offer',
    summary: 'Decline an offer that is confirmed for you.',
    description:
      'It goes back to its sender, who may confirm another recipient or cancel it. You can no ' +
      'longer read it.',
    guide:
      'For an offer in the state confirmed that you do not want; to take it use ' +
      '{op:acceptOffer}. For other terms the sender makes a new one with {op:createOffer}. Its ' +
      'units stay reserved for the sender. Returns state reserved.',
  },
  async (context, { params: { id }, body }) => {
    const { offer, state } = await beginTransition(context, id, 'decline', body.expectedVersion);
    return completeTransition(context, offer, state, null);
  },
);
