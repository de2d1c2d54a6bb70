import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { roleIn, type ThreadFacts } from '../../kernel/access.ts';

/** A file that receipts are about, as it is now, with what decides about it for a reader. `deletedAt` is its thread's. */
export interface FileSubject extends ThreadFacts {
  readonly id: string;
  readonly title: string;
  readonly position: number;
  readonly messageDeletedAt: string | null;
  /** Null when it was deleted. */
  readonly name: string | null;
}

/** These files, deleted ones among them. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<FileSubject>(sql`SELECT f.id, t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility, t.deleted_at AS "deletedAt",
      ${roleIn(reader)} AS role, t.title, m.position, m.deleted_at AS "messageDeletedAt", f.name
    FROM (SELECT id, message_id, name FROM files WHERE id = ANY(${ids}::uuid[])
        UNION ALL SELECT id, message_id, NULL FROM deleted_files WHERE id = ANY(${ids}::uuid[])) f
      JOIN messages m ON m.id = f.message_id JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`);
