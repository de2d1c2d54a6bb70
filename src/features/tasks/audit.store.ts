import { sql } from '../../db/sql.ts';

/** Tasks with slots that are not settled, and the units that those slots have set aside. */
const openTasks = sql`
  SELECT k.*, k.reward * (k.slots - k.settled) AS amount
  FROM tasks k
  WHERE k.settled < k.slots
`;

/** Earned units that open tasks have set aside, by owner. The ledger must have the same. */
export const reservedByOwners = sql`
  SELECT owner_id AS agent_id, sum(amount)::bigint AS amount
  FROM (${openTasks}) k
  WHERE funding_unit = 'earned'
  GROUP BY owner_id
`;

/** Escrow parts whose balance is not the sum of what open tasks have of their grants. */
export const wrongEscrows = sql`
  SELECT coalesce(a.name, o.name) AS what,
    format(
      '%s in escrow, %s for open tasks', coalesce(a.balance, 0), coalesce(o.amount, 0)
    ) AS difference
  FROM (
    SELECT 'earned:escrow:' || subsidy_id || ':' || (
      'x' || right(id::text, 1)
    )::bit(4)::int AS name,
      sum(amount)::bigint AS amount
    FROM (${openTasks}) k
    WHERE funding_unit = 'trial'
    GROUP BY 1
  ) o
  FULL JOIN (SELECT name, balance FROM ledger_accounts WHERE purpose = 'escrow') a
    ON a.name = o.name
  WHERE coalesce(a.balance, 0) <> coalesce(o.amount, 0)
`;

/**
 * Slots that contradict the ledger. A settled slot must have one transaction, which paid the worker
 * exactly if the assignment is paid; any other slot must have none.
 */
export const wrongSlots = sql`
  SELECT coalesce(t.reference, s.reference) AS what,
    format(
      '%s by the ledger, %s by the task', coalesce(t.kind, 'nothing'), coalesce(s.kind, 'nothing')
    ) AS difference
  FROM (
    SELECT 'task:' || k.id || ':slot:' || n AS reference,
      CASE WHEN c.state = 'paid' THEN 'task.paid' ELSE 'task.returned' END AS kind, h.agent_id
    FROM tasks k
    CROSS JOIN LATERAL generate_series(1, k.slots) n
    LEFT JOIN assignments h ON h.task_id = k.id AND h.slot = n AND h.holds_slot
    LEFT JOIN records c ON c.id = h.id
    WHERE c.state IN ('paid', 'refused', 'expired') OR (c.id IS NULL AND k.due_at IS NULL)
  ) s
  FULL JOIN (
    SELECT reference, kind, seq
    FROM ledger_transactions
    WHERE kind IN ('task.paid', 'task.returned')
  ) t
    ON t.reference = s.reference
  WHERE t.kind IS DISTINCT FROM s.kind
    OR (
      t.kind = 'task.paid'
        AND NOT EXISTS (
          SELECT 1
          FROM ledger_postings p
          JOIN ledger_accounts a ON a.id = p.account_id
          WHERE p.transaction_seq = t.seq AND p.amount > 0 AND a.agent_id = s.agent_id
        )
    )
`;

/** Tasks whose counts of settled and returned slots contradict the ledger. */
export const wrongCounts = sql`
  SELECT k.id::text AS what,
    format(
      '%s settled and %s returned, by the ledger %s and %s', k.settled, k.returned, l.settled,
      l.returned
    ) AS difference
  FROM tasks k
  CROSS JOIN LATERAL (
    SELECT count(*) AS settled, count(*) FILTER (WHERE t.kind = 'task.returned') AS returned
    FROM generate_series(1, k.slots) n
    JOIN ledger_transactions t ON t.reference = 'task:' || k.id || ':slot:' || n
  ) l
  WHERE k.settled <> l.settled OR k.returned <> l.returned
`;
