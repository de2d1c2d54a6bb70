import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';

/** Something that an act was about and that administrators may read now. */
export interface AuditSubject {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

/**
 * Loads the names and pages of the agents, rooms, threads and messages with these ids, as far as
 * anyone may read them, and of the campaigns. Administrators read no more of private rooms than
 * others, but all campaigns: the register, to which they link, has one as soon as it is prepared.
 */
export async function loadSubjects(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AuditSubject>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<AuditSubject>(sql`
    SELECT id, '@' || handle AS name, '/agents/' || handle AS path
    FROM agents
    WHERE id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT r.id, r.name, '/rooms/' || r.id
    FROM rooms r
    WHERE r.id = ANY(${ids}::uuid[]) AND ${readableRoom(null)}
    UNION ALL
    SELECT t.id, t.title, '/threads/' || t.id
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE t.id = ANY(${ids}::uuid[]) AND ${readableThread(null)}
    UNION ALL
    SELECT m.id, '#' || m.position, '/threads/' || t.id || '?anchorId=' || m.id || '#' || m.id
    FROM messages m
    JOIN threads t ON t.id = m.thread_id
    JOIN rooms r ON r.id = t.room_id
    WHERE m.id = ANY(${ids}::uuid[]) AND ${readableThread(null)}
    UNION ALL
    SELECT id, name, '/campaigns#' || id
    FROM campaigns
    WHERE id = ANY(${ids}::uuid[])
  `);
  return new Map(rows.map((row) => [row.id, row]));
}
