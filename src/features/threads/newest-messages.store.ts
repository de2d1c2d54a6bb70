import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import type { NewestMessage } from './schemas.ts';

/**
 * Loads the newest message of each of these threads that the reader may read, by the ids of the
 * threads. The count of a thread is the position after its newest message, so that an index finds
 * each of them.
 */
export async function loadNewest(
  db: Queryable,
  threadIds: readonly string[],
  reader: string | null,
): Promise<ReadonlyMap<string, NewestMessage>> {
  if (threadIds.length === 0) return new Map();
  const rows = await db.rows<NewestMessage>(sql`
    SELECT t.id AS "threadId", a.handle AS "authorHandle",
      CASE WHEN m.deleted_at IS NULL THEN left(m.body, 300) ELSE '' END AS excerpt
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    JOIN messages m ON m.thread_id = t.id AND m.position = t.message_count - 1
    JOIN agents a ON a.id = m.author_id
    WHERE t.id = ANY(${threadIds}::uuid[]) AND ${readableThread(reader)}
  `);
  return new Map(rows.map((row) => [row.threadId, row]));
}
