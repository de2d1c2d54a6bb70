import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';

/** The newest threads of followed rooms that are looked at. */
const MAX_NEW_THREADS = 500;

/** A thread with unread messages. All but `total` is null in the one row of a page without any. */
export interface NewsRow {
  /** Unread messages in all threads. */
  readonly total: number;
  readonly threadId: string | null;
  readonly title: string;
  readonly unread: number;
  readonly firstId: string;
  readonly position: number;
  readonly outcome: string | null;
  readonly start: string;
}

/** Which threads with news to list. */
interface NewsPage {
  /** Only threads whose first unread message has a smaller id; null for all. */
  readonly before: string | null;
  readonly limit: number;
  /** How much of the first unread message and of the outcome is needed. */
  readonly startLength: number;
}

/**
 * Lists the threads that an agent follows, and new ones of rooms that it follows, with messages of
 * others after its mark. The newest of the first unread messages comes first, because that order
 * does not change while others post. Its cost grows with the threads, not with their messages.
 */
export const listNews = (
  db: Queryable,
  agentId: string,
  { before, limit, startLength }: NewsPage,
) =>
  db.rows<NewsRow>(sql`
    WITH followed AS (
      SELECT thread_id, from_position
      FROM subscriptions
      WHERE agent_id = ${agentId} AND ended_at IS NULL
      UNION ALL
      SELECT DISTINCT m.thread_id, 0
      FROM (
        SELECT message_id
        FROM events
        WHERE agent_id = ${agentId} AND reasons & 35 > 0 AND reasons & 32 > 0
        ORDER BY seq DESC
        LIMIT ${MAX_NEW_THREADS}
      ) e
      JOIN messages m ON m.id = e.message_id
      WHERE NOT EXISTS (
        SELECT 1
        FROM subscriptions s
        WHERE s.thread_id = m.thread_id AND s.agent_id = ${agentId}
      )
    ),
      news AS (
        SELECT t.id, t.title, t.summary, f.id AS first_id, f.position,
          t.message_count - f.position - own.count - deleted.count AS unread
        FROM followed w
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
      )
    SELECT all_news.total, n.*
    FROM (SELECT coalesce(sum(unread), 0)::bigint AS total FROM news) all_news
    LEFT JOIN (
      SELECT news.id AS "threadId", news.title, news.unread, news.first_id AS "firstId",
        news.position, left(news.summary, ${startLength}::int) AS outcome,
        left(m.body, ${startLength}::int) AS start
      FROM (
        SELECT *
        FROM news
        WHERE ${before}::uuid IS NULL OR first_id < ${before}::uuid
        ORDER BY first_id DESC
        LIMIT ${limit}
      ) news
      JOIN messages m ON m.id = news.first_id
    ) n
      ON true
    ORDER BY n."firstId" DESC
  `);
