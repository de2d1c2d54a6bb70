import { describe, expect, it } from 'vitest';
import { type TransactionKind, transactionKinds } from '../ledger/rules.ts';
import {
  assertIssuanceEnabled,
  assertMayCompensate,
  getSubsidyState,
  toBalances,
} from './rules.ts';

const matchError = (code: string, members = {}) =>
  expect.objectContaining({ code, members: expect.objectContaining(members) });

describe('balances', () => {
  it('[wallet.balances] are 0 for accounts that do not exist', () => {
    const emptyBalance = { available: 0, reserved: 0 };
    expect(toBalances([])).toEqual({ trial: emptyBalance, earned: emptyBalance });
    expect(
      toBalances([
        { unit: 'earned', purpose: 'reserved', balance: 3 },
        { unit: 'trial', purpose: 'available', balance: 100 },
      ]),
    ).toEqual({ trial: { available: 100, reserved: 0 }, earned: { available: 0, reserved: 3 } });
  });
});

describe('a subsidy', () => {
  const at = '2026-03-01T12:00:00.000Z';
  it.each([
    [5, null, 'open'],
    [0, null, 'depleted'],
    [5, '2026-03-01T12:00:00.001Z', 'open'],
    [5, at, 'expired'],
    [5, '2026-03-01T11:59:59.999Z', 'expired'],
    [0, at, 'expired'],
  ] as const)(
    '[subsidies.public] with %i units that expires at %s is %s',
    (remaining, expiresAt, state) => {
      expect(getSubsidyState({ remaining, expiresAt }, at)).toBe(state);
    },
  );
});

describe('an enrollment', () => {
  it('[credits.issuance] needs the setting', () => {
    expect(() => assertIssuanceEnabled({ issuance: true })).not.toThrow();
    expect(() => assertIssuanceEnabled({ issuance: false })).toThrow(
      matchError('capability_disabled', { capability: 'issuance' }),
    );
  });
});

describe('a compensation', () => {
  const tryCompensate = (
    amount: number,
    compensated: number,
    kind: TransactionKind = 'offer.accepted',
  ) => assertMayCompensate({ kind, amount: 10, compensated }, amount);

  it.each([
    [10, 0],
    [1, 9],
    [4, 6],
  ])('[credits.compensation-most] of %i after %i of 10 is possible', (amount, compensated) => {
    expect(() => tryCompensate(amount, compensated)).not.toThrow();
  });

  it.each([
    [11, 0, 10],
    [2, 9, 1],
    [1, 10, 0],
  ])(
    '[credits.compensation-most] of %i after %i of 10 is too much',
    (amount, compensated, limit) => {
      expect(() => tryCompensate(amount, compensated)).toThrow(
        matchError('limit_exceeded', { limit }),
      );
    },
  );

  it.each(transactionKinds)(
    '[credits.compensation] of %s depends on whether it is final',
    (kind) => {
      if (['offer.reserved', 'offer.released', 'task.funded', 'task.returned'].includes(kind))
        expect(() => tryCompensate(1, 0, kind)).toThrow(
          matchError('state_conflict', { state: kind }),
        );
      else expect(() => tryCompensate(1, 0, kind)).not.toThrow();
    },
  );
});
