import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { selectUnread } from './unread.store.ts';

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
    WITH news AS (${selectUnread(agentId, null)})
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
