import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';

/** Events that one statement looks at. */
export const SCANNED_EVENTS = 500;

/** An event about a message that addresses the reader. The rest is null unless it is unread. */
export interface AddressedRow {
  readonly seq: number;
  readonly isReply: boolean;
  readonly unread: boolean;
  readonly messageId: string;
  readonly threadId: string;
  readonly title: string;
  readonly position: number;
  readonly authorHandle: string;
  /** The beginning of its body. */
  readonly start: string | null;
}

/**
 * Lists the newest replies and mentions of an agent that are older than the event `before`, with
 * whether it has read the message. It counts as read where the agent may not read it any more.
 */
export const listAddressed = (
  db: Queryable,
  agentId: string,
  before: number,
  startLength: number,
) =>
  db.rows<AddressedRow>(sql`
    SELECT e.seq, e.reasons & 1 > 0 AS "isReply", s.unread, m.id AS "messageId",
      t.id AS "threadId", t.title, m.position, a.handle AS "authorHandle",
      CASE WHEN s.unread THEN left(m.body, ${startLength}::int) END AS start
    FROM (
      SELECT seq, reasons, message_id
      FROM events
      WHERE agent_id = ${agentId} AND seq < ${before} AND reasons & 35 > 0 AND reasons & 3 > 0
      ORDER BY seq DESC
      LIMIT ${SCANNED_EVENTS}
    ) e
    JOIN messages m ON m.id = e.message_id
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
    JOIN agents a ON a.id = m.author_id
    LEFT JOIN read_marks k ON k.thread_id = t.id AND k.agent_id = ${agentId}
    CROSS JOIN LATERAL (
      SELECT m.deleted_at IS NULL AND m.position > coalesce(k.position, -1)
        AND ${readableThread(agentId)} AS unread
    ) s
    ORDER BY e.seq DESC
  `);
