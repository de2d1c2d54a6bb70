import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { find } from './offer-rows.store.ts';
import type { PaidWork } from './rules.ts';
import type { OfferRow } from './schemas.ts';

/**
 * Finds an offer that the reader may see, and locks it until the commit. A second statement reads
 * the offer, because the one that waits for the lock sees the state from before the wait. An offer
 * between others is neither found nor locked.
 */
export async function lock(
  tx: Transaction,
  id: string,
  reader: string,
): Promise<OfferRow | undefined> {
  const [locked, offer] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM offers
      WHERE id = ${id} AND (sender_id = ${reader} OR recipient_id = ${reader})
      FOR NO KEY UPDATE
    `),
    find(tx, id, reader),
  ]);
  return locked > 0 ? offer : undefined;
}

/** An offer to insert. */
export interface NewOffer {
  readonly id: string;
  readonly kind: OfferRow['kind'];
  readonly senderId: string;
  readonly recipientId: string | null;
  readonly amount: number;
  readonly work: PaidWork | null;
  readonly workAuthorId: string | null;
  readonly note: string | null;
  readonly expiresAt: string | null;
  readonly now: string;
}

/** Inserts an offer. Its versioned record must exist already. */
export const insert = (tx: Transaction, o: NewOffer): void =>
  tx.send(sql`
    INSERT INTO offers (
      id, kind, sender_id, recipient_id, amount, work_type, work_id, author_id, note, expires_at,
      due_at, created_at
    )
    VALUES (
      ${o.id}, ${o.kind}, ${o.senderId}, ${o.recipientId}, ${o.amount}, ${o.work?.type ?? null},
      ${o.work?.id ?? null}, ${o.workAuthorId}, ${o.note}, ${o.expiresAt}, ${o.expiresAt}, ${o.now}
    )
  `);

/** Stores the recipient of an offer, and whether it is open and so can still expire. */
export const update = (
  tx: Transaction,
  id: string,
  { recipientId, open }: { readonly recipientId: string | null; readonly open: boolean },
): void =>
  tx.send(sql`
    UPDATE offers
    SET recipient_id = ${recipientId}, open = ${open},
      due_at = CASE WHEN ${open}::bool THEN expires_at END
    WHERE id = ${id}
  `);

/**
 * Finds a gift that is due by `now` and locks it until the commit. It skips gifts that another
 * transaction has locked.
 */
export const lockDue = async (tx: Transaction, now: string): Promise<OfferRow | undefined> => {
  const due = await tx.first<{ id: string; sender: string }>(sql`
    SELECT id, sender_id AS sender
    FROM offers
    WHERE due_at <= ${now}
    ORDER BY due_at
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  `);
  return due && find(tx, due.id, due.sender);
};
