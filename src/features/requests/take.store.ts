import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { endOfLease, isFree } from './request-status.store.ts';
import type { RequestFacts } from './rules.ts';

/** Who wants to take a request, and for how many seconds. */
export interface Taker {
  readonly claimId: string;
  readonly agentId: string;
  readonly leaseSeconds: number;
}

/** A request after somebody tried to take it. */
export interface TakenRequest extends RequestFacts {
  readonly roomId: string;
  /** Whether the caller took it. */
  readonly taken: boolean;
  /** Who held it when its time ran out, and was not told yet; null if nobody did. */
  readonly formerHolderId: string | null;
}

/**
 * Takes a request if it is free and the taker is a member of its room; undefined if the message
 * asks for nothing. One statement decides by the clock of the database. A removal waits for it, or
 * it for the removal.
 */
export const take = (
  tx: Transaction,
  messageId: string,
  { claimId, agentId, leaseSeconds }: Taker,
) =>
  tx.first<TakenRequest>(sql`
    WITH member AS MATERIALIZED (
      SELECT 1
      FROM members
      WHERE agent_id = ${agentId}
        AND room_id = (SELECT room_id FROM requests WHERE message_id = ${messageId})
      FOR SHARE
    ),
      q AS MATERIALIZED (
        SELECT *
        FROM requests
        WHERE message_id = ${messageId} AND EXISTS (SELECT 1 FROM member)
        FOR NO KEY UPDATE
      ),
      free AS MATERIALIZED (SELECT ${isFree} AS yes FROM q),
      taken AS (
        UPDATE requests r
        SET state = 'claimed', fence = r.fence + 1, claim_id = ${claimId}, holder_id = ${agentId},
          expires_at = ${endOfLease(leaseSeconds)}
        FROM q
        WHERE r.message_id = q.message_id AND (SELECT yes FROM free)
        RETURNING r.fence, r.expires_at
      )
    SELECT t.fence IS NOT NULL AS taken, q.room_id AS "roomId",
      CASE WHEN free.yes THEN 'open' ELSE q.state END AS state,
      coalesce(t.fence, q.fence) AS fence, coalesce(t.expires_at, q.expires_at) AS "expiresAt",
      q.holder_id AS "holderId", h.handle AS "holderHandle",
      CASE WHEN free.yes THEN q.holder_id END AS "formerHolderId"
    FROM q
    CROSS JOIN free
    LEFT JOIN taken t ON true
    LEFT JOIN agents h ON h.id = q.holder_id
  `);
