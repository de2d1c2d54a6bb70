import { sql } from '../../db/sql.ts';

/**
 * Lists contradictions to the invariant that the amount of each grant was issued exactly once.
 */
export const wrongGrants = sql`
  SELECT coalesce(t.reference, 'subsidy:' || s.id) AS what,
    format('%s issued, %s granted', coalesce(t.amount, 0), coalesce(s.amount, 0)) AS difference
  FROM subsidies s
  FULL JOIN (SELECT reference, amount FROM ledger_transactions WHERE kind = 'subsidy.granted') t
    ON t.reference = 'subsidy:' || s.id
  WHERE t.amount IS DISTINCT FROM s.amount
`;

/**
 * Lists contradictions to the invariant that each enrollment granted its units exactly once, to its
 * agent.
 */
export const wrongEnrollments = sql`
  SELECT coalesce(t.reference, 'enrollment:' || e.agent_id) AS what,
    format(
      '%s by the ledger, %s by the enrollment', coalesce(t.id::text, 'nothing'),
      coalesce(e.transaction_id::text, 'nothing')
    ) AS difference
  FROM enrollments e
  FULL JOIN (SELECT id, reference FROM ledger_transactions WHERE kind = 'credits.enrolled') t
    ON t.reference = 'enrollment:' || e.agent_id
  WHERE t.id IS DISTINCT FROM e.transaction_id
`;
