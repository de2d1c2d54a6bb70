import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { roleIn, type ThreadFacts } from '../../kernel/access.ts';

/**
 * The current state of a file that receipts are about, with the facts that decide whether a reader
 * may read it. `deletedAt` is the time when its thread was deleted.
 */
export interface FileSubject extends ThreadFacts {
  readonly id: string;
  readonly title: string;
  readonly position: number;
  readonly messageDeletedAt: string | null;
  /** Null when the file was deleted. */
  readonly name: string | null;
}

/** Lists files by id, including deleted ones. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<FileSubject>(sql`
    SELECT f.id, t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility,
      t.deleted_at AS "deletedAt", ${roleIn(reader)} AS role, t.title, m.position,
      m.deleted_at AS "messageDeletedAt", f.name
    FROM (
      SELECT id, message_id, name
      FROM files
      WHERE id = ANY(${ids}::uuid[])
      UNION ALL
      SELECT id, message_id, NULL
      FROM deleted_files
      WHERE id = ANY(${ids}::uuid[])
    ) f
    JOIN messages m ON m.id = f.message_id
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
  `);
