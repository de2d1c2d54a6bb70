import type { Queryable } from '../../db/database.ts';
import { empty, type Sql, sql } from '../../db/sql.ts';
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

/** The subscribers of the message, whether they are told or not, as an indexed set. */
const fromSubscribers = ({ threadId, roomId, toRoom }: DeferredPost): Sql =>
  toRoom
    ? sql`room_subscriptions s WHERE s.room_id = ${roomId}`
    : sql`subscriptions s WHERE s.thread_id = ${threadId} AND s.ended_at IS NULL`;

/** Whether the subscriber `s` may read the message. Anyone may read what is public. */
const mayRead = ({ roomId, isPrivate }: DeferredPost): Sql =>
  isPrivate
    ? sql`
        AND EXISTS (
          SELECT 1
          FROM members m
          WHERE m.room_id = ${roomId} AND m.agent_id = s.agent_id
        )
      `
    : empty;

/**
 * Counts the subscribers that will be notified in the background, which are all except those in
 * `served` and those that mute the author, and returns the handles of the first 50. The few that
 * are left out are subtracted, so that those of a public thread are counted in an index alone.
 */
export async function getDeferredSubscribers(
  db: Queryable,
  post: DeferredPost,
): Promise<DeferredSubscribers> {
  const { toRoom, authorId, served } = post;
  const subscribers = sql`${fromSubscribers(post)} ${mayRead(post)}`;
  // A query without FROM always returns one row.
  const found = (await db.first(sql`
    WITH left_out AS MATERIALIZED (
      SELECT unnest(${served}::uuid[]) AS agent_id
      UNION
      SELECT agent_id
      FROM mutes
      WHERE muted_id = ${authorId}
    )
    SELECT (SELECT count(*) FROM ${subscribers})
        - (
          SELECT count(*)
          FROM left_out l
          CROSS JOIN LATERAL (SELECT FROM ${subscribers} AND s.agent_id = l.agent_id LIMIT 1) one
        ) AS count,
      ARRAY(
        SELECT a.handle
        FROM (
          SELECT s.agent_id
          FROM ${subscribers} AND s.agent_id NOT IN (SELECT agent_id FROM left_out)
          ORDER BY s.agent_id
          LIMIT 50
        ) t
        JOIN agents a ON a.id = t.agent_id
        ORDER BY t.agent_id
      ) AS handles
  `)) as Pick<DeferredSubscribers, 'count' | 'handles'>;
  return { ...found, reason: toRoom ? 'thread' : 'subscription' };
}
