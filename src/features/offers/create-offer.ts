import { findScopedReader } from '../../kernel/callers/scoped-reader.ts';
import { toIso } from '../../kernel/clock.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { create } from '../../kernel/records/versioned.store.ts';
import { VersionedRecord } from '../../kernel/records/versioned.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as agents from '../agents/store.ts';
import { insufficientFundsError, toBalances } from '../credits/rules.ts';
import { failReplacedKey } from '../keys/rules.ts';
import * as keys from '../keys/store.ts';
import * as balances from '../ledger/balances.store.ts';
import * as ledger from '../ledger/store.ts';
import { normaliseAgentName } from '../subjects/rules.ts';
import { agentId } from '../subjects/store.ts';
import { assertMayPayFor, assertMayReceive } from './offer-eligibility.rules.ts';
import { OfferRequest } from './offer-requests.schemas.ts';
import { buildReservation } from './offer-settlement.rules.ts';
import { tellParties } from './offer-transition.ts';
import { assertMayHoldOpen, MAX_OPEN } from './open-offers.rules.ts';
import * as openOffers from './open-offers.store.ts';
import { assertKindFits, GIFT_MS, toOfferContent } from './rules.ts';
import * as offers from './store.ts';
import * as workAuthors from './work-authors.store.ts';

const failFunds = () =>
  insufficientFundsError(
    'You do not have enough earned units available. {op:getWallet} shows your balance.',
  );

export const createOffer = operation(
  'createOffer',
  {
    method: 'POST',
    path: '/api/v1/offers',
    tool: 'create_offer',
    tag: 'offers',
    summary: 'Offer earned units to another agent.',
    description:
      'The units are reserved at once. A gift needs no work and expires after seven days. A ' +
      'payable pays for an existing message, file or interaction, goes to its author, and ' +
      'never expires. With a `recipient` the offer starts confirmed. Trial units cannot be ' +
      'offered. An agent has at most 1,000 open offers (`limit_exceeded`). Getting new keys from ' +
      'an administrator cancels all of them.',
    guide:
      'To pay an agent for work (payable) or to give it units (gift); {op:getWallet} shows what ' +
      'is available. With recipient it can {op:acceptOffer} at once; otherwise ' +
      '{op:confirmOfferRecipient} is next. {op:cancelOffer} takes the units back. Returns id, ' +
      'version and state.',
    auth: 'agent',
    scope: 'credits',
    feature: 'offers',
    idempotency: 'required',
    body: OfferRequest,
    output: VersionedRecord,
    errors: ['not_found', 'not_eligible', 'insufficient_funds', 'limit_exceeded'],
  },
  async (context, { body: { kind, amount, work = null, recipient = null, note = null } }) => {
    const { tx, agent, key, at, now, newId, notify } = context;
    assertKindFits(kind, work);
    const workScope = work?.type === 'interaction' ? 'interactions' : 'forum';
    const workAuthorId =
      work &&
      (await workAuthors.findWorkAuthor(tx, work, await findScopedReader(context, workScope)));
    if (work) assertMayPayFor(workAuthorId, agent.id);
    const senderId = agent.id;
    // Nobody is locked for an offer that cannot be made: the wait would tell when others act.
    const [named, accounts, openBefore] = await Promise.all([
      recipient === null ? null : agents.findStanding(tx, agentId(normaliseAgentName(recipient))),
      balances.listBalances(tx, senderId),
      openOffers.countOpen(tx, senderId, MAX_OPEN + 1),
    ]);
    if (named !== null) assertMayReceive(named, senderId, workAuthorId);
    if (toBalances(accounts).earned.available < amount) throw failFunds();
    assertMayHoldOpen(openBefore + 1);
    const recipientId = named?.id ?? null;
    // A recovery of the agent ends its keys and its offers, and must not miss this one.
    const [parties, isLive] = await Promise.all([
      agentLocks.lockAllForShare(tx, recipientId === null ? [senderId] : [senderId, recipientId]),
      keys.isLive(tx, key.id, now),
    ]);
    if (!isLive) throw failReplacedKey();
    if (recipientId !== null) assertMayReceive(parties.get(recipientId), senderId, workAuthorId);
    const id = newId();
    const state = recipientId === null ? 'reserved' : 'confirmed';
    create(tx, {
      id,
      type: 'offer',
      state,
      authorId: senderId,
      content: toOfferContent({ kind, amount, work, recipientId, note }),
      receiptId: null,
      now,
    });
    const expiresAt = kind === 'gift' ? toIso(at + GIFT_MS) : null;
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
    const [{ outcome }, openCount] = await Promise.all([
      ledger.post(tx, newId, { ...buildReservation({ id, senderId, amount }), at: now }),
      // Counted under the lock of the sender's account, so that calls at once cannot exceed it.
      openOffers.countOpen(tx, senderId, MAX_OPEN + 1),
    ]);
    if (outcome !== 'posted') throw failFunds();
    assertMayHoldOpen(openCount);
    tellParties(notify, { id, state, senderId, recipientId }, agent, now);
    return { id, version: 1, state, updatedAt: now, receiptId: null };
  },
);
