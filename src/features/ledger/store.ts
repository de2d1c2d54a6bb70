import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { AccountName, Leg, TransactionKind, Transfer } from './rules.ts';

/** A transaction to post: each transfer moves the same amount, and all or none take place. */
export interface NewTransaction {
  readonly kind: TransactionKind;
  /**
   * Names what the transaction settles. A second transaction with the same reference is rejected as
   * repeated, so that nothing is settled twice.
   */
  readonly reference: string;
  /** From 1 to 2^53-1. */
  readonly amount: number;
  /** No account occurs in two of them. */
  readonly transfers: readonly Transfer[];
  /** The id of the transaction that this one compensates. */
  readonly compensates?: string;
  readonly at: string;
}

/**
 * The outcome of posting. `insufficient` means that an account lacks the units, and `repeated` that
 * the reference was posted before; in both cases nothing is changed.
 */
export type PostingOutcome = 'posted' | 'insufficient' | 'repeated';

/**
 * Posts a transaction; units move in no other way. It locks the accounts until the commit, in the
 * order of their names. To avoid deadlocks, call it after all other locks are taken, and only once
 * in a database transaction, or repeatedly for the same accounts.
 */
export async function post(
  tx: Transaction,
  newId: NewId,
  { kind, reference, amount, transfers, compensates, at }: NewTransaction,
): Promise<{ id: string; outcome: PostingOutcome }> {
  const id = newId();
  const from = transfers.map((transfer) => transfer.from);
  const to = transfers.map((transfer) => transfer.to);
  const row = await tx.first<{ outcome: PostingOutcome }>(sql`
    SELECT ledger_post(
      ${id}, ${kind}, ${reference}, ${amount}::bigint, ${from}::text[], ${to}::text[],
      ${[...from, ...to].map(newId)}::uuid[], ${at}, ${compensates ?? null}::uuid
    ) AS outcome
  `);
  if (!row) throw new Error('ledger_post returned no row.');
  return { id, outcome: row.outcome };
}

/**
 * Locks accounts until the commit, in the order in which `post` does, and creates those that do not
 * exist, as `ledger_post` does too. A caller that posts one of several transactions locks the
 * accounts of all, so that what waits does not tell which one.
 */
export function lockAccounts(tx: Transaction, names: readonly AccountName[]): void {
  for (const name of [...new Set(names)].sort()) {
    tx.send(sql`
      INSERT INTO ledger_accounts (unit, purpose, owner, part)
      VALUES (split_part(${name}, ':', 1), split_part(${name}, ':', 2),
        nullif(split_part(${name}, ':', 3), '')::uuid,
        nullif(split_part(${name}, ':', 4), '')::smallint)
      ON CONFLICT (name) DO NOTHING
    `);
    tx.send(sql`SELECT 1 FROM ledger_accounts WHERE name = ${name} FOR NO KEY UPDATE`);
  }
}

/** A posted transaction with its legs. */
export interface LedgerTransaction {
  readonly id: string;
  readonly kind: TransactionKind;
  readonly amount: number;
  /** The units that compensations have moved back. */
  readonly compensated: number;
  readonly legs: readonly Leg[];
}

/**
 * Locks a transaction until the commit and returns it. A second statement reads it, so that it
 * includes compensations that the lock waited for. The lock is advisory, because a lock of the row
 * needs the right to change it, which the service does not have.
 */
export async function lock(tx: Transaction, id: string): Promise<LedgerTransaction | undefined> {
  const [, row] = await Promise.all([
    tx.run(sql`
      SELECT pg_advisory_xact_lock(hashtextextended('ledger ' || ${id}::uuid::text, 0))
    `),
    tx.first<LedgerTransaction>(sql`
      SELECT t.id, t.kind, t.amount,
        (
          SELECT coalesce(sum(c.amount), 0)::bigint
          FROM ledger_transactions c
          WHERE c.compensates = t.id
        ) AS compensated,
        (
          SELECT json_agg(json_build_object('account', a.name, 'amount', p.amount) ORDER BY a.name)
          FROM ledger_postings p
          JOIN ledger_accounts a ON a.id = p.account_id
          WHERE p.transaction_seq = t.seq
        ) AS legs
      FROM ledger_transactions t
      WHERE t.id = ${id}
    `),
  ]);
  return row;
}
