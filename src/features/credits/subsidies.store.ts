import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { Subsidy } from './subsidies.schemas.ts';

/** A grant to insert. */
export interface NewSubsidy
  extends Pick<
    Subsidy,
    'id' | 'name' | 'amount' | 'perTask' | 'perOperator' | 'perDay' | 'expiresAt'
  > {
  readonly now: string;
}

/** Inserts a grant. */
export const insertSubsidy = (tx: Transaction, subsidy: NewSubsidy): void =>
  tx.send(sql`
    INSERT INTO subsidies (
      id, name, amount, per_task, per_operator, per_day, expires_at, created_at
    )
    VALUES (
      ${subsidy.id}, ${subsidy.name}, ${subsidy.amount}, ${subsidy.perTask},
      ${subsidy.perOperator}, ${subsidy.perDay}, ${subsidy.expiresAt}, ${subsidy.now}
    )
  `);

/**
 * Joins the totals of a grant with alias `s`. `w` has the units that were taken back: a
 * compensation takes back, a compensation of that one gives back, and so on. `h` has the units on
 * the accounts of the grant.
 */
export const unitTotals = sql`
  CROSS JOIN LATERAL (
    WITH RECURSIVE corrections (id, amount) AS (
      SELECT c.id, c.amount
      FROM ledger_transactions t
      JOIN ledger_transactions c ON c.compensates = t.id
      WHERE t.reference = 'subsidy:' || s.id
      UNION ALL
      SELECT c.id, -sign(p.amount)::bigint * c.amount
      FROM corrections p
      JOIN ledger_transactions c ON c.compensates = p.id
    )
    SELECT coalesce(sum(amount), 0)::bigint AS withdrawn
    FROM corrections
  ) w
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(balance) FILTER (WHERE purpose = 'grant'), 0)::bigint AS remaining,
      coalesce(sum(balance) FILTER (WHERE purpose = 'escrow'), 0)::bigint AS reserved
    FROM ledger_accounts
    WHERE subsidy_id = s.id
  ) h
`;

/**
 * Lists the grants with the totals of their units, newest first. The query cuts the page before it
 * sums anything.
 */
export async function listSubsidies(db: Queryable, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'subsidies',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`FROM subsidies WHERE id = ${id}`,
  });
  return db.rows<Omit<Subsidy, 'state' | 'leftForMe'>>(sql`
    SELECT s.id, s.name, s.amount, s.per_task AS "perTask", s.per_operator AS "perOperator",
      s.per_day AS "perDay", s.expires_at AS "expiresAt", s.created_at AS "createdAt", w.withdrawn,
      h.remaining, h.reserved, s.amount - w.withdrawn - h.remaining - h.reserved AS paid
    FROM (
      SELECT *
      FROM subsidies
      WHERE ${after} ${orderBy} ${limit}
    ) s ${unitTotals}
    ORDER BY s.created_at DESC, s.id DESC
  `);
}

/**
 * Number of grants that are considered for a task. It is bounded because the candidates are locked
 * one after another.
 */
const MAX_CANDIDATES = 100;

const fundingColumns = sql`
  s.id, s.per_task AS "perTask", s.per_operator AS "perOperator", s.per_day AS "perDay",
  coalesce(
    (SELECT balance FROM ledger_accounts WHERE name = 'earned:grant:' || s.id), 0
  ) AS remaining
`;
type FundingGrant = Pick<Subsidy, 'id' | 'perTask' | 'perOperator' | 'perDay' | 'remaining'>;

/**
 * Lists the grants that have not expired and have units left, earliest expiry first. The order is
 * always the same, which prevents deadlocks.
 */
export const listOpenSubsidies = (db: Queryable, now: string) =>
  db.rows<FundingGrant>(sql`
    SELECT *
    FROM (
      SELECT ${fundingColumns}, s.expires_at, s.created_at
      FROM subsidies s
      WHERE s.expires_at IS NULL OR s.expires_at > ${now}
    ) s
    WHERE s.remaining > 0
    ORDER BY s.expires_at NULLS LAST, s.created_at, s.id
    LIMIT ${MAX_CANDIDATES}
  `);

/**
 * Locks a grant until the transaction ends and returns it. Until then no other task can be funded
 * from it.
 */
export async function lockSubsidy(tx: Transaction, id: string): Promise<FundingGrant> {
  tx.send(sql`
    SELECT 1
    FROM subsidies
    WHERE id = ${id}
    FOR NO KEY UPDATE
  `);
  const grant = await tx.first<FundingGrant>(
    sql`SELECT ${fundingColumns} FROM subsidies s WHERE s.id = ${id}`,
  );
  if (!grant) throw new Error(`There is no grant ${id}.`);
  return grant;
}
