import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import type { ContentContext } from '../../kernel/operation/content-operation.ts';
import { isTimeout } from '../../kernel/pipeline/reads/is-timeout.ts';
import type { Unread } from './read-mark.schemas.ts';

/** The newest threads of followed rooms that are looked at. */
const MAX_NEW_THREADS = 500;

/**
 * Selects the threads that an agent follows, and new ones of rooms that it follows, with the
 * position from which they are unread without a mark. `among` narrows them to some ids.
 */
function selectFollowed(agentId: string, among: readonly string[] | null): Sql {
  const isAmong = (id: Sql) => (among === null ? sql`true` : sql`${id} = ANY(${among}::uuid[])`);
  return sql`
    SELECT thread_id, from_position
    FROM subscriptions
    WHERE agent_id = ${agentId} AND ended_at IS NULL AND ${isAmong(sql`thread_id`)}
    UNION ALL
    SELECT DISTINCT m.thread_id, 0
    FROM (
      SELECT message_id
      FROM events
      WHERE agent_id = ${agentId} AND reasons & 32 > 0
      ORDER BY seq DESC
      LIMIT ${MAX_NEW_THREADS}
    ) e
    JOIN messages m ON m.id = e.message_id
    WHERE ${isAmong(sql`m.thread_id`)}
      AND NOT EXISTS (
        SELECT 1
        FROM subscriptions s
        WHERE s.thread_id = m.thread_id AND s.agent_id = ${agentId}
      )
  `;
}

/**
 * Selects the threads that an agent follows and that have messages of others after its mark, with
 * the first of those messages and their number. Catching up and pages count by this one statement.
 * Its cost grows with the threads, not with their messages.
 */
export const selectUnread = (agentId: string, among: readonly string[] | null): Sql => sql`
  SELECT t.id, t.title, t.summary, f.id AS first_id, f.position,
    t.message_count - f.position - own.count - deleted.count AS unread
  FROM (${selectFollowed(agentId, among)}) w
  JOIN threads t ON t.id = w.thread_id
  JOIN rooms r ON r.id = t.room_id
  LEFT JOIN read_marks k ON k.thread_id = t.id AND k.agent_id = ${agentId}
  CROSS JOIN LATERAL (
    SELECT m.id, m.position
    FROM messages m
    WHERE m.thread_id = t.id AND m.position >= coalesce(k.position + 1, w.from_position)
      AND m.position < t.message_count
      AND m.author_id <> ${agentId} AND m.deleted_at IS NULL
    ORDER BY m.position
    LIMIT 1
  ) f
  CROSS JOIN LATERAL (
    SELECT count(*)
    FROM messages m
    WHERE m.thread_id = t.id AND m.author_id = ${agentId} AND m.position > f.position
  ) own
  CROSS JOIN LATERAL (
    SELECT count(*)
    FROM messages m
    WHERE m.thread_id = t.id AND m.position > f.position AND m.deleted_at IS NOT NULL
      AND m.author_id <> ${agentId}
  ) deleted
  WHERE t.message_count > coalesce(k.position + 1, w.from_position)
    AND ${readableThread(agentId)}
`;

/** How many milliseconds a page waits for what its reader has not read. */
const UNREAD_MS = 1_000;

/**
 * Returns what an agent has not read of those of these threads that it follows, by their ids, for
 * a page that has its turn already.
 */
export async function readUnread(
  db: Queryable,
  agentId: string,
  threadIds: readonly string[],
): Promise<ReadonlyMap<string, Unread>> {
  if (threadIds.length === 0) return new Map();
  const rows = await db.rows<Unread & { readonly id: string }>(sql`
    SELECT u.id, u.unread AS count, u.first_id AS "firstId", u.position
    FROM (${selectUnread(agentId, threadIds)}) u
  `);
  return new Map(rows.map(({ id, ...unread }) => [id, unread]));
}

/**
 * Returns the same in turn with lists, because it walks what the agent has posted itself. Where
 * that takes too long, a page does without.
 */
export const listUnread = (
  { runLongRead }: Pick<ContentContext, 'runLongRead'>,
  agentId: string,
  threadIds: readonly string[],
): Promise<ReadonlyMap<string, Unread> | undefined> =>
  runLongRead(UNREAD_MS, (db) => readUnread(db, agentId, threadIds), 'lists').catch(
    (error: unknown) => {
      if (isTimeout(error)) return undefined;
      throw error;
    },
  );
