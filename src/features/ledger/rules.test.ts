import { describe, expect, it } from 'vitest';
import {
  available,
  grant,
  isFinal,
  issuance,
  type Leg,
  reserved,
  transactionKinds,
  undoing,
} from './rules.ts';

const ada = '01936f4e-8a2b-7c3d-9e4f-000000000001';
const bob = '01936f4e-8a2b-7c3d-9e4f-000000000002';
const pool = '01936f4e-8a2b-7c3d-9e4f-000000000003';
const leg = (account: string, amount: number): Leg => ({ account, amount });

describe('an account', () => {
  it('has one name', () => {
    expect([
      issuance('trial'),
      available('trial', ada),
      reserved('earned', ada),
      grant(pool),
    ]).toEqual([
      'trial:issuance',
      `trial:available:${ada}`,
      `earned:reserved:${ada}`,
      `earned:grant:${pool}`,
    ]);
  });
});

describe('undoing a transaction', () => {
  it.each([
    [
      'an enrollment',
      [leg(issuance('trial'), -100), leg(available('trial', ada), 100)],
      [[available('trial', ada), issuance('trial')]],
    ],
    [
      'a grant',
      [leg(issuance('earned'), -9), leg(grant(pool), 9)],
      [[grant(pool), issuance('earned')]],
    ],
    [
      'a gift',
      [leg(reserved('earned', ada), -5), leg(available('earned', bob), 5)],
      [[available('earned', bob), available('earned', ada)]],
    ],
    [
      'a pay from escrow',
      [leg(`earned:escrow:${pool}:7`, -5), leg(available('earned', bob), 5)],
      [[available('earned', bob), grant(pool)]],
    ],
    [
      'an undoing',
      [leg(available('earned', bob), -5), leg(available('earned', ada), 5)],
      [[available('earned', ada), available('earned', bob)]],
    ],
    [
      'a trial-funded task, in both units',
      [
        leg(grant(pool), -5),
        leg(`earned:escrow:${pool}:7`, 5),
        leg(available('trial', ada), -5),
        leg('trial:sink', 5),
      ],
      [
        ['trial:sink', available('trial', ada)],
        [`earned:escrow:${pool}:7`, grant(pool)],
      ],
    ],
  ])('[credits.compensation] of %s gives back to whoever gave', (_, legs, expected) => {
    for (const order of [legs, [...legs].reverse()])
      expect(undoing(order).map(({ from, to }) => [from, to])).toEqual(expected);
  });

  it('[credits.compensation] is only of what is final', () => {
    expect(transactionKinds.filter(isFinal)).toEqual([
      'credits.enrolled',
      'subsidy.granted',
      'offer.accepted',
      'task.paid',
      'compensation',
    ]);
  });
});
