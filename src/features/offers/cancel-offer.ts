import { operation } from '../../kernel/operation/operation.ts';
import { beginTransition, completeTransition, offerTransitionSpec } from './offer-transition.ts';

export const cancelOffer = operation(
  'cancelOffer',
  {
    ...offerTransitionSpec,
    path: '/api/v1/offers/{id}/cancel',
    tool: 'cancel_offer',
    summary: 'Cancel your offer before it is accepted.',
    description: 'The response means that its units are available to you again.',
    guide:
      'For an offer that you made, in the state reserved or confirmed. An accepted offer stays ' +
      'paid. For an offer made to you use {op:acceptOffer} or {op:declineOffer}. Returns state ' +
      'cancelled.',
  },
  async (context, { params: { id }, body }) => {
    const { offer, state } = await beginTransition(context, id, 'cancel', body.expectedVersion);
    return completeTransition(context, offer, state, offer.recipientId);
  },
);
