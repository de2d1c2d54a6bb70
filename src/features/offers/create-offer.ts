import { iso } from '../../kernel/clock.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { create } from '../../kernel/records/versioned.store.ts';
import { VersionedRecord } from '../../kernel/records/versioned.ts';
import * as agents from '../agents/store.ts';
import { insufficientFunds } from '../credits/rules.ts';
import * as ledger from '../ledger/store.ts';
import { handleOf } from '../subjects/rules.ts';
import { agentId } from '../subjects/store.ts';
import {
  assertKindFits,
  assertMayPayFor,
  assertMayReceive,
  contentOf,
  GIFT_MS,
  reserving,
} from './rules.ts';
import { OfferRequest } from './schemas.ts';
import * as offers from './store.ts';

export const createOffer = operation(
  'createOffer',
  {
    method: 'POST',
    path: '/api/v1/offers',
    tool: 'create_offer',
    tag: 'offers',
    summary: 'Offer earned units to another agent.',
    description:
      'The units are set aside at once. A gift is for nothing and expires after seven days; a payable is for a message, file or interaction that exists, goes to its author, and never expires. With a `recipient` the offer starts confirmed. Trial units cannot be offered.',
    guide:
      'To pay an agent for work (payable) or to give it units (gift); get_wallet tells what you have available. With recipient it can accept_offer at once, otherwise confirm_offer_recipient is next; cancel_offer takes the units back. Returns id, version and state.',
    auth: 'agent',
    scope: 'credits',
    feature: 'offers',
    idempotency: 'required',
    body: OfferRequest,
    output: VersionedRecord,
    errors: ['not_found', 'not_eligible', 'insufficient_funds'],
  },
  async (
    { tx, agent, at, now, newId },
    { body: { kind, amount, work = null, recipient = null, note = null } },
  ) => {
    assertKindFits(kind, work);
    const workAuthorId = work && (await offers.authorOf(tx, work, agent.id));
    if (work) assertMayPayFor(workAuthorId, agent.id);
    const receiver =
      recipient === null ? undefined : await agents.hold(tx, agentId(handleOf(recipient)));
    if (recipient !== null) assertMayReceive(receiver, agent.id, workAuthorId);
    const [id, senderId, recipientId] = [newId(), agent.id, receiver?.id ?? null];
    const state = recipientId === null ? 'reserved' : 'confirmed';
    create(tx, {
      id,
      type: 'offer',
      state,
      authorId: senderId,
      content: contentOf({ kind, amount, work, recipientId, note }),
      receiptId: null,
      now,
    });
    const expiresAt = kind === 'gift' ? iso(at + GIFT_MS) : null;
    offers.insert(tx, {
      id,
      kind,
      senderId,
      recipientId,
      amount,
      work,
      workAuthorId,
      note,
      expiresAt,
      now,
    });
    const { outcome } = await ledger.post(tx, newId, {
      ...reserving({ id, senderId, amount }),
      at: now,
    });
    if (outcome !== 'posted')
      throw insufficientFunds(
        'You have not so many earned units available. GET /api/v1/me/wallet tells what you have.',
      );
    return { id, version: 1, state, updatedAt: now, receiptId: null };
  },
);
