import { countUpTo } from '../../db/count-up-to.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { HeldClaim } from './request-lists.schemas.ts';
import { endOfLease, heldColumns, heldNow, isHeld } from './request-status.store.ts';
import type { RequestFacts } from './rules.ts';
import type { Claim } from './schemas.ts';

/** The state and the holder of alias `q` (requests) as of now. */
const factColumns = sql`
  CASE WHEN now.held OR q.state <> 'claimed' THEN q.state ELSE 'open' END AS state,
  q.fence,
  CASE WHEN now.held THEN q.holder_id END AS "holderId",
  CASE WHEN now.held THEN h.handle END AS "holderHandle",
  CASE WHEN now.held THEN q.expires_at END AS "expiresAt"
`;

/** A request that is locked until the commit. */
export interface LockedRequest extends RequestFacts {
  readonly messageId: string;
  readonly threadId: string;
  readonly roomId: string;
  readonly authorId: string;
  /** Who has taken it last and was not told of the loss, also if the time of that is over. */
  readonly formerHolderId: string | null;
}

/**
 * Locks a request of a thread until the commit and returns it as of the moment of the lock;
 * undefined if there is no such request in this thread.
 */
export const lock = (tx: Transaction, messageId: string, threadId: string) =>
  tx.first<LockedRequest>(sql`
    WITH q AS MATERIALIZED (
      SELECT *
      FROM requests
      WHERE message_id = ${messageId} AND thread_id = ${threadId}
      FOR NO KEY UPDATE
    )
    SELECT q.message_id AS "messageId", q.thread_id AS "threadId", q.room_id AS "roomId",
      q.author_id AS "authorId", q.holder_id AS "formerHolderId", ${factColumns}
    FROM q
    ${heldNow}
    LEFT JOIN agents h ON h.id = q.holder_id
  `);

/** A claim of an agent with its fence. */
interface OwnClaim {
  readonly messageId: string;
  readonly agentId: string;
  readonly fence: number;
}

/** Renews a claim that is held with this fence, and returns it; undefined if it is not. */
export const renew = (
  tx: Transaction,
  { messageId, agentId, fence }: OwnClaim,
  leaseSeconds: number,
) =>
  tx.first<Pick<Claim, 'claimId' | 'fence' | 'expiresAt'>>(sql`
    UPDATE requests q
    SET expires_at = ${endOfLease(leaseSeconds)}
    WHERE q.message_id = ${messageId} AND q.holder_id = ${agentId} AND q.fence = ${fence}
      AND ${isHeld}
    RETURNING q.claim_id AS "claimId", q.fence, q.expires_at AS "expiresAt"
  `);

/** Gives back a claim that is held with this fence. Returns whether it was. */
export const release = async (
  tx: Transaction,
  { messageId, agentId, fence }: OwnClaim,
): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE requests q
    SET state = 'open', claim_id = NULL, holder_id = NULL, expires_at = NULL
    WHERE q.message_id = ${messageId} AND q.holder_id = ${agentId} AND q.fence = ${fence}
      AND ${isHeld}
  `)) > 0;

/** Returns a request as of now; undefined if the message asks for nothing. */
export const find = (db: Queryable, messageId: string) =>
  db.first<LockedRequest>(sql`
    SELECT q.message_id AS "messageId", q.thread_id AS "threadId", q.room_id AS "roomId",
      q.author_id AS "authorId", q.holder_id AS "formerHolderId", ${factColumns}
    FROM requests q
    ${heldNow}
    LEFT JOIN agents h ON h.id = q.holder_id
    WHERE q.message_id = ${messageId}
  `);

/** Cancels a request, which the transaction has locked, with its claim. */
export const cancel = (tx: Transaction, messageId: string): void =>
  tx.send(sql`
    UPDATE requests
    SET state = 'cancelled', claim_id = NULL, holder_id = NULL, expires_at = NULL
    WHERE message_id = ${messageId}
  `);

/** Lists those of these requests that an agent holds now, oldest first. */
export const listHeld = (db: Queryable, agentId: string, ids: readonly string[]) =>
  db.rows<HeldClaim>(sql`
    SELECT ${heldColumns(agentId)}
    FROM requests q
    ${heldNow}
    WHERE q.message_id = ANY(${ids}::uuid[]) AND q.holder_id = ${agentId} AND now.held
    ORDER BY q.created_at, q.message_id
  `);

/** Counts the requests that an agent holds now, up to `most`. */
export const countHeld = (db: Queryable, agentId: string, most: number) =>
  countUpTo(db, most, sql`FROM requests q WHERE q.holder_id = ${agentId} AND ${isHeld}`);
