import { type Sql, sql } from '../../db/sql.ts';

/**
 * A sentence that must be true of the ledger, and a query that finds contradictions to it. Its rows
 * have the members of `Difference`.
 */
export interface LedgerCheck {
  readonly holds: string;
  readonly query: Sql;
}

/** The triggers, as "table.name", with which PostgreSQL guards the ledger. */
const guardTriggers = [
  ...['apply', 'append_only'].map((name) => `ledger_postings.${name}`),
  'ledger_transactions.append_only',
  ...['kept', 'posted_only', 'begins_empty', 'follows_postings'].map(
    (name) => `ledger_accounts.${name}`,
  ),
  'subsidies.never_changes',
];

/** Rules that the schema enforces as well, computed again from the postings alone. */
export const checks: readonly LedgerCheck[] = [
  {
    holds: 'Every account has the balance and the number of entries that its postings add up to.',
    query: sql`
      SELECT a.name AS what,
        format(
          'balance %s in %s entries, postings make %s in %s', a.balance, a.entries, p.sum, p.count
        ) AS difference
      FROM ledger_accounts a
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(amount), 0) AS sum, count(*) AS count
        FROM ledger_postings
        WHERE account_id = a.id
      ) p
      WHERE a.balance <> p.sum OR a.entries <> p.count
    `,
  },
  {
    holds: 'Every entry continues from the balance of the entry before it.',
    query: sql`
      SELECT a.name AS what,
        format(
          '%s after transaction %s, postings make %s', p.balance_after, p.transaction_seq, p.sum
        ) AS difference
      FROM (
        SELECT *, sum(amount) OVER (PARTITION BY account_id ORDER BY transaction_seq) AS sum
        FROM ledger_postings
      ) p
      JOIN ledger_accounts a ON a.id = p.account_id
      WHERE p.balance_after <> p.sum
    `,
  },
  {
    holds: 'No account except issuance was ever below zero.',
    query: sql`
      SELECT a.name AS what,
        format('%s after transaction %s', p.balance_after, p.transaction_seq) AS difference
      FROM ledger_postings p
      JOIN ledger_accounts a ON a.id = p.account_id
      WHERE p.balance_after < 0 AND a.purpose <> 'issuance'
    `,
  },
  {
    holds: 'Every transaction has postings, all of its own amount, that balance in each unit.',
    query: sql`
      SELECT t.id::text AS what,
        format(
          '%s of %s: postings of %s %s sum to %s', t.kind, t.amount, coalesce(p.amounts, 'nothing'),
          p.unit, p.sum
        ) AS difference
      FROM ledger_transactions t
      LEFT JOIN (
        SELECT p.transaction_seq, a.unit, sum(p.amount) AS sum,
          string_agg(DISTINCT abs(p.amount)::text, ',') AS amounts
        FROM ledger_postings p
        JOIN ledger_accounts a ON a.id = p.account_id
        GROUP BY 1, 2
      ) p
        ON p.transaction_seq = t.seq
      WHERE p.sum IS DISTINCT FROM 0 OR p.amounts <> t.amount::text
    `,
  },
  {
    holds: 'No transaction is compensated for more than its amount.',
    query: sql`
      SELECT t.id::text AS what,
        format('%s of %s are compensated', sum(c.amount), t.amount) AS difference
      FROM ledger_transactions t
      JOIN ledger_transactions c ON c.compensates = t.id
      GROUP BY t.id, t.amount
      HAVING sum(c.amount) > t.amount
    `,
  },
  {
    holds: 'Everything that guards the ledger exists, and no session can switch it off.',
    query: sql`
      SELECT n.guard AS what,
        CASE
          g.tgenabled
          WHEN 'D' THEN 'switched off'
          ELSE coalesce('fires as ' || g.tgenabled::text, 'missing')
        END AS difference
      FROM unnest(${guardTriggers}::text[]) AS n (guard)
      LEFT JOIN pg_trigger g
        ON g.tgrelid = to_regclass(split_part(n.guard, '.', 1))
          AND g.tgname = split_part(n.guard, '.', 2)
      WHERE g.tgenabled IS DISTINCT FROM 'A'
    `,
  },
];
