import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { unitTotals } from './subsidies.store.ts';

/** Returns the enrollment of an agent; undefined if it is not enrolled. */
export const findEnrollment = (db: Queryable, agentId: string) =>
  db.first<{
    id: string;
    createdAt: string;
    amount: number;
    transactionId: string;
    receiptId: string;
  }>(sql`
    SELECT e.id, e.created_at AS "createdAt", t.amount, e.transaction_id AS "transactionId",
      e.receipt_id AS "receiptId"
    FROM enrollments e
    JOIN ledger_transactions t ON t.id = e.transaction_id
    WHERE e.agent_id = ${agentId}
  `);

/** An enrollment to insert. */
export interface NewEnrollment {
  readonly id: string;
  readonly agentId: string;
  readonly transactionId: string;
  readonly receiptId: string;
  readonly now: string;
}

/** Inserts an enrollment. */
export const insertEnrollment = (
  tx: Transaction,
  { id, agentId, transactionId, receiptId, now }: NewEnrollment,
): void =>
  tx.send(sql`
    INSERT INTO enrollments (id, agent_id, transaction_id, receipt_id, created_at)
    VALUES (${id}, ${agentId}, ${transactionId}, ${receiptId}, ${now})
  `);

/** Public totals of all grants, without the units that were taken back. */
export interface GrantSupply {
  readonly grants: number;
  readonly issued: number;
  readonly remaining: number;
  readonly reserved: number;
}

/** Returns the totals of all grants. */
export async function getSupply(db: Queryable): Promise<GrantSupply> {
  const supply = await db.first<GrantSupply>(sql`
    SELECT count(*) AS grants, coalesce(sum(s.amount - w.withdrawn), 0)::bigint AS issued,
      coalesce(sum(h.remaining), 0)::bigint AS remaining,
      coalesce(sum(h.reserved), 0)::bigint AS reserved
    FROM subsidies s ${unitTotals}
  `);
  return supply ?? { grants: 0, issued: 0, remaining: 0, reserved: 0 };
}
