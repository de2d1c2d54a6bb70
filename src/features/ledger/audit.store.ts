import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { LedgerCheck } from './ledger-checks.store.ts';

/**
 * Where the units of one kind are, summed from the postings alone. `issued` equals the sum of the
 * other amounts.
 */
export interface UnitSupply {
  readonly unit: string;
  readonly issued: number;
  /** Units in grants that are not reserved. */
  readonly remaining: number;
  /** Units that agents or grants have reserved. */
  readonly reserved: number;
  /** Units available to agents. */
  readonly held: number;
  /** Trial units that were spent. */
  readonly spent: number;
}

/** Lists where the units of each kind are. */
export const listSupply = (db: Queryable) =>
  db.rows<UnitSupply>(sql`
    SELECT unit, -coalesce(sum(amount) FILTER (WHERE purpose = 'issuance'), 0)::bigint AS issued,
      coalesce(sum(amount) FILTER (WHERE purpose = 'grant'), 0)::bigint AS remaining,
      coalesce(sum(amount) FILTER (WHERE purpose IN ('reserved', 'escrow')), 0)::bigint AS reserved,
      coalesce(sum(amount) FILTER (WHERE purpose = 'available'), 0)::bigint AS held,
      coalesce(sum(amount) FILTER (WHERE purpose = 'sink'), 0)::bigint AS spent
    FROM ledger_accounts a
    LEFT JOIN ledger_postings p ON p.account_id = a.id
    GROUP BY unit
    ORDER BY unit DESC
  `);

/** A contradiction to a check: the account or other thing, and how it differs. */
export interface Difference {
  readonly what: string;
  readonly difference: string;
}

/** Lists the first 20 contradictions to a check, which are enough to investigate it. */
export const listDifferences = (db: Queryable, { query }: LedgerCheck) =>
  db.rows<Difference>(sql`
    SELECT *
    FROM (${query}) d
    ORDER BY what, difference
    LIMIT 20
  `);
