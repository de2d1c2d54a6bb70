import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';

/** Enrollments that receipts are about. An agent's own is its own alone. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<{ id: string; role: Role | null }>(
    sql`SELECT id, CASE WHEN agent_id = ${reader}::uuid THEN 'owner' END AS role FROM enrollments WHERE id = ANY(${ids}::uuid[])`,
  );
