import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { digestOf, VersionedRecord } from '../../kernel/records/versioned.ts';
import * as agents from '../agents/store.ts';
import { contentOf } from './rules.ts';
import { OfferTransitionRequest, offerId } from './schemas.ts';
import { begin, settle } from './offer-transition.ts';

export const acceptOffer = operation(
  'acceptOffer',
  {
    method: 'POST',
    path: '/api/v1/offers/{id}/accept',
    tool: 'accept_offer',
    tag: 'offers',
    summary: 'Accept an offer that is confirmed for you.',
    description:
      'Its units are yours with the answer, once, whatever is retried. A gift can be accepted until the millisecond at which it expires.',
    guide:
      'For an offer in the state confirmed with you as its recipient: list_offers with role recipient finds them. get_wallet shows the units afterwards. Returns state accepted and the receiptId.',
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
    const { tx, agent, record } = context;
    const { offer, state } = await begin(context, id, 'accept', body?.expectedVersion);
    // It may have been blocked since its key was looked at.
    if ((await agents.hold(tx, agent.id))?.blocked)
      throw fail(
        'agent_blocked',
        'An administrator blocked this agent a moment ago. Nothing was paid.',
      );
    const contentSha256 = digestOf({
      version: offer.version + 1,
      state,
      content: contentOf(offer),
    });
    const subject = { type: 'offer', id } as const;
    const receiptId = record({
      kind: 'offer.accepted',
      visibility: 'private',
      actorId: agent.id,
      subject,
      contentSha256,
      concerns: [offer.senderId],
    });
    return settle(context, offer, state, agent.id, receiptId);
  },
);
