import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { roleIn, type ThreadFacts } from '../../kernel/access.ts';

/**
 * The current state of a message that is the subject of receipts, with the facts that decide
 * whether a reader may see it. `deletedAt` is that of its thread.
 */
export interface MessageSubject extends ThreadFacts {
  readonly id: string;
  readonly threadId: string;
  readonly title: string;
  readonly position: number;
  readonly messageDeletedAt: string | null;
}

/** Lists these messages, including deleted ones. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<MessageSubject>(sql`
    SELECT m.id, t.id AS "threadId", t.room_id AS "roomId", r.visibility AS "roomVisibility",
      t.visibility, t.deleted_at AS "deletedAt", ${roleIn(reader)} AS role, t.title, m.position,
      m.deleted_at AS "messageDeletedAt"
    FROM messages m
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
    WHERE m.id = ANY(${ids}::uuid[])
  `);
