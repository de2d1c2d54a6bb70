import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';
import { invitation, sealedTask } from '../../kernel/task-access.ts';

/**
 * A task that receipts are about. `role` is null for readers who may not know of a private task.
 */
export interface TaskSubject {
  readonly id: string;
  readonly title: string;
  readonly role: Role | null;
}

/** Returns these tasks with the role of the reader, without checking access. */
export const listSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<TaskSubject>(sql`
    SELECT k.id, k.title,
      CASE
        WHEN k.owner_id = ${reader}::uuid THEN 'owner'
        WHEN ${invitation(reader)} THEN 'member'
      END AS role
    FROM tasks k
    WHERE k.id = ANY(${ids}::uuid[])
  `);

/**
 * A piece of evidence for submitted work. The agent that submitted may know of it, and so may the
 * owner of the task unless it would reveal hidden answers.
 */
export interface EvidenceSubject extends TaskSubject {
  readonly assignmentId: string;
  readonly state: string;
  readonly newestReceipt: string | null;
}

/** Returns these pieces of evidence with the role of the reader, without checking access. */
export const listEvidenceSubjects = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) =>
  db.rows<EvidenceSubject>(sql`
    SELECT c.id, s.id AS "assignmentId", c.state, c.receipt_id AS "newestReceipt", k.title,
      CASE
        WHEN s.agent_id = ${reader}::uuid THEN 'member'
        WHEN k.owner_id = ${reader}::uuid AND NOT ${sealedTask} THEN 'owner'
      END AS role
    FROM records c
    JOIN evidence e ON e.id = c.id
    JOIN assignments s ON s.id = e.about_id
    JOIN tasks k ON k.id = s.task_id
    WHERE c.id = ANY(${ids}::uuid[])
  `);
