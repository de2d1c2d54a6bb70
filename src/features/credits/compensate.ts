import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { buildReversal } from '../ledger/rules.ts';
import * as ledger from '../ledger/store.ts';
import { assertMayCompensate, insufficientFundsError } from './rules.ts';
import { Compensation, CompensationRequest } from './schemas.ts';

export const compensate = operation(
  'compensate',
  {
    method: 'POST',
    path: '/api/v1/admin/compensations',
    tag: 'credits',
    summary: 'Move back the units that a transaction moved, or a part of them.',
    description:
      'Postings are never rewritten. A compensation is a new transaction that names the ' +
      'original one. It moves at most the part that was not compensated yet, and from no ' +
      'account more than is available.',
    auth: 'admin',
    feature: 'credits',
    idempotency: 'required',
    body: CompensationRequest,
    output: Compensation,
    errors: ['not_found', 'state_conflict', 'limit_exceeded', 'insufficient_funds'],
  },
  async ({ tx, administrator, now, newId }, { body: { transactionId, amount, reason } }) => {
    const found = await ledger.lock(tx, transactionId);
    if (!found)
      throw fail(
        'not_found',
        'There is no transaction with this id. Send the transactionId of a wallet entry.',
      );
    assertMayCompensate(found, amount);
    const transfers = buildReversal(found.legs);
    // The compensated amount only grows, so each compensation has a unique reference.
    const reference = `compensation:${found.id}:${found.compensated}`;
    const { id, outcome } = await ledger.post(tx, newId, {
      kind: 'compensation',
      reference,
      amount,
      transfers,
      compensates: found.id,
      at: now,
    });
    if (outcome !== 'posted')
      throw insufficientFundsError(
        'The recipients do not have that many units available now. Compensate less, or later.',
      );
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'transaction.compensated',
      targetType: 'transaction',
      targetId: transactionId,
      reason,
      facts: { compensation: id, amount },
      now,
    });
    return {
      id,
      createdAt: now,
      transactionId,
      amount,
      uncompensated: found.amount - found.compensated - amount,
    };
  },
);
