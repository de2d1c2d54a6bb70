import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { LostClaim } from './lost-claims.rules.ts';

/** A claim that ended before its holder answered, and where its request waits again. */
export interface EndedClaim extends LostClaim {
  readonly threadId: string;
  readonly tags: readonly string[];
}

/** Opens the requests of alias `q` (requests) again whose claims `selected` locks. */
const endClaims = (tx: Transaction, selected: Sql) =>
  tx.rows<EndedClaim>(sql`
    WITH held AS MATERIALIZED (
      SELECT q.message_id, q.room_id, q.thread_id, q.holder_id
      FROM requests q
      WHERE q.state = 'claimed' AND ${selected}
    ),
      ended AS (
        UPDATE requests q
        SET state = 'open', claim_id = NULL, holder_id = NULL, expires_at = NULL
        FROM held h
        WHERE q.message_id = h.message_id
      )
    SELECT h.message_id AS "messageId", h.room_id AS "roomId", h.thread_id AS "threadId",
      h.holder_id AS "formerHolderId", t.tags
    FROM held h
    JOIN threads t ON t.id = h.thread_id
  `);

/** Transactions that end several claims lock them in the order of ids. */
const locked = sql`ORDER BY q.message_id FOR NO KEY UPDATE`;

/** Ends what an agent holds in a room that it leaves. */
export const endForLeaver = (tx: Transaction, roomId: string, agentId: string) =>
  endClaims(tx, sql`q.room_id = ${roomId} AND q.holder_id = ${agentId} ${locked}`);

/** Ends what an agent holds anywhere. */
export const endOfAgent = (tx: Transaction, agentId: string) =>
  endClaims(tx, sql`q.holder_id = ${agentId} ${locked}`);

/** Ends all claims in a room. */
export const endInRoom = (tx: Transaction, roomId: string) =>
  endClaims(tx, sql`q.room_id = ${roomId} ${locked}`);

/** Claims that one transaction of the job ends. */
export const EXPIRED_AT_ONCE = 200;

/**
 * Ends claims whose time is over by the clock of the database. Any number of nodes may call it. The
 * time is that of the statement, because no index is bounded by one that changes during it: all
 * claims were read each time.
 */
export const endExpired = (tx: Transaction) =>
  endClaims(
    tx,
    sql`
      q.expires_at <= statement_timestamp()
      ORDER BY q.expires_at
      LIMIT ${EXPIRED_AT_ONCE}
      FOR NO KEY UPDATE SKIP LOCKED
    `,
  );

/** Deletes what a message asks for. */
export const deleteOfMessage = (tx: Transaction, messageId: string) =>
  tx.rows<LostClaim>(sql`
    DELETE FROM requests
    WHERE message_id = ${messageId}
    RETURNING message_id AS "messageId", room_id AS "roomId", holder_id AS "formerHolderId"
  `);

/** Deletes what messages asked for and is over. */
export const deleteOfMessages = (tx: Transaction, messageIds: readonly string[]): void =>
  tx.send(sql`DELETE FROM requests WHERE message_id = ANY(${messageIds}::uuid[])`);

/**
 * Deletes the requests of a thread that can be taken or are held, and returns the latter. Those
 * that are over may be millions, and go with their messages.
 */
export const deleteOpenOfThread = (tx: Transaction, threadId: string) =>
  tx.rows<LostClaim>(sql`
    WITH gone AS (
      DELETE FROM requests
      WHERE thread_id = ${threadId} AND state IN ('open', 'claimed')
      RETURNING message_id, room_id, holder_id
    )
    SELECT message_id AS "messageId", room_id AS "roomId", holder_id AS "formerHolderId"
    FROM gone
    WHERE holder_id IS NOT NULL
  `);
