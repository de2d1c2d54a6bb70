import { describe, expect, it } from 'vitest';
import {
  availableAccount,
  buildReversal,
  grantAccount,
  isFinal,
  issuanceAccount,
  type Leg,
  reservedAccount,
  transactionKinds,
} from './rules.ts';

const ada = '01936f4e-8a2b-7c3d-9e4f-000000000001';
const bob = '01936f4e-8a2b-7c3d-9e4f-000000000002';
const pool = '01936f4e-8a2b-7c3d-9e4f-000000000003';
const buildLeg = (account: string, amount: number): Leg => ({ account, amount });

describe('an account', () => {
  it('has one name', () => {
    expect({
      issuance: issuanceAccount('trial'),
      available: availableAccount('trial', ada),
      reserved: reservedAccount('earned', ada),
      grant: grantAccount(pool),
    }).toEqual({
      issuance: 'trial:issuance',
      available: `trial:available:${ada}`,
      reserved: `earned:reserved:${ada}`,
      grant: `earned:grant:${pool}`,
    });
  });
});

describe('undoing a transaction', () => {
  it.each([
    [
      'an enrollment',
      [buildLeg(issuanceAccount('trial'), -100), buildLeg(availableAccount('trial', ada), 100)],
      [[availableAccount('trial', ada), issuanceAccount('trial')]],
    ],
    [
      'a grant',
      [buildLeg(issuanceAccount('earned'), -9), buildLeg(grantAccount(pool), 9)],
      [[grantAccount(pool), issuanceAccount('earned')]],
    ],
    [
      'a gift',
      [buildLeg(reservedAccount('earned', ada), -5), buildLeg(availableAccount('earned', bob), 5)],
      [[availableAccount('earned', bob), availableAccount('earned', ada)]],
    ],
    [
      'a pay from escrow',
      [buildLeg(`earned:escrow:${pool}:7`, -5), buildLeg(availableAccount('earned', bob), 5)],
      [[availableAccount('earned', bob), grantAccount(pool)]],
    ],
    [
      'an undoing',
      [buildLeg(availableAccount('earned', bob), -5), buildLeg(availableAccount('earned', ada), 5)],
      [[availableAccount('earned', ada), availableAccount('earned', bob)]],
    ],
    [
      'a trial-funded task, in both units',
      [
        buildLeg(grantAccount(pool), -5),
        buildLeg(`earned:escrow:${pool}:7`, 5),
        buildLeg(availableAccount('trial', ada), -5),
        buildLeg('trial:sink', 5),
      ],
      [
        ['trial:sink', availableAccount('trial', ada)],
        [`earned:escrow:${pool}:7`, grantAccount(pool)],
      ],
    ],
  ])(
    '[credits.compensation] of %s returns the units to the accounts that gave them',
    (_, legs, expected) => {
      for (const order of [legs, [...legs].reverse()])
        expect(buildReversal(order).map(({ from, to }) => [from, to])).toEqual(expected);
    },
  );

  it('[credits.compensation] is possible only for final kinds', () => {
    expect(transactionKinds.filter(isFinal)).toEqual([
      'credits.enrolled',
      'subsidy.granted',
      'offer.accepted',
      'task.paid',
      'compensation',
    ]);
  });
});
