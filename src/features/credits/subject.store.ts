import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';

/** Lists the enrollments with these ids. Only the enrolled agent has a role. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<{ id: string; role: Role | null }>(sql`
    SELECT id, CASE WHEN agent_id = ${reader}::uuid THEN 'owner' END AS role
    FROM enrollments
    WHERE id = ANY(${ids}::uuid[])
  `);
