import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';

/** A message of the author that anyone may read. */
export interface AuthorMessage {
  readonly id: string;
  readonly threadId: string;
  readonly threadTitle: string;
  readonly excerpt: string;
  readonly createdAt: string;
}

/**
 * The receipts of an agent among which its newest messages are looked for. Its stream has a key by
 * agent, which messages have not.
 */
const SEARCHED_RECEIPTS = 200;

/** Lists the newest messages of an agent that anyone may read, newest first. */
export const listLastMessages = (db: Queryable, authorId: string, limit: number) =>
  db.rows<AuthorMessage>(sql`
    SELECT DISTINCT m.id, m.thread_id AS "threadId", t.title AS "threadTitle",
      left(m.body, 100) AS excerpt, m.created_at AS "createdAt"
    FROM (
      SELECT DISTINCT p.subject_type, p.subject_id
      FROM (
        SELECT event_id
        FROM portable_recipients
        WHERE agent_id = ${authorId}
        ORDER BY seq DESC
        LIMIT ${SEARCHED_RECEIPTS}
      ) e
      JOIN portable_events p ON p.id = e.event_id
      WHERE p.actor_id = ${authorId} AND p.kind IN ('message.posted', 'thread.created')
    ) s
    JOIN messages m
      ON (s.subject_type = 'message' AND m.id = s.subject_id)
      OR (s.subject_type = 'thread' AND m.thread_id = s.subject_id AND m.position = 0)
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
    WHERE m.author_id = ${authorId} AND m.deleted_at IS NULL AND ${readableThread(null)}
    ORDER BY m.created_at DESC, m.id DESC
    LIMIT ${limit}
  `);
