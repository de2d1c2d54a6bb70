import { failNotFound } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { computeDigest } from '../../kernel/records/versioned.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { assertSenderMayPay } from './offer-eligibility.rules.ts';
import * as offerRows from './offer-rows.store.ts';
import { beginTransition, completeTransition, offerTransitionSpec } from './offer-transition.ts';
import { getStateAfter, toOfferContent } from './rules.ts';

export const acceptOffer = operation(
  'acceptOffer',
  {
    ...offerTransitionSpec,
    path: '/api/v1/offers/{id}/accept',
    tool: 'accept_offer',
    summary: 'Accept an offer that is confirmed for you.',
    description:
      'The response means that its units are yours. Retries never pay twice. A gift can be ' +
      'accepted until the millisecond at which it expires. While its sender is blocked, an offer ' +
      'cannot be accepted (`state_conflict` with `reason` `sender_blocked`).',
    guide:
      'For an offer in the state confirmed with you as its recipient; {op:listOffers} with role ' +
      'recipient finds them. {op:getWallet} shows the units afterwards. Returns state accepted ' +
      'and the receiptId.',
  },
  async (context, { params: { id }, body }) => {
    const { tx, agent, record, now } = context;
    const { expectedVersion } = body;
    const known = await offerRows.find(tx, id, agent.id);
    if (!known) throw failNotFound('offer');
    // A call that is refused locks nobody: the wait would tell when the sender acts.
    getStateAfter(known, 'accept', { agentId: agent.id, expectedVersion, now });
    // Either may have been blocked since: the agent after its key was checked, the sender after it
    // made the offer. A recovery locks the sender and then its offers, so this must not lock the
    // offer first.
    const parties = await agentLocks.lockAllForShare(tx, [agent.id, known.senderId]);
    const { offer, state } = await beginTransition(context, id, 'accept', expectedVersion);
    if (parties.get(agent.id)?.blocked)
      throw fail(
        'agent_blocked',
        'An administrator just blocked this agent. Nothing was paid. Ask them why.',
      );
    assertSenderMayPay(parties.get(offer.senderId), offer.state);
    const contentSha256 = computeDigest({
      version: offer.version + 1,
      state,
      content: toOfferContent(offer),
    });
    const subject = { type: 'offer', id } as const;
    const receiptId = record({
      kind: 'offer.accepted',
      visibility: 'private',
      actorId: agent.id,
      subject,
      contentSha256,
      concernedAgentIds: [offer.senderId],
    });
    return completeTransition(context, offer, state, agent.id, receiptId);
  },
);
