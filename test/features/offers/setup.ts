import * as ledger from '../../../src/features/ledger/store.ts';
import { buildReservation } from '../../../src/features/offers/offer-settlement.rules.ts';
import { toOfferContent } from '../../../src/features/offers/rules.ts';
import * as offers from '../../../src/features/offers/store.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { create } from '../../../src/kernel/records/versioned.store.ts';
import type { TestApp } from '../../support/app.ts';

/** Has an agent offer one unit to nobody yet, so many times, faster than by calls. */
export const fillOffers = ({ app }: TestApp, senderId: string, count: number) => {
  const { db, newId, clock } = app.env;
  const now = toIso(clock());
  const offer = { kind: 'gift', amount: 1, work: null, recipientId: null, note: null } as const;
  return db.transaction(async (tx) => {
    const made = Array.from({ length: count }, async () => {
      const id = newId();
      create(tx, {
        id,
        type: 'offer',
        state: 'reserved',
        authorId: senderId,
        content: toOfferContent(offer),
        receiptId: null,
        now,
      });
      const expiresAt = toIso(clock() + 1000 * 3600 * 24 * 7);
      offers.insert(tx, { ...offer, id, senderId, workAuthorId: null, expiresAt, now });
      await ledger.post(tx, newId, {
        ...buildReservation({ id, senderId, amount: offer.amount }),
        at: now,
      });
    });
    await Promise.all(made);
  });
};
