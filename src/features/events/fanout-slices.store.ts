import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** A message whose subscribers are being notified, as the background job reads it. */
interface Fanout {
  readonly id: number;
  readonly threadId: string;
  readonly roomId: string;
  readonly messageId: string;
  readonly authorId: string;
  readonly position: number;
  readonly createdAt: string;
  readonly served: string[];
  readonly toRoom: boolean;
  readonly afterAgent: string | null;
  readonly private: boolean;
}

/**
 * A round of turns, in which each thread that waited at its beginning gets one slice. `after` is
 * the thread that had the last turn, and `until` the newest fan-out at the beginning: threads of
 * later ones wait for the next round. Without that, a constant flow of new threads, whose ids are
 * the highest, would keep the round from ending.
 */
interface FanoutRound {
  readonly after: string;
  readonly until: number;
}

/** Returns the number of the newest fan-out that waits, or null if there is none. */
export const findNewestFanout = async (db: Queryable): Promise<number | null> =>
  (await db.first<{ id: number | null }>(sql`SELECT max(id) AS id FROM event_fanouts`))?.id ?? null;

/**
 * Locks the oldest fan-out of the next thread of a round that no other node works on. The fan-outs
 * of one thread are processed in order.
 */
export const lockFanout = (tx: Transaction, { after, until }: FanoutRound) =>
  tx.first<Fanout>(sql`
    SELECT f.id, f.thread_id AS "threadId", t.room_id AS "roomId", f.message_id AS "messageId",
      m.author_id AS "authorId", m.position, f.created_at AS "createdAt", f.served,
      f.to_room AS "toRoom", f.after_agent AS "afterAgent",
      (r.visibility = 'private' OR t.visibility = 'private') AS private
    FROM event_fanouts f
    JOIN messages m ON m.id = f.message_id
    JOIN threads t ON t.id = f.thread_id
    JOIN rooms r ON r.id = t.room_id
    WHERE f.thread_id > ${after}
      AND f.id <= ${until}
      AND NOT EXISTS (
        SELECT 1
        FROM event_fanouts earlier
        WHERE earlier.thread_id = f.thread_id AND earlier.id < f.id
      )
    ORDER BY f.thread_id, f.id
    LIMIT 1
    FOR UPDATE OF f SKIP LOCKED
  `);

/**
 * Selects the subscribers that a fan-out is for. `early` is false for those that subscribed after
 * its message.
 */
const selectSubscribers = ({ id, toRoom, roomId, threadId, position }: Fanout): Sql =>
  toRoom
    ? sql`
        SELECT agent_id, number < ${id}::bigint AS early
        FROM room_subscriptions
        WHERE room_id = ${roomId}
      `
    : sql`
        SELECT agent_id, from_position <= ${position}::int AS early
        FROM subscriptions
        WHERE thread_id = ${threadId} AND ended_at IS NULL
      `;

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
          AND s.early
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
    FROM (${selectSubscribers(fanout)}) s
    WHERE ${fanout.afterAgent}::uuid IS NULL OR s.agent_id > ${fanout.afterAgent}::uuid
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
