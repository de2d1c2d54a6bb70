import { countUpTo } from '../../db/count-up-to.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { listOpen } from './offer-rows.store.ts';
import type { OfferRow } from './schemas.ts';

/**
 * Locks the open offers that an agent made until the commit, in the order of their ids, and returns
 * them. Like `lock` of an offer, this reads them by a second statement.
 */
export async function lockOpen(tx: Transaction, senderId: string): Promise<OfferRow[]> {
  const [, open] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM offers
      WHERE sender_id = ${senderId} AND open
      ORDER BY id
      FOR NO KEY UPDATE
    `),
    listOpen(tx, senderId),
  ]);
  return open;
}

/** Counts the open offers that an agent made, up to `most`. */
export const countOpen = (tx: Transaction, senderId: string, most: number) =>
  countUpTo(tx, most, sql`FROM offers WHERE sender_id = ${senderId} AND open`);
