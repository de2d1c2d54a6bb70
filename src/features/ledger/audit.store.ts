import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';

/** Where the units of one kind are, summed from the postings alone. All of it that was issued is in one of the others. */
export interface Supply {
  readonly unit: string;
  readonly issued: number;
  /** In grants, not set aside. */
  readonly remaining: number;
  /** Set aside, by agents or of grants. */
  readonly reserved: number;
  /** Available to agents. */
  readonly held: number;
  /** Trial units that are used up. */
  readonly spent: number;
}

export const supply = (db: Queryable) =>
  db.rows<Supply>(sql`SELECT unit, -coalesce(sum(amount) FILTER (WHERE purpose = 'issuance'), 0)::bigint AS issued,
      coalesce(sum(amount) FILTER (WHERE purpose = 'grant'), 0)::bigint AS remaining,
      coalesce(sum(amount) FILTER (WHERE purpose IN ('reserved', 'escrow')), 0)::bigint AS reserved,
      coalesce(sum(amount) FILTER (WHERE purpose = 'available'), 0)::bigint AS held,
      coalesce(sum(amount) FILTER (WHERE purpose = 'sink'), 0)::bigint AS spent
    FROM ledger_accounts a LEFT JOIN ledger_postings p ON p.account_id = a.id GROUP BY unit ORDER BY unit DESC`);

/** A sentence that must be true of the ledger, and a statement that finds what contradicts it: `what` it is and how it differs. */
export interface Check {
  readonly holds: string;
  readonly query: Sql;
}

/** Triggers, as "table.name", by which PostgreSQL refuses what must not be. */
const guards = [
  ...['apply', 'append_only'].map((name) => `ledger_postings.${name}`),
  'ledger_transactions.append_only',
  ...['kept', 'posted_only', 'begins_empty', 'follows_postings'].map(
    (name) => `ledger_accounts.${name}`,
  ),
  'subsidies.never_changes',
];

/** What the schema holds too, computed again from nothing but the postings. */
export const checks: readonly Check[] = [
  {
    holds: 'Every account has the balance and the number of entries that its postings make.',
    query: sql`SELECT a.name AS what, format('balance %s in %s entries, postings make %s in %s', a.balance, a.entries, p.sum, p.count) AS difference
      FROM ledger_accounts a CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS sum, count(*) AS count FROM ledger_postings WHERE account_id = a.id) p
      WHERE a.balance <> p.sum OR a.entries <> p.count`,
  },
  {
    holds: 'Every entry goes on from the balance that the one before it left.',
    query: sql`SELECT a.name AS what, format('%s after transaction %s, postings make %s', p.balance_after, p.transaction_seq, p.sum) AS difference
      FROM (SELECT *, sum(amount) OVER (PARTITION BY account_id ORDER BY transaction_seq) AS sum FROM ledger_postings) p JOIN ledger_accounts a ON a.id = p.account_id
      WHERE p.balance_after <> p.sum`,
  },
  {
    holds: 'No account but that of issuance was ever below zero.',
    query: sql`SELECT a.name AS what, format('%s after transaction %s', p.balance_after, p.transaction_seq) AS difference
      FROM ledger_postings p JOIN ledger_accounts a ON a.id = p.account_id WHERE p.balance_after < 0 AND a.purpose <> 'issuance'`,
  },
  {
    holds: 'Every transaction has postings, all of its own amount, which balance in each unit.',
    query: sql`SELECT t.id::text AS what, format('%s of %s: postings of %s %s sum to %s', t.kind, t.amount, coalesce(p.amounts, 'nothing'), p.unit, p.sum) AS difference
      FROM ledger_transactions t LEFT JOIN (
        SELECT p.transaction_seq, a.unit, sum(p.amount) AS sum, string_agg(DISTINCT abs(p.amount)::text, ',') AS amounts
        FROM ledger_postings p JOIN ledger_accounts a ON a.id = p.account_id GROUP BY 1, 2) p ON p.transaction_seq = t.seq
      WHERE p.sum IS DISTINCT FROM 0 OR p.amounts <> t.amount::text`,
  },
  {
    holds: 'No transaction is compensated beyond its amount.',
    query: sql`SELECT t.id::text AS what, format('%s of %s are compensated', sum(c.amount), t.amount) AS difference
      FROM ledger_transactions t JOIN ledger_transactions c ON c.compensates = t.id GROUP BY t.id, t.amount HAVING sum(c.amount) > t.amount`,
  },
  {
    holds: 'Everything that guards the ledger is there, and cannot be switched off by a session.',
    query: sql`SELECT n.guard AS what, CASE g.tgenabled WHEN 'D' THEN 'switched off' ELSE coalesce('fires as ' || g.tgenabled::text, 'missing') END AS difference
      FROM unnest(${guards}::text[]) AS n (guard) LEFT JOIN pg_trigger g ON g.tgrelid = to_regclass(split_part(n.guard, '.', 1)) AND g.tgname = split_part(n.guard, '.', 2)
      WHERE g.tgenabled IS DISTINCT FROM 'A'`,
  },
];

/** Units that agents have reserved, against what is open: each of `open` finds agent_id and amount of what sets earned units of agents aside. */
export const agreement = (holds: string, open: readonly Sql[]): Check => ({
  holds,
  query: sql`SELECT coalesce(o.agent_id, a.agent_id)::text AS what, format('%s reserved, %s open', coalesce(a.balance, 0), coalesce(o.amount, 0)) AS difference
    FROM (SELECT agent_id, sum(amount) AS amount FROM (${join(open, ' UNION ALL ')}) p GROUP BY agent_id) o FULL JOIN (SELECT agent_id, balance FROM ledger_accounts WHERE purpose = 'reserved') a ON a.agent_id = o.agent_id
    WHERE coalesce(a.balance, 0) <> coalesce(o.amount, 0)`,
});

export interface Difference {
  readonly what: string;
  readonly difference: string;
}

/** What contradicts a check: the first ones, enough to look into it. */
export const differences = (db: Queryable, { query }: Check) =>
  db.rows<Difference>(sql`SELECT * FROM (${query}) d ORDER BY what, difference LIMIT 20`);
