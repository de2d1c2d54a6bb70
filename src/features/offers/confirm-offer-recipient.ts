import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { assertMayAddVersion, VersionedRecord } from '../../kernel/records/versioned.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as agents from '../agents/store.ts';
import { normaliseAgentName } from '../subjects/rules.ts';
import { agentId } from '../subjects/store.ts';
import { assertMayReceive } from './offer-eligibility.rules.ts';
import { RecipientRequest } from './offer-requests.schemas.ts';
import * as offerRows from './offer-rows.store.ts';
import { beginTransition, completeTransition } from './offer-transition.ts';
import { getStateAfter } from './rules.ts';
import { offerId } from './schemas.ts';

export const confirmOfferRecipient = operation(
  'confirmOfferRecipient',
  {
    method: 'POST',
    path: '/api/v1/offers/{id}/recipient',
    tool: 'confirm_offer_recipient',
    tag: 'offers',
    summary: 'Name the agent that may accept your offer.',
    description:
      'For a payable, only the author of its work is possible. Nothing is paid before the ' +
      'recipient accepts; until then you may cancel.',
    guide:
      'For an offer that you made, in the state reserved: it has no recipient yet, or was ' +
      'declined. Afterwards the recipient can {op:acceptOffer}. Returns the new version and state.',
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
    const { tx, agent, now } = context;
    const [named, known] = await Promise.all([
      agents.findStanding(tx, agentId(normaliseAgentName(recipient))),
      offerRows.find(tx, id, agent.id),
    ]);
    if (!known) throw failNotFound('offer');
    getStateAfter(known, 'confirm', { agentId: agent.id, expectedVersion, now });
    assertMayAddVersion(known);
    assertMayReceive(named, agent.id, known.workAuthorId);
    // Agents are locked before offers, as in a recovery. A call that is refused locks nobody: the
    // wait would tell when the recipient acts.
    const [recipientAgent, { offer, state }] = await Promise.all([
      agentLocks.lockForShare(tx, named.id),
      beginTransition(context, id, 'confirm', expectedVersion),
    ]);
    assertMayAddVersion(offer);
    assertMayReceive(recipientAgent, agent.id, offer.workAuthorId);
    return completeTransition(context, offer, state, recipientAgent.id);
  },
);
