import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Leg, TransactionKind, Transfer, Unit } from './rules.ts';

/** Units to be moved: the same amount by each transfer, all of them or none. */
export interface NewTransaction {
  readonly kind: TransactionKind;
  /** What happens once only has one reference, for whichever of its outcomes. */
  readonly reference: string;
  /** 1..2^53-1. */
  readonly amount: number;
  /** No account is in two of them. */
  readonly transfers: readonly Transfer[];
  readonly compensates?: string;
  readonly at: string;
}

/** `insufficient`: an account has not so much. `repeated`: it happened already. Nothing was done then. */
export type Outcome = 'posted' | 'insufficient' | 'repeated';

/**
 * The one way in which units move. Accounts are locked until the commit, in the order of their names: call it after all other locks were taken,
 * and once in a transaction, or several times for the same accounts, so that no two wait for each other in a circle.
 */
export async function post(
  tx: Transaction,
  newId: NewId,
  { kind, reference, amount, transfers, compensates, at }: NewTransaction,
): Promise<{ id: string; outcome: Outcome }> {
  const id = newId();
  const [from, to] = [
    transfers.map((transfer) => transfer.from),
    transfers.map((transfer) => transfer.to),
  ];
  const row = await tx.first<{
    outcome: Outcome;
  }>(sql`SELECT ledger_post(${id}, ${kind}, ${reference}, ${amount}::bigint, ${from}::text[], ${to}::text[],
    ${[...from, ...to].map(newId)}::uuid[], ${at}, ${compensates ?? null}::uuid) AS outcome`);
  return { id, outcome: (row as { outcome: Outcome }).outcome };
}

export interface LedgerTransaction {
  readonly id: string;
  readonly kind: TransactionKind;
  readonly amount: number;
  /** What compensations moved back of it. */
  readonly compensated: number;
  readonly legs: readonly Leg[];
}

/** A transaction, held until the commit, with what was compensated of it by then. */
export async function lock(tx: Transaction, id: string): Promise<LedgerTransaction | undefined> {
  const [, row] = await Promise.all([
    tx.run(sql`SELECT 1 FROM ledger_transactions WHERE id = ${id} FOR NO KEY UPDATE`),
    tx.first<LedgerTransaction>(sql`SELECT t.id, t.kind, t.amount,
        (SELECT coalesce(sum(c.amount), 0)::bigint FROM ledger_transactions c WHERE c.compensates = t.id) AS compensated,
        (SELECT json_agg(json_build_object('account', a.name, 'amount', p.amount) ORDER BY a.name)
          FROM ledger_postings p JOIN ledger_accounts a ON a.id = p.account_id WHERE p.transaction_seq = t.seq) AS legs
      FROM ledger_transactions t WHERE t.id = ${id}`),
  ]);
  return row;
}

export interface Balance {
  readonly unit: Unit;
  readonly purpose: 'available' | 'reserved';
  readonly balance: number;
  /** How many entries the account has. */
  readonly entries: number;
}

/** The accounts of an agent; those that it never needed are not there. */
export const listBalances = (db: Queryable, agentId: string) =>
  db.rows<Balance>(
    sql`SELECT unit, purpose, balance, entries FROM ledger_accounts WHERE agent_id = ${agentId}`,
  );

export interface Entry {
  readonly id: string;
  readonly transactionId: string;
  readonly kind: TransactionKind;
  readonly unit: Unit;
  readonly account: 'available' | 'reserved';
  readonly amount: number;
  readonly balanceAfter: number;
  readonly reference: string;
  readonly createdAt: string;
}

/** Entries of all accounts of an agent, newest first. Each account gives no more than the page can need. */
export const listEntries = (db: Queryable, agentId: string, offset: number, limit: number) =>
  db.rows<Entry>(sql`SELECT p.id, t.id AS "transactionId", t.kind, p.unit, p.purpose AS account, p.amount, p.balance_after AS "balanceAfter", t.reference, t.created_at AS "createdAt"
    FROM (SELECT n.*, a.unit, a.purpose FROM ledger_accounts a
        CROSS JOIN LATERAL (SELECT * FROM ledger_postings WHERE account_id = a.id ORDER BY transaction_seq DESC LIMIT ${offset}::bigint + ${limit}::bigint) n
      WHERE a.agent_id = ${agentId} ORDER BY n.transaction_seq DESC, n.account_id DESC LIMIT ${limit} OFFSET ${offset}) p
    JOIN ledger_transactions t ON t.seq = p.transaction_seq ORDER BY p.transaction_seq DESC, p.account_id DESC`);
