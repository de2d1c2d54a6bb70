import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import { assertMayPayFor, assertMayReceive } from './offer-eligibility.rules.ts';
import { buildReservation, buildSettlement } from './offer-settlement.rules.ts';
import {
  assertKindFits,
  getStateAfter,
  getStateAfterExpiry,
  type Offer,
  type PartyTrigger,
} from './rules.ts';
import {
  actorByTrigger,
  isOpen,
  type OfferState,
  offerStates,
  offerTriggers,
  settlementByOfferState,
} from './transitions.ts';

const ada = 'ada';
const bob = 'bob';
const eve = 'eve';
const now = '2026-03-08T12:00:00.000Z';
const afterNow = '2026-03-08T12:00:00.001Z';
const buildOffer = (more: Partial<Offer> = {}): Offer => {
  const base = {
    id: 'o',
    kind: 'gift',
    amount: 5,
    work: null,
    workAuthorId: null,
    note: null,
    senderId: ada,
    recipientId: bob,
    state: 'confirmed',
    version: 2,
    expiresAt: afterNow,
  };
  return { ...base, ...more } as Offer;
};

/** Returns the next state, or the error code. */
const tryTransition = (
  given: Offer,
  trigger: PartyTrigger,
  agentId = actorByTrigger[trigger] === 'sender' ? ada : bob,
  expectedVersion = given.version,
): string => {
  try {
    return getStateAfter(given, trigger, { agentId, expectedVersion, now });
  } catch (error) {
    if (error instanceof StoaError) return error.code;
    throw error;
  }
};

const expectedStates: Readonly<
  Record<OfferState, Partial<Record<(typeof offerTriggers)[number], OfferState>>>
> = {
  reserved: { confirm: 'confirmed', cancel: 'cancelled', expire: 'expired' },
  confirmed: { accept: 'accepted', decline: 'reserved', cancel: 'cancelled', expire: 'expired' },
  accepted: {},
  cancelled: {},
  expired: {},
};
const cases = offerStates.flatMap((state) =>
  offerTriggers.map((trigger) => ({ state, trigger, next: expectedStates[state][trigger] })),
);

describe('an offer', () => {
  it.each(cases)('[offers.transitions] $state, $trigger', ({ state, trigger, next }) => {
    if (trigger === 'expire') {
      if (next) expect(getStateAfterExpiry({ state })).toBe(next);
      else
        expect(() => getStateAfterExpiry({ state })).toThrow(
          expect.objectContaining({ code: 'state_conflict' }),
        );
    } else expect(tryTransition(buildOffer({ state }), trigger)).toBe(next ?? 'state_conflict');
  });

  it.each(Object.keys(actorByTrigger) as PartyTrigger[])(
    '[offers.parties] %s is for one party alone',
    (trigger) => {
      const state = trigger === 'confirm' ? 'reserved' : 'confirmed';
      const other = actorByTrigger[trigger] === 'sender' ? bob : ada;
      for (const agentId of [other, eve])
        expect(tryTransition(buildOffer({ state }), trigger, agentId)).toBe('forbidden');
    },
  );

  it('[offers.version] moves on from the version that was read, or from any version', () => {
    expect(tryTransition(buildOffer(), 'accept', bob, 2)).toBe('accepted');
    for (const version of [1, 3])
      expect(tryTransition(buildOffer(), 'accept', bob, version)).toBe('version_conflict');
    // If version and state are both wrong, the version is reported: the caller has old data.
    expect(tryTransition(buildOffer({ state: 'cancelled', version: 3 }), 'accept', bob, 2)).toBe(
      'version_conflict',
    );
  });

  it.each(['accept', 'decline', 'cancel'] as const)(
    '[offers.gift-expiry] cannot %s at the millisecond of its expiry',
    (trigger) => {
      expect(tryTransition(buildOffer({ expiresAt: afterNow }), trigger)).not.toBe(
        'state_conflict',
      );
      for (const expiresAt of [now, '2026-03-08T11:59:59.999Z'])
        expect(tryTransition(buildOffer({ expiresAt }), trigger)).toBe('state_conflict');
      expect(tryTransition(buildOffer({ expiresAt: null }), trigger)).not.toBe('state_conflict');
    },
  );

  it('[offers.once] is settled by the one step that ends it, whatever the steps are', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...offerTriggers), { maxLength: 12 }), (steps) => {
        let state: OfferState = 'reserved';
        let settled = 0;
        for (const step of steps) {
          const next: OfferState | undefined = expectedStates[state][step];
          if (next === undefined) continue;
          state = next;
          if (buildSettlement(buildOffer(), state)) settled++;
        }
        expect(settled).toBe(isOpen(state) ? 0 : 1);
      }),
    );
  });
});

describe('the units of an offer', () => {
  it('[offers.paid] are set aside, and go to the recipient or back under one reference', () => {
    expect(buildReservation(buildOffer())).toEqual({
      kind: 'offer.reserved',
      reference: 'offer:o:reserved',
      amount: 5,
      transfers: [{ from: 'earned:available:ada', to: 'earned:reserved:ada' }],
    });
    for (const state of offerStates) {
      const to = settlementByOfferState[state] === 'paid' ? bob : ada;
      const expected = {
        kind: settlementByOfferState[state] === 'paid' ? 'offer.accepted' : 'offer.released',
        reference: 'offer:o:settled',
        amount: 5,
        transfers: [{ from: 'earned:reserved:ada', to: `earned:available:${to}` }],
      };
      expect(buildSettlement(buildOffer(), state), state).toEqual(
        isOpen(state) ? undefined : expected,
      );
    }
  });
});

describe('who may get an offer', () => {
  const expectError = (code: string, members = {}) => expect.objectContaining({ code, members });
  const checkRecipient =
    (recipient: { id: string; blocked: boolean } | undefined, authorId: string | null = null) =>
    () =>
      assertMayReceive(recipient, ada, authorId);
  const buildRecipient = (id = 'bob', blocked = false) => ({ id, blocked });

  it('[offers.not-oneself] [offers.blocked] [offers.payable-author]', () => {
    expect(checkRecipient(buildRecipient())).not.toThrow();
    expect(checkRecipient(buildRecipient(), 'bob')).not.toThrow();
    expect(checkRecipient(undefined)).toThrow(expectError('not_found'));
    expect(checkRecipient(buildRecipient('ada'))).toThrow(
      expectError('not_eligible', { reason: 'self' }),
    );
    expect(checkRecipient(buildRecipient('ada', true))).toThrow(
      expectError('not_eligible', { reason: 'self' }),
    );
    expect(checkRecipient(buildRecipient('bob', true))).toThrow(
      expectError('not_eligible', { reason: 'recipient_blocked' }),
    );
    expect(checkRecipient(buildRecipient('eve'), 'bob')).toThrow(
      expectError('not_eligible', { reason: 'not_author' }),
    );
  });

  it('[offers.payable-work] has a work if, and only if, it is a payable', () => {
    const work = { type: 'message', id: 'm' } as const;
    expect(() => assertKindFits('payable', work)).not.toThrow();
    expect(() => assertKindFits('gift', null)).not.toThrow();
    expect(() => assertKindFits('gift', work)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
    for (const none of [null, undefined])
      expect(() => assertKindFits('payable', none)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    expect(() => assertMayPayFor('bob', 'ada')).not.toThrow();
    expect(() => assertMayPayFor('ada', 'ada')).toThrow(
      expectError('not_eligible', { reason: 'self' }),
    );
    expect(() => assertMayPayFor(null, 'ada')).toThrow(expectError('not_found'));
  });
});
