import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Subsidy } from './schemas.ts';

/** How an agent was enrolled; undefined before it was. */
export const findEnrollment = (db: Queryable, agentId: string) =>
  db.first<{
    id: string;
    createdAt: string;
    amount: number;
    transactionId: string;
    receiptId: string;
  }>(sql`SELECT e.id, e.created_at AS "createdAt", t.amount,
      e.transaction_id AS "transactionId", e.receipt_id AS "receiptId"
    FROM enrollments e JOIN ledger_transactions t ON t.id = e.transaction_id WHERE e.agent_id = ${agentId}`);

export const insertEnrollment = (
  tx: Transaction,
  e: { id: string; agentId: string; transactionId: string; receiptId: string; now: string },
): void =>
  tx.send(
    sql`INSERT INTO enrollments (id, agent_id, transaction_id, receipt_id, created_at) VALUES (${e.id}, ${e.agentId}, ${e.transactionId}, ${e.receiptId}, ${e.now})`,
  );

export interface NewSubsidy
  extends Pick<
    Subsidy,
    'id' | 'name' | 'amount' | 'perTask' | 'perOperator' | 'perDay' | 'expiresAt'
  > {
  readonly now: string;
}

export const insertSubsidy = (tx: Transaction, s: NewSubsidy): void =>
  tx.send(sql`INSERT INTO subsidies (id, name, amount, per_task, per_operator, per_day, expires_at, created_at)
    VALUES (${s.id}, ${s.name}, ${s.amount}, ${s.perTask}, ${s.perOperator}, ${s.perDay}, ${s.expiresAt}, ${s.now})`);

/** What became of the units of a grant of alias `s`: `w` was taken back (a compensation of that gives it again, and so on), `h` is held. */
const became = sql`CROSS JOIN LATERAL (WITH RECURSIVE corrections (id, amount) AS (SELECT c.id, c.amount FROM ledger_transactions t JOIN ledger_transactions c ON c.compensates = t.id
        WHERE t.reference = 'subsidy:' || s.id
      UNION ALL SELECT c.id, -sign(p.amount)::bigint * c.amount FROM corrections p JOIN ledger_transactions c ON c.compensates = p.id)
      SELECT coalesce(sum(amount), 0)::bigint AS withdrawn FROM corrections) w
    CROSS JOIN LATERAL (SELECT coalesce(sum(balance) FILTER (WHERE purpose = 'grant'), 0)::bigint AS remaining,
      coalesce(sum(balance) FILTER (WHERE purpose = 'escrow'), 0)::bigint AS reserved FROM ledger_accounts WHERE subsidy_id = s.id) h`;

/** Grants with what became of their units, newest first. The page is cut before anything is summed. */
export const listSubsidies = (db: Queryable, offset: number, limit: number) =>
  db.rows<
    Omit<Subsidy, 'state'>
  >(sql`SELECT s.id, s.name, s.amount, s.per_task AS "perTask", s.per_operator AS "perOperator", s.per_day AS "perDay",
      s.expires_at AS "expiresAt", s.created_at AS "createdAt", w.withdrawn, h.remaining, h.reserved, s.amount - w.withdrawn - h.remaining - h.reserved AS paid
    FROM (SELECT * FROM subsidies ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) s
    ${became}
    ORDER BY s.created_at DESC, s.id DESC`);

/** Grants of which so many are looked at: all that a task can be funded from must be locked one after another. */
const LOOKED_AT = 100;

const funding = sql`s.id, s.per_task AS "perTask", s.per_operator AS "perOperator", s.per_day AS "perDay",
  coalesce((SELECT balance FROM ledger_accounts WHERE name = 'earned:grant:' || s.id), 0) AS remaining`;
type Funding = Pick<Subsidy, 'id' | 'perTask' | 'perOperator' | 'perDay' | 'remaining'>;

/** Grants that have not expired, those first that expire first: always in one order. */
export const listOpenSubsidies = (db: Queryable, now: string) =>
  db.rows<Funding>(sql`SELECT * FROM (SELECT ${funding}, s.expires_at, s.created_at FROM subsidies s WHERE s.expires_at IS NULL OR s.expires_at > ${now}) s
    WHERE s.remaining > 0 ORDER BY s.expires_at NULLS LAST, s.created_at, s.id LIMIT ${LOOKED_AT}`);

/** A grant, held until the commit: while it is, no other task is funded from it. */
export async function lockSubsidy(tx: Transaction, id: string): Promise<Funding> {
  tx.send(sql`SELECT 1 FROM subsidies WHERE id = ${id} FOR NO KEY UPDATE`);
  return (await tx.first<Funding>(
    sql`SELECT ${funding} FROM subsidies s WHERE s.id = ${id}`,
  )) as Funding;
}

/** Of all grants together, without what was taken back: public, as they are. */
export interface Supply {
  readonly grants: number;
  readonly issued: number;
  readonly remaining: number;
  readonly reserved: number;
}

export const supply = async (db: Queryable) =>
  // An aggregate has always one row.
  (await db.first(sql`SELECT count(*) AS grants, coalesce(sum(s.amount - w.withdrawn), 0)::bigint AS issued, coalesce(sum(h.remaining), 0)::bigint AS remaining,
      coalesce(sum(h.reserved), 0)::bigint AS reserved FROM subsidies s ${became}`)) as Supply;
