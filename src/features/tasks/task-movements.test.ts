import { describe, expect, it } from 'vitest';
import { buildTask } from '../../../test/features/tasks/build-task.ts';
import { buildReversal } from '../ledger/rules.ts';
import { buildFunding, buildPayment, buildReturn } from './task-movements.ts';

describe('the units of a task', () => {
  const earned = buildTask();
  const trial = buildTask({ fundingUnit: 'trial', subsidyId: 'g' });
  it('[tasks.funding] are set aside; each slot is paid or returned under one reference', () => {
    expect(buildFunding(earned)).toEqual({
      kind: 'task.funded',
      reference: `task:${earned.id}:funded`,
      amount: 15,
      transfers: [{ from: 'earned:available:ada', to: 'earned:reserved:ada' }],
    });
    expect(buildFunding(trial).transfers).toEqual([
      { from: 'trial:available:ada', to: 'trial:sink' },
      { from: 'earned:grant:g', to: 'earned:escrow:g:10' },
    ]);
    expect(buildPayment(trial, 2, 'bob')).toEqual({
      kind: 'task.paid',
      reference: `task:${trial.id}:slot:2`,
      amount: 5,
      transfers: [{ from: 'earned:escrow:g:10', to: 'earned:available:bob' }],
    });
    for (const one of [earned, trial]) {
      const back = buildReturn(one, 2);
      expect({ reference: back.reference, amount: back.amount }).toEqual({
        reference: buildPayment(one, 2, 'bob').reference,
        amount: 5,
      });
      expect(back.transfers).toEqual(
        buildFunding(one).transfers.map(({ from, to }) => ({ from: to, to: from })),
      );
    }
    // When an administrator reverses a payment, the units go back to the payer.
    const legs = buildPayment(trial, 2, 'bob').transfers.flatMap(({ from, to }) => [
      { account: from, amount: -5 },
      { account: to, amount: 5 },
    ]);
    expect(buildReversal(legs)).toEqual([{ from: 'earned:available:bob', to: 'earned:grant:g' }]);
  });
});
