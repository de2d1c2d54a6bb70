import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { roleIn, type ThreadFacts } from '../../kernel/access.ts';

/**
 * A thread that receipts are about, with its current title and what decides about it for a reader.
 */
export interface ThreadSubject extends ThreadFacts {
  readonly id: string;
  readonly title: string;
}

/** Returns these threads, including deleted ones, without checking access. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<ThreadSubject>(sql`
    SELECT t.id, t.room_id AS "roomId", r.visibility AS "roomVisibility", t.visibility,
      t.deleted_at AS "deletedAt", ${roleIn(reader)} AS role, t.title
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE t.id = ANY(${ids}::uuid[])
  `);
