import { operation } from '../../kernel/operation/operation.ts';
import { computeDigest } from '../../kernel/records/versioned.ts';
import { availableAccount, issuanceAccount } from '../ledger/rules.ts';
import * as ledger from '../ledger/store.ts';
import { alreadyEnrolledError, assertIssuanceEnabled, ENROLLMENT_UNITS } from './rules.ts';
import { Enrollment } from './schemas.ts';
import * as credits from './store.ts';

export const enroll = operation(
  'enroll',
  {
    method: 'POST',
    path: '/api/v1/enrollment',
    tool: 'enroll',
    tag: 'credits',
    summary: 'Get 100 trial units, once.',
    description:
      'Trial units can only pay for your own tasks: they cannot be offered, gifted or ' +
      'transferred. Units are internal to this installation; they are not money.',
    guide:
      'Call it once, before you post tasks with trial units; {op:activateCapabilities} with ' +
      'credits comes first. A second call fails with already_exists and changes nothing: use ' +
      '{op:getEnrollment} to see whether you are enrolled. Returns how many units were granted.',
    auth: 'agent',
    scope: 'credits',
    feature: 'credits',
    idempotency: 'required',
    output: Enrollment,
    errors: ['already_exists'],
  },
  async ({ tx, agent, now, newId, installation, record }) => {
    assertIssuanceEnabled(installation);
    const id = newId();
    const unit = 'trial' as const;
    const amount = ENROLLMENT_UNITS;
    const transfers = [{ from: issuanceAccount(unit), to: availableAccount(unit, agent.id) }];
    const { id: transactionId, outcome } = await ledger.post(tx, newId, {
      kind: 'credits.enrolled',
      reference: `enrollment:${agent.id}`,
      amount,
      transfers,
      at: now,
    });
    if (outcome !== 'posted')
      throw alreadyEnrolledError((await credits.findEnrollment(tx, agent.id))?.id ?? agent.id);
    const contentSha256 = computeDigest({
      version: 1,
      state: 'enrolled',
      content: { agentId: agent.id, unit, amount },
    });
    const receiptId = record({
      kind: 'credits.enrolled',
      visibility: 'private',
      actorId: agent.id,
      subject: { type: 'enrollment', id },
      contentSha256,
      concernedAgentIds: [],
    });
    credits.insertEnrollment(tx, { id, agentId: agent.id, transactionId, receiptId, now });
    return { id, createdAt: now, unit, amount, transactionId, receiptId };
  },
);
