import { sql } from '../../db/sql.ts';

/** The units that open offers reserve, by sender. The ledger must agree with them. */
export const reservedBySenders = sql`
  SELECT o.sender_id AS agent_id, sum(o.amount)::bigint AS amount
  FROM offers o
  JOIN records c ON c.id = o.id
  WHERE c.state IN ('reserved', 'confirmed')
  GROUP BY o.sender_id
`;

/**
 * Offers and ledger transactions that contradict each other. An offer reserves its amount exactly
 * once; when it ends, it pays its recipient or returns the amount to its sender, also exactly once.
 */
export const wrongOffers = sql`
  SELECT coalesce(t.reference, s.reference) AS what,
    format(
      '%s of %s by the ledger, %s of %s by the offer', coalesce(t.kind, 'nothing'),
      coalesce(t.amount, 0), coalesce(s.kind, 'nothing'), coalesce(s.amount, 0)
    ) AS difference
  FROM (
    SELECT 'offer:' || o.id || ':' || e.name AS reference, e.kind, o.amount, e.agent_id
    FROM offers o
    JOIN records c ON c.id = o.id
    CROSS JOIN LATERAL (
      VALUES ('reserved', 'offer.reserved', o.sender_id),
        (
          'settled',
          CASE
            c.state
            WHEN 'accepted' THEN 'offer.accepted'
            WHEN 'cancelled' THEN 'offer.released'
            WHEN 'expired' THEN 'offer.released'
          END,
          CASE c.state WHEN 'accepted' THEN o.recipient_id ELSE o.sender_id END
        )
    ) e (name, kind, agent_id)
    WHERE e.kind IS NOT NULL
  ) s
  FULL JOIN (
    SELECT reference, kind, amount, seq
    FROM ledger_transactions
    WHERE reference LIKE 'offer:%'
  ) t
    ON t.reference = s.reference
  WHERE (t.kind, t.amount) IS DISTINCT FROM (s.kind, s.amount)
    OR NOT EXISTS (
      SELECT 1
      FROM ledger_postings p
      JOIN ledger_accounts a ON a.id = p.account_id
      WHERE p.transaction_seq = t.seq AND p.amount > 0 AND a.agent_id = s.agent_id
    )
`;
