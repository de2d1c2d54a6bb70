import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { reasonBits } from '../../kernel/effects.ts';

/** Stands for the authors that an earlier version of the service did not store. It sorts last. */
const UNKNOWN_AUTHOR = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the next author, in the order of ids, whose fan-outs wait, or null if there is none. */
export const findNextAuthor = async (db: Queryable, after: string): Promise<string | null> =>
  (
    await db.first<{ id: string }>(sql`
      (
        SELECT author_id AS id
        FROM event_fanouts
        WHERE author_id > ${after}
        ORDER BY author_id
        LIMIT 1
      )
      UNION ALL
      (
        SELECT ${UNKNOWN_AUTHOR}::uuid
        FROM event_fanouts
        WHERE author_id IS NULL AND ${UNKNOWN_AUTHOR}::uuid > ${after}
        LIMIT 1
      )
      ORDER BY id
      LIMIT 1
    `)
  )?.id ?? null;

/** A turn of an author, in a round in which these threads have had theirs. */
interface Turn {
  readonly authorId: string;
  readonly served: readonly string[];
}

/** Subscribers that were notified of a message of a thread. */
interface Slice {
  readonly threadId: string;
  readonly notified: readonly string[];
}

/**
 * Locks the fan-out that an author's turn is for, of those that no other node works on. The
 * fan-outs of one thread are processed in order, so it is the oldest one of a thread: the author's
 * own, or else that of somebody else whom the author waits for.
 */
const lockFanout = ({ authorId, served }: Turn): Sql => sql`
  SELECT f.*, t.room_id, m.author_id AS actor_id, m.position,
    (r.visibility = 'private' OR t.visibility = 'private') AS private
  FROM event_fanouts own
  JOIN event_fanouts f
    ON f.thread_id = own.thread_id
      AND f.id = (SELECT min(id) FROM event_fanouts WHERE thread_id = own.thread_id)
  JOIN messages m ON m.id = f.message_id
  JOIN threads t ON t.id = f.thread_id
  JOIN rooms r ON r.id = t.room_id
  WHERE own.thread_id <> ALL (${served}::uuid[])
    AND (
      own.author_id = ${authorId}
      OR (own.author_id IS NULL AND ${authorId}::uuid = ${UNKNOWN_AUTHOR})
    )
  ORDER BY f.id < own.id, own.id
  LIMIT 1
  FOR UPDATE OF f SKIP LOCKED
`;

/**
 * Selects the next subscribers of the fan-out `f`, of the thread or of its room, in the order of
 * their ids. `early` is false for those that subscribed after the message.
 */
const selectSubscribers = (limit: number): Sql => sql`
  (
    SELECT agent_id, from_position <= f.position AS early
    FROM subscriptions
    WHERE NOT f.to_room
      AND thread_id = f.thread_id
      AND ended_at IS NULL
      AND (f.after_agent IS NULL OR agent_id > f.after_agent)
    ORDER BY agent_id
    LIMIT ${limit}
  )
  UNION ALL
  (
    SELECT agent_id, number < f.id
    FROM room_subscriptions
    WHERE f.to_room
      AND room_id = f.room_id
      AND (f.after_agent IS NULL OR agent_id > f.after_agent)
    ORDER BY agent_id
    LIMIT ${limit}
  )
`;

/**
 * Whether the fan-out `f` has to notify the subscriber `s`: neither the author nor somebody who was
 * notified already, mutes the author, or may not read the message.
 */
const isEligible = sql`
  s.early
    AND s.agent_id <> f.actor_id
    AND s.agent_id <> ALL(f.served)
    AND NOT EXISTS (
      SELECT 1
      FROM mutes u
      WHERE u.agent_id = s.agent_id AND u.muted_id = f.actor_id
    )
    AND (
      NOT f.private
        OR EXISTS (
          SELECT 1
          FROM members m
          WHERE m.room_id = f.room_id AND m.agent_id = s.agent_id
        )
    )
`;

/**
 * Notifies up to `limit` further subscribers of the fan-out that an author's turn is for, and
 * returns their ids, or undefined if other nodes work on all of these or their threads have had
 * their turns. It is one statement, so the streams of the subscribers are not locked while the
 * process is busy with something else. They are locked in the order of ids, as everywhere.
 */
export const notifySlice = (db: Queryable, turn: Turn, limit: number) =>
  db.first<Slice>(sql`
    WITH f AS MATERIALIZED (${lockFanout(turn)}),
      slice AS MATERIALIZED (
        SELECT s.agent_id, ${isEligible} AS eligible
        FROM f
        CROSS JOIN LATERAL (${selectSubscribers(limit)}) s
      ),
      locked AS MATERIALIZED (
        SELECT agent_id
        FROM event_heads
        WHERE agent_id = ANY(ARRAY(SELECT agent_id FROM slice WHERE eligible))
        ORDER BY agent_id
        FOR NO KEY UPDATE
      ),
      heads AS (
        UPDATE event_heads h
        SET head = h.head + 1
        FROM locked l
        WHERE h.agent_id = l.agent_id
          AND h.agent_id = ANY(ARRAY(SELECT agent_id FROM slice WHERE eligible))
        RETURNING h.agent_id, h.head
      ),
      told AS (
        INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
        SELECT h.agent_id, h.head,
          CASE
            WHEN f.to_room THEN ${reasonBits.thread}::int
            ELSE ${reasonBits.subscription}::int
          END,
          f.room_id, f.message_id, f.actor_id, f.created_at
        FROM heads h
        CROSS JOIN f
      ),
      ended AS (
        DELETE FROM event_fanouts
        WHERE id = (SELECT id FROM f) AND (SELECT count(*) FROM slice) < ${limit}::int
      ),
      advanced AS (
        UPDATE event_fanouts
        SET after_agent = (SELECT agent_id FROM slice ORDER BY agent_id DESC LIMIT 1)
        WHERE id = (SELECT id FROM f) AND (SELECT count(*) FROM slice) >= ${limit}::int
      )
    SELECT f.thread_id AS "threadId", ARRAY(SELECT agent_id FROM heads) AS notified
    FROM f
  `);
