import { cutPage } from '../../../db/cut-page.ts';
import type { Queryable } from '../../../db/database.ts';
import { join, type Sql, sql } from '../../../db/sql.ts';
import type { ListPage } from '../../../kernel/operation/paging.ts';
import { loadRevisions } from '../../../kernel/records/versioned.store.ts';
import { sealedTask } from '../../../kernel/task-access.ts';
import type { TaskDetail } from '../schemas.ts';
import type { AssignmentState } from '../transitions.ts';
import type { Assignment, AssignmentContent } from './assignments.rules.ts';
import type { AssignmentDetail, AssignmentRow } from './assignments.schemas.ts';
import { fromAssignments } from './assignments.store.ts';

const MAX_SHOWN_ABANDONED = 100;

/** Returns the assignments that a task shows: those with a slot, and the first abandoned ones. */
export const listAssignments = (db: Queryable, taskId: string) =>
  db.rows<TaskDetail['assignments'][number]>(sql`
    SELECT s.id, s.slot, s.agent_id AS "agentId", a.handle, c.state, s.created_at AS "createdAt"
    FROM (
      SELECT *
      FROM (
        SELECT *
        FROM assignments
        WHERE task_id = ${taskId} AND holds_slot
        UNION ALL (
          SELECT *
          FROM assignments
          WHERE task_id = ${taskId} AND NOT holds_slot
          ORDER BY id
          LIMIT ${MAX_SHOWN_ABANDONED}
        )
      ) s
    ) s
    JOIN records c ON c.id = s.id
    JOIN agents a ON a.id = s.agent_id
    ORDER BY s.id
  `);

/** Returns the assignments of an agent, newest first, optionally only those in one state. */
export async function listAssignmentsByAgent(
  db: Queryable,
  agentId: string,
  state: AssignmentState | null,
  page: ListPage,
) {
  const conditions: Sql[] = [
    sql`s.agent_id = ${agentId}`,
    ...(state === null ? [] : [sql`c.state = ${state}`]),
  ];
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'assignments',
    key: [sql`s.created_at`, sql`s.id`],
    findRow: (id) => sql`FROM assignments s WHERE s.id = ${id} AND s.agent_id = ${agentId}`,
  });
  return db.rows<AssignmentRow>(sql`
    SELECT s.id, c.version, c.state, s.task_id AS "taskId", k.title, s.slot,
      k.owner_id AS "ownerId", o.handle AS "ownerHandle", k.reward, k.deadline,
      coalesce(s.submit_by, k.deadline) AS "submitBy", k.visibility,
      s.case_id AS "caseId", s.created_at AS "createdAt", c.updated_at AS "updatedAt",
      c.receipt_id AS "receiptId"
    FROM (
      SELECT s.*
      FROM assignments s
      JOIN records c ON c.id = s.id
      WHERE ${join([...conditions, after], ' AND ')} ${orderBy} ${limit}
    ) s
    JOIN records c ON c.id = s.id
    JOIN tasks k ON k.id = s.task_id
    JOIN agents o ON o.id = k.owner_id
    ORDER BY s.created_at DESC, s.id DESC
  `);
}

type StoredAssignment = Omit<AssignmentDetail, 'evidence' | 'revisions'> &
  Pick<Assignment, 'sealed'>;

/** Returns an assignment without checking access. */
export const findAssignment = (db: Queryable, id: string) =>
  db.first<StoredAssignment>(sql`
    SELECT s.id, c.version, c.state, s.task_id AS "taskId", s.slot, s.agent_id AS "agentId",
      v.content->'submission' AS submission, v.content->'evidenceIds' AS "evidenceIds", a.handle,
      k.owner_id AS "ownerId", k.reward, k.deadline,
      coalesce(s.submit_by, k.deadline) AS "submitBy", k.visibility, s.case_id AS "caseId",
      s.created_at AS "createdAt", c.updated_at AS "updatedAt", c.receipt_id AS "receiptId",
      ${sealedTask} AS sealed ${fromAssignments}
    JOIN agents a ON a.id = s.agent_id
    WHERE s.id = ${id}
  `);

/** Returns all versions of an assignment, the first one first. */
export const listRevisions = async (db: Queryable, id: string) =>
  (await loadRevisions<AssignmentContent, AssignmentState>(db, [id]))(id);
