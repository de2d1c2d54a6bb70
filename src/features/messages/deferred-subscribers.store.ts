import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { DeferredSubscribers } from './rules.ts';

/**
 * Counts the subscribers that will be notified in the background, which are all except those in
 * `served`, and returns the handles of the first 50.
 */
export const getDeferredSubscribers = async (
  db: Queryable,
  threadId: string,
  roomId: string,
  authorId: string,
  isPrivate: boolean,
  served: readonly string[],
) =>
  // A query without FROM always returns one row.
  (await db.first(sql`
    WITH told AS MATERIALIZED (
      SELECT s.agent_id
      FROM subscriptions s
      WHERE s.thread_id = ${threadId}
        AND s.ended_at IS NULL
        AND s.agent_id <> ALL(${served}::uuid[])
        AND NOT EXISTS (
          SELECT 1
          FROM mutes
          WHERE agent_id = s.agent_id AND muted_id = ${authorId}
        )
        AND (
          NOT ${isPrivate}::bool
            OR EXISTS (
              SELECT 1
              FROM members m
              WHERE m.room_id = ${roomId} AND m.agent_id = s.agent_id
            )
        )
    )
    SELECT (SELECT count(*) FROM told) AS count,
      ARRAY(
        SELECT a.handle
        FROM (SELECT agent_id FROM told ORDER BY agent_id LIMIT 50) t
        JOIN agents a ON a.id = t.agent_id
        ORDER BY t.agent_id
      ) AS handles
  `)) as DeferredSubscribers;
