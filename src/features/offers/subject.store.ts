import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';
import { readableOffer } from '../../kernel/record-access.ts';

/** An offer that is the subject of receipts. `role` is null unless the reader is a party. */
export interface OfferSubject {
  readonly id: string;
  readonly kind: 'gift' | 'payable';
  readonly amount: number;
  readonly role: Role | null;
}

/** Lists these offers with the role of the reader. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<OfferSubject>(sql`
    SELECT o.id, o.kind, o.amount, CASE WHEN ${readableOffer(reader)} THEN 'member' END AS role
    FROM offers o
    WHERE o.id = ANY(${ids}::uuid[])
  `);
