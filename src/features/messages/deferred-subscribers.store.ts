import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { DeferredSubscribers } from './rules.ts';

/** A message of which not all subscribers are notified at once. */
interface DeferredPost {
  readonly threadId: string;
  readonly roomId: string;
  /** Whether its subscribers are those of the room: it starts a thread. */
  readonly toRoom: boolean;
  readonly authorId: string;
  readonly isPrivate: boolean;
  /** Its author, and the agents that are notified at once. */
  readonly served: readonly string[];
}

const selectSubscribers = ({ threadId, roomId, toRoom }: DeferredPost): Sql =>
  toRoom
    ? sql`SELECT agent_id FROM room_subscriptions WHERE room_id = ${roomId}`
    : sql`SELECT agent_id FROM subscriptions WHERE thread_id = ${threadId} AND ended_at IS NULL`;

/**
 * Counts the subscribers that will be notified in the background, which are all except those in
 * `served`, and returns the handles of the first 50.
 */
export async function getDeferredSubscribers(
  db: Queryable,
  post: DeferredPost,
): Promise<DeferredSubscribers> {
  const { roomId, toRoom, authorId, isPrivate, served } = post;
  // A query without FROM always returns one row.
  const found = (await db.first(sql`
    WITH told AS MATERIALIZED (
      SELECT s.agent_id
      FROM (${selectSubscribers(post)}) s
      WHERE s.agent_id <> ALL(${served}::uuid[])
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
  `)) as Pick<DeferredSubscribers, 'count' | 'handles'>;
  return { ...found, reason: toRoom ? 'thread' : 'subscription' };
}
