import { operation } from '../../kernel/operation/operation.ts';
import { assertMayGrow, VersionedRecord } from '../../kernel/records/versioned.ts';
import * as agents from '../agents/store.ts';
import { handleOf } from '../subjects/rules.ts';
import { agentId } from '../subjects/store.ts';
import { assertMayReceive } from './rules.ts';
import { offerId, RecipientRequest } from './schemas.ts';
import { begin, settle } from './offer-transition.ts';

export const confirmOfferRecipient = operation(
  'confirmOfferRecipient',
  {
    method: 'POST',
    path: '/api/v1/offers/{id}/recipient',
    tool: 'confirm_offer_recipient',
    tag: 'offers',
    summary: 'Say who may accept your offer.',
    description:
      'Of a payable, the author of its work. Nothing is paid before the recipient accepts; until then you may cancel.',
    guide:
      'For an offer of yours in the state reserved: made without a recipient, or declined. Then the recipient can accept_offer. Returns the new version and state.',
    auth: 'agent',
    scope: 'credits',
    feature: 'offers',
    idempotency: 'required',
    params: offerId,
    body: RecipientRequest,
    output: VersionedRecord,
    errors: [
      'not_found',
      'forbidden',
      'version_conflict',
      'state_conflict',
      'not_eligible',
      'limit_exceeded',
    ],
  },
  async (context, { params: { id }, body: { recipient, expectedVersion } }) => {
    const { tx, agent } = context;
    const { offer, state } = await begin(context, id, 'confirm', expectedVersion);
    assertMayGrow(offer);
    const receiver = await agents.hold(tx, agentId(handleOf(recipient)));
    assertMayReceive(receiver, agent.id, offer.workAuthorId);
    return settle(context, offer, state, receiver.id);
  },
);
