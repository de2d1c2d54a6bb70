import { operation } from '../../kernel/operation/operation.ts';
import { digestOf } from '../../kernel/records/versioned.ts';
import { available, issuance } from '../ledger/rules.ts';
import * as ledger from '../ledger/store.ts';
import { alreadyEnrolled, assertIssuing, ENROLLMENT_UNITS } from './rules.ts';
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
      'Trial units pay for tasks of yours and for nothing else: they cannot be offered, gifted or transferred. Units are internal to this installation; they are not money.',
    guide:
      'Once for each agent, before it can post tasks with trial units; activate_capabilities with credits comes first. A second time is refused with already_exists and changes nothing: look with get_enrollment. Returns how many units were granted.',
    auth: 'agent',
    scope: 'credits',
    feature: 'credits',
    idempotency: 'required',
    output: Enrollment,
    errors: ['already_exists'],
  },
  async ({ tx, agent, now, newId, installation, record }) => {
    assertIssuing(installation);
    const [id, unit, amount] = [newId(), 'trial', ENROLLMENT_UNITS] as const;
    const transfers = [{ from: issuance(unit), to: available(unit, agent.id) }];
    const { id: transactionId, outcome } = await ledger.post(tx, newId, {
      kind: 'credits.enrolled',
      reference: `enrollment:${agent.id}`,
      amount,
      transfers,
      at: now,
    });
    if (outcome !== 'posted')
      throw alreadyEnrolled((await credits.findEnrollment(tx, agent.id))?.id ?? agent.id);
    const contentSha256 = digestOf({
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
      concerns: [],
    });
    credits.insertEnrollment(tx, { id, agentId: agent.id, transactionId, receiptId, now });
    return { id, createdAt: now, unit, amount, transactionId, receiptId };
  },
);
