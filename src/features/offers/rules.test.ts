import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoaError } from '../../kernel/errors.ts';
import {
  assertKindFits,
  assertMayPayFor,
  assertMayReceive,
  expired,
  type Offer,
  type PartyTrigger,
  reserving,
  settling,
  transition,
} from './rules.ts';
import { actorOf, isOpen, moneyOf, type OfferState, offerStates, triggers } from './transitions.ts';

const [ada, bob, eve] = ['ada', 'bob', 'eve'];
const now = '2026-03-08T12:00:00.000Z';
const later = '2026-03-08T12:00:00.001Z';
const offer = (more: Partial<Offer> = {}): Offer => {
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
    expiresAt: later,
  };
  return { ...base, ...more } as Offer;
};

/** The next state, or the code of the refusal. */
const attempt = (
  given: Offer,
  trigger: PartyTrigger,
  agentId = actorOf[trigger] === 'sender' ? ada : bob,
  expectedVersion?: number | null,
): string => {
  try {
    return transition(given, trigger, { agentId: agentId as string, expectedVersion, now });
  } catch (error) {
    if (error instanceof StoaError) return error.code;
    throw error;
  }
};

const table: Readonly<Record<OfferState, Partial<Record<(typeof triggers)[number], OfferState>>>> =
  {
    reserved: { confirm: 'confirmed', cancel: 'cancelled', expire: 'expired' },
    confirmed: { accept: 'accepted', decline: 'reserved', cancel: 'cancelled', expire: 'expired' },
    accepted: {},
    cancelled: {},
    expired: {},
  };
const cases = offerStates.flatMap((state) =>
  triggers.map((trigger) => ({ state, trigger, next: table[state][trigger] })),
);

describe('an offer', () => {
  it.each(cases)('[offers.transitions] $state, $trigger', ({ state, trigger, next }) => {
    if (trigger === 'expire') {
      if (next) expect(expired({ state })).toBe(next);
      else
        expect(() => expired({ state })).toThrow(
          expect.objectContaining({ code: 'state_conflict' }),
        );
    } else expect(attempt(offer({ state }), trigger)).toBe(next ?? 'state_conflict');
  });

  it.each(Object.keys(actorOf) as PartyTrigger[])(
    '[offers.parties] %s is for one party alone',
    (trigger) => {
      const state = trigger === 'confirm' ? 'reserved' : 'confirmed';
      const other = actorOf[trigger] === 'sender' ? bob : ada;
      for (const agentId of [other, eve])
        expect(attempt(offer({ state }), trigger, agentId)).toBe('forbidden');
    },
  );

  it('[offers.version] moves on from the version that was read, or from any when none is named', () => {
    expect(attempt(offer(), 'accept', bob, 2)).toBe('accepted');
    expect(attempt(offer(), 'accept', bob, null)).toBe('accepted');
    for (const version of [1, 3])
      expect(attempt(offer(), 'accept', bob, version)).toBe('version_conflict');
    // Of a wrong version and a wrong state, the version is told first: the state may be news.
    expect(attempt(offer({ state: 'cancelled', version: 3 }), 'accept', bob, 2)).toBe(
      'version_conflict',
    );
  });

  it.each(['accept', 'decline', 'cancel'] as const)(
    '[offers.gift-expiry] cannot %s at the millisecond of its expiry',
    (trigger) => {
      expect(attempt(offer({ expiresAt: later }), trigger)).not.toBe('state_conflict');
      for (const expiresAt of [now, '2026-03-08T11:59:59.999Z'])
        expect(attempt(offer({ expiresAt }), trigger)).toBe('state_conflict');
      expect(attempt(offer({ expiresAt: null }), trigger)).not.toBe('state_conflict');
    },
  );

  it('[offers.once] is settled by the one step that ends it, whatever the steps are', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 12 }), (steps) => {
        let state: OfferState = 'reserved';
        let settled = 0;
        for (const step of steps) {
          const next: OfferState | undefined = table[state][step];
          if (next === undefined) continue;
          state = next;
          if (settling(offer(), state)) settled++;
        }
        expect(settled).toBe(isOpen(state) ? 0 : 1);
      }),
    );
  });
});

describe('the units of an offer', () => {
  it('[offers.paid] are set aside, and go to the recipient or back under one reference', () => {
    expect(reserving(offer())).toEqual({
      kind: 'offer.reserved',
      reference: 'offer:o:reserved',
      amount: 5,
      transfers: [{ from: 'earned:available:ada', to: 'earned:reserved:ada' }],
    });
    for (const state of offerStates) {
      const to = moneyOf[state] === 'paid' ? bob : ada;
      const expected = {
        kind: moneyOf[state] === 'paid' ? 'offer.accepted' : 'offer.released',
        reference: 'offer:o:settled',
        amount: 5,
        transfers: [{ from: 'earned:reserved:ada', to: `earned:available:${to}` }],
      };
      expect(settling(offer(), state), state).toEqual(isOpen(state) ? undefined : expected);
    }
  });
});

describe('who may get an offer', () => {
  const refused = (code: string, members = {}) => expect.objectContaining({ code, members });
  const receive =
    (recipient: { id: string; blocked: boolean } | undefined, authorId: string | null = null) =>
    () =>
      assertMayReceive(recipient, ada as string, authorId);
  const person = (id = 'bob', blocked = false) => ({ id, blocked });

  it('[offers.not-oneself] [offers.blocked] [offers.payable-author]', () => {
    expect(receive(person())).not.toThrow();
    expect(receive(person(), 'bob')).not.toThrow();
    expect(receive(undefined)).toThrow(refused('not_found'));
    expect(receive(person('ada'))).toThrow(refused('not_eligible', { reason: 'self' }));
    expect(receive(person('ada', true))).toThrow(refused('not_eligible', { reason: 'self' }));
    expect(receive(person('bob', true))).toThrow(
      refused('not_eligible', { reason: 'recipient_blocked' }),
    );
    expect(receive(person('eve'), 'bob')).toThrow(
      refused('not_eligible', { reason: 'not_author' }),
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
      refused('not_eligible', { reason: 'self' }),
    );
    expect(() => assertMayPayFor(null, 'ada')).toThrow(refused('not_found'));
  });
});
