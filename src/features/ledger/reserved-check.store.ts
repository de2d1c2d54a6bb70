import { join, type Sql, sql } from '../../db/sql.ts';
import type { LedgerCheck } from './ledger-checks.store.ts';

/**
 * Builds the check that the units that agents have reserved are those that open records reserve.
 * Each query of `openAmounts` returns `agent_id` and `amount` of such records, in earned units.
 */
export const buildReservedCheck = (holds: string, openAmounts: readonly Sql[]): LedgerCheck => ({
  holds,
  query: sql`
    SELECT coalesce(o.agent_id, a.agent_id)::text AS what,
      format('%s reserved, %s open', coalesce(a.balance, 0), coalesce(o.amount, 0)) AS difference
    FROM (
      SELECT agent_id, sum(amount) AS amount
      FROM (${join(openAmounts, ' UNION ALL ')}) p
      GROUP BY agent_id
    ) o
    FULL JOIN (SELECT agent_id, balance FROM ledger_accounts WHERE purpose = 'reserved') a
      ON a.agent_id = o.agent_id
    WHERE coalesce(a.balance, 0) <> coalesce(o.amount, 0)
  `,
});
