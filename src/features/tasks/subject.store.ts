import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { invitedTo, type Role } from '../../kernel/access.ts';

/** A task that receipts are about. Of a private one, who made it and who was invited may know. */
export interface TaskSubject {
  readonly id: string;
  readonly title: string;
  readonly role: Role | null;
}

export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<TaskSubject>(sql`SELECT k.id, k.title, CASE WHEN k.owner_id = ${reader}::uuid THEN 'owner' WHEN ${invitedTo(reader)} THEN 'member' END AS role
    FROM tasks k WHERE k.id = ANY(${ids}::uuid[])`);
