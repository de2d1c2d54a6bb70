import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { CreditUnit, TransactionKind } from './rules.ts';

/** The balance of one account of an agent. */
export interface Balance {
  readonly unit: CreditUnit;
  readonly purpose: 'available' | 'reserved';
  readonly balance: number;
  /** The number of entries of the account. */
  readonly entries: number;
}

/** Lists the accounts of an agent. Accounts that were never used do not exist. */
export const listBalances = (db: Queryable, agentId: string) =>
  db.rows<Balance>(sql`
    SELECT unit, purpose, balance, entries
    FROM ledger_accounts
    WHERE agent_id = ${agentId}
  `);

/** An entry of an account. */
export interface LedgerEntry {
  readonly id: string;
  readonly transactionId: string;
  readonly kind: TransactionKind;
  readonly unit: CreditUnit;
  readonly account: 'available' | 'reserved';
  readonly amount: number;
  readonly balanceAfter: number;
  readonly reference: string;
  readonly createdAt: string;
}

/**
 * Lists entries of all accounts of an agent, newest first. From each account no more entries are
 * read than the page can need.
 */
export async function listEntries(db: Queryable, agentId: string, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'ledger_postings',
    key: [sql`n.transaction_seq`, sql`n.account_id`],
    findRow: (id) => sql`
      FROM ledger_postings n
      JOIN ledger_accounts a ON a.id = n.account_id
      WHERE n.id = ${id} AND a.agent_id = ${agentId}
    `,
  });
  return db.rows<LedgerEntry>(sql`
    SELECT p.id, t.id AS "transactionId", t.kind, p.unit, p.purpose AS account, p.amount,
      p.balance_after AS "balanceAfter", t.reference, t.created_at AS "createdAt"
    FROM (
      SELECT n.*, a.unit, a.purpose
      FROM ledger_accounts a
      CROSS JOIN LATERAL (
        SELECT *
        FROM ledger_postings n
        WHERE n.account_id = a.id AND ${after}
        ORDER BY n.transaction_seq DESC
        LIMIT ${page.offset}::bigint + ${page.limit}::bigint
      ) n
      WHERE a.agent_id = ${agentId} ${orderBy} ${limit}
    ) p
    JOIN ledger_transactions t ON t.seq = p.transaction_seq
    ORDER BY p.transaction_seq DESC, p.account_id DESC
  `);
}
