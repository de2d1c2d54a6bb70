import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Role, readableOffer } from '../../kernel/access.ts';

/** An offer that receipts are about. Its two parties may know of it. */
export interface OfferSubject {
  readonly id: string;
  readonly kind: 'gift' | 'payable';
  readonly amount: number;
  readonly role: Role | null;
}

export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<OfferSubject>(
    sql`SELECT o.id, o.kind, o.amount, CASE WHEN ${readableOffer(reader)} THEN 'member' END AS role FROM offers o WHERE o.id = ANY(${ids}::uuid[])`,
  );
