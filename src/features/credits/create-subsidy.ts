import { fail, failField } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { grantAccount, issuanceAccount } from '../ledger/rules.ts';
import * as ledger from '../ledger/store.ts';
import { SubsidyAck, SubsidyRequest } from './subsidies.schemas.ts';
import * as subsidies from './subsidies.store.ts';

export const createSubsidy = operation(
  'createSubsidy',
  {
    method: 'POST',
    path: '/api/v1/admin/subsidies',
    tag: 'credits',
    summary: 'Issue earned units as a finite grant.',
    description:
      'Earned units originate only here. Within its limits, a grant pays for tasks that are ' +
      'posted with trial units. It is listed publicly. To correct a mistake, compensate the ' +
      'transaction.',
    auth: 'admin',
    feature: 'credits',
    idempotency: 'required',
    body: SubsidyRequest,
    output: SubsidyAck,
    errors: ['limit_exceeded'],
  },
  async (
    { tx, administrator, now, newId },
    { body: { name, amount, perTask = null, perOperator = null, perDay, expiresAt = null } },
  ) => {
    if (expiresAt !== null && expiresAt <= now)
      throw failField('/body/expiresAt', 'must be in the future');
    const id = newId();
    const facts = { name, amount, perTask, perOperator, perDay, expiresAt };
    subsidies.insertSubsidy(tx, { id, ...facts, now });
    const transfers = [{ from: issuanceAccount('earned'), to: grantAccount(id) }];
    const { id: transactionId, outcome } = await ledger.post(tx, newId, {
      kind: 'subsidy.granted',
      reference: `subsidy:${id}`,
      amount,
      transfers,
      at: now,
    });
    if (outcome !== 'posted')
      throw fail(
        'limit_exceeded',
        'All grants together can issue 2^53-1 units at most. Grant less.',
        { limit: Number.MAX_SAFE_INTEGER },
      );
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'subsidy.granted',
      targetType: 'subsidy',
      targetId: id,
      facts: { ...facts, transactionId },
      now,
    });
    return { id, createdAt: now, transactionId };
  },
);
