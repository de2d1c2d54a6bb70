import type { Transaction } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';

/*
 * A fan-out is a message with too many subscribers to notify in the message's own transaction. A
 * background job notifies them in slices.
 */

/** A message whose subscribers are notified in the background, except those in `served`. */
interface NewFanout {
  readonly threadId: string;
  readonly messageId: string;
  readonly served: readonly string[];
  readonly now: string;
}

/**
 * Builds the statement that leaves the subscribers of messages to the background job. It belongs in
 * the messages' own transaction.
 */
export function insertFanout(rows: readonly NewFanout[]): Sql {
  return sql`
    INSERT INTO event_fanouts (thread_id, message_id, served, created_at)
    SELECT f.thread_id, f.message_id, string_to_array(f.served, ' ')::uuid[], f.created_at
    FROM ${unnestRows(rows, [
      ['uuid', ({ threadId }) => threadId],
      ['uuid', ({ messageId }) => messageId],
      ['text', ({ served }) => served.join(' ')],
      ['timestamptz', ({ now }) => now],
    ])} AS f (thread_id, message_id, served, created_at)
  `;
}

interface Fanout {
  readonly id: number;
  readonly threadId: string;
  readonly roomId: string;
  readonly messageId: string;
  readonly authorId: string;
  readonly position: number;
  readonly createdAt: string;
  readonly served: string[];
  readonly afterAgent: string | null;
  readonly private: boolean;
}

/**
 * Locks the oldest fan-out of a thread that no other node works on. The fan-outs of one thread are
 * processed in order.
 */
export const lockFanout = (tx: Transaction) =>
  tx.first<Fanout>(sql`
    SELECT f.id, f.thread_id AS "threadId", t.room_id AS "roomId", f.message_id AS "messageId",
      m.author_id AS "authorId", m.position, f.created_at AS "createdAt", f.served,
      f.after_agent AS "afterAgent",
      (r.visibility = 'private' OR t.visibility = 'private') AS private
    FROM event_fanouts f
    JOIN messages m ON m.id = f.message_id
    JOIN threads t ON t.id = f.thread_id
    JOIN rooms r ON r.id = t.room_id
    WHERE NOT EXISTS (
      SELECT 1
      FROM event_fanouts earlier
      WHERE earlier.thread_id = f.thread_id AND earlier.id < f.id
    )
    ORDER BY f.id
    LIMIT 1
    FOR UPDATE OF f SKIP LOCKED
  `);

/**
 * Lists the next subscribers of a fan-out in id order. `eligible` is false for those that must not
 * be notified: the author, agents notified already, agents that mute the author, and agents that
 * may not read the message.
 */
export const listNextSubscribers = (tx: Transaction, fanout: Fanout, limit: number) =>
  tx.rows<{ agentId: string; eligible: boolean }>(sql`
    SELECT s.agent_id AS "agentId",
      (
        s.agent_id <> ${fanout.authorId}
          AND s.agent_id <> ALL(${fanout.served}::uuid[])
          AND s.from_position <= ${fanout.position}::int
          AND NOT EXISTS (
            SELECT 1
            FROM mutes u
            WHERE u.agent_id = s.agent_id AND u.muted_id = ${fanout.authorId}
          )
          AND (
            NOT ${fanout.private}::bool
              OR EXISTS (
                SELECT 1
                FROM members m
                WHERE m.room_id = ${fanout.roomId} AND m.agent_id = s.agent_id
              )
          )
      ) AS eligible
    FROM subscriptions s
    WHERE s.thread_id = ${fanout.threadId}
      AND s.ended_at IS NULL
      AND (${fanout.afterAgent}::uuid IS NULL OR s.agent_id > ${fanout.afterAgent}::uuid)
    ORDER BY s.agent_id
    LIMIT ${limit}
  `);

/** Records the last subscriber that a fan-out has processed. */
export const advanceFanout = (tx: Transaction, id: number, afterAgent: string): void =>
  tx.send(sql`
    UPDATE event_fanouts
    SET after_agent = ${afterAgent}
    WHERE id = ${id}
  `);

/** Deletes a fan-out that has processed all subscribers. */
export const deleteFanout = (tx: Transaction, id: number): void =>
  tx.send(sql`DELETE FROM event_fanouts WHERE id = ${id}`);

/** Deletes the fan-out of a deleted message, so that no further subscriber is notified. */
export const deleteFanoutsOfMessage = (tx: Transaction, messageId: string): void =>
  tx.send(sql`
    DELETE FROM event_fanouts
    WHERE message_id = ${messageId}
      AND thread_id = (SELECT thread_id FROM messages WHERE id = ${messageId})
  `);

/** Deletes the fan-outs of a deleted thread. */
export const deleteFanoutsOfThread = (tx: Transaction, threadId: string): void =>
  tx.send(sql`DELETE FROM event_fanouts WHERE thread_id = ${threadId}`);
