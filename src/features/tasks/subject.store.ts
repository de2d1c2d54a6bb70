import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { invitedTo, type Role, sealedTask } from '../../kernel/access.ts';

/** A task that receipts are about. Of a private one, who made it and who was invited may know. */
export interface TaskSubject {
  readonly id: string;
  readonly title: string;
  readonly role: Role | null;
}

export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<TaskSubject>(sql`SELECT k.id, k.title, CASE WHEN k.owner_id = ${reader}::uuid THEN 'owner' WHEN ${invitedTo(reader)} THEN 'member' END AS role
    FROM tasks k WHERE k.id = ANY(${ids}::uuid[])`);

/** A piece of evidence to work that was submitted. Who submitted may know, and the owner of the task unless it would tell hidden answers. */
export interface EvidenceSubject extends TaskSubject {
  readonly assignmentId: string;
  readonly state: string;
  readonly newestReceipt: string | null;
}

export const listEvidenceSubjects = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) =>
  db.rows<EvidenceSubject>(sql`SELECT c.id, s.id AS "assignmentId", c.state, c.receipt_id AS "newestReceipt", k.title,
      CASE WHEN s.agent_id = ${reader}::uuid THEN 'member' WHEN k.owner_id = ${reader}::uuid AND NOT ${sealedTask} THEN 'owner' END AS role
    FROM records c JOIN evidence e ON e.id = c.id JOIN assignments s ON s.id = e.about_id JOIN tasks k ON k.id = s.task_id WHERE c.id = ANY(${ids}::uuid[])`);
