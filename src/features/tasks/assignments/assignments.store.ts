import type { Queryable, Transaction } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { currentRevision } from '../../../kernel/records/versioned.store.ts';
import { readableAssignment, sealedTask } from '../../../kernel/task-access.ts';
import { MAX_ASSIGNED, type SlotHolder, type Task } from '../rules.ts';
import { lock } from '../store.ts';
import type { AssignmentState } from '../transitions.ts';
import type { Assignment } from './assignments.rules.ts';

const assignmentColumns = sql`
  s.id, s.task_id AS "taskId", s.slot, s.agent_id AS "agentId", k.visibility,
  k.owner_id AS "ownerId", ${sealedTask} AS sealed, c.state, c.version, v.content,
  coalesce(s.submit_by, k.deadline) AS "submitBy"
`;

/** Joins assignments with what their columns need. */
export const fromAssignments = sql`
  FROM assignments s
  JOIN tasks k ON k.id = s.task_id ${currentRevision(sql`s`)}
`;

/**
 * Finds an assignment without a lock; undefined if the reader may not read it. Jobs have no reader.
 * Decide again under `lockAssignment`.
 */
export const find = (tx: Transaction, id: string, reader: string | null) =>
  tx.first<Assignment>(sql`
    SELECT ${assignmentColumns} ${fromAssignments}
    WHERE s.id = ${id} AND ${reader === null ? sql`true` : readableAssignment(reader)}
  `);

/** Returns an assignment that was found, with its task, and locks the task until the commit. */
export async function lockAssignment(
  tx: Transaction,
  { id, taskId }: Pick<Assignment, 'id' | 'taskId'>,
): Promise<{ task: Task; assignment: Assignment } | undefined> {
  const [task, assignment] = await Promise.all([lock(tx, taskId, null), find(tx, id, null)]);
  return task && assignment && { task, assignment };
}

/** Returns the assignments of a task that are in a state, by slot. */
export const listAssignmentsInState = (tx: Transaction, taskId: string, state: AssignmentState) =>
  tx.rows<Assignment>(sql`
    SELECT ${assignmentColumns} ${fromAssignments}
    WHERE s.task_id = ${taskId} AND c.state = ${state}
    ORDER BY s.slot
  `);

/**
 * Returns a submission about which a round has closed since this was last asked, and locks its task
 * until the commit. Tasks that another transaction has locked are skipped.
 */
export async function takeDecidedSubmission(
  tx: Transaction,
): Promise<Pick<Assignment, 'id' | 'taskId'> | undefined> {
  const next = await tx.first<Pick<Assignment, 'id' | 'taskId'>>(sql`
    SELECT s.id, s.task_id AS "taskId"
    FROM assignments s
    JOIN tasks k ON k.id = s.task_id
    WHERE s.to_settle
    ORDER BY s.id
    LIMIT 1
    FOR NO KEY UPDATE OF k SKIP LOCKED
  `);
  // A round that closes after this waits for the commit, and then marks the submission again.
  if (next) tx.send(sql`UPDATE assignments SET to_settle = false WHERE id = ${next.id}`);
  return next;
}

/** Lists who has taken a slot of a task, with the states of their assignments. */
export const listHolders = (tx: Transaction, taskId: string) =>
  tx.rows<SlotHolder>(sql`
    SELECT s.agent_id AS "agentId", c.state
    FROM assignments s
    JOIN records c ON c.id = s.id
    WHERE s.task_id = ${taskId}
  `);

/** Returns the assignment of an agent to a task, in any state. */
export const findOwnAssignment = (db: Queryable, taskId: string, agentId: string) =>
  db.first<{ id: string }>(sql`
    SELECT id
    FROM assignments
    WHERE task_id = ${taskId} AND agent_id = ${agentId}
  `);

/** Locks the number of slots that an agent holds, so that calls at once do not exceed the limit. */
export const lockHolder = (tx: Transaction, agentId: string): void =>
  tx.send(sql`SELECT pg_advisory_xact_lock(hashtextextended('slots ' || ${agentId}::text, 0))`);

/**
 * Counts the slots that an agent holds without a submission, up to the limit. The index
 * `assignments_unsubmitted` has no slot that was given back or has a case: an agent may have any
 * number of those.
 */
export const countAssigned = async (tx: Transaction, agentId: string) =>
  (
    (await tx.first(sql`
      SELECT count(*)::int AS count
      FROM (
        SELECT
        FROM assignments s
        WHERE s.agent_id = ${agentId}
          AND s.holds_slot
          AND s.case_id IS NULL
          AND (SELECT state FROM records WHERE id = s.id) = 'assigned'
        LIMIT ${MAX_ASSIGNED}
      ) held
    `)) as { readonly count: number }
  ).count;

/** Inserts an assignment whose versioned record was created before. */
export const insertAssignment = (
  tx: Transaction,
  a: {
    readonly id: string;
    readonly taskId: string;
    readonly slot: number;
    readonly agentId: string;
    readonly submitBy: string;
    /** Whether `submitBy` is before the deadline of the task, which ends all assignments. */
    readonly endsEarly: boolean;
    /** When the worker is told that time runs out; null if there is no time for that. */
    readonly remindAt: string | null;
    readonly now: string;
  },
): void =>
  tx.send(sql`
    INSERT INTO assignments (
      id, task_id, slot, agent_id, submit_by, due_at, remind_at, created_at
    )
    VALUES (
      ${a.id}, ${a.taskId}, ${a.slot}, ${a.agentId}, ${a.submitBy},
      CASE WHEN ${a.endsEarly}::bool THEN ${a.submitBy}::timestamptz END, ${a.remindAt}, ${a.now}
    )
  `);

/** Frees the slot of an assignment for another agent. */
export const releaseSlot = (tx: Transaction, id: string): void =>
  tx.send(sql`
    UPDATE assignments
    SET holds_slot = false, due_at = NULL, remind_at = NULL
    WHERE id = ${id}
  `);

/** Stops the time of an assignment whose work was submitted. */
export const stopTime = (tx: Transaction, id: string): void =>
  tx.send(sql`
    UPDATE assignments
    SET due_at = NULL, remind_at = NULL
    WHERE id = ${id}
  `);

/** Links an assignment to the case that will decide about it. */
export const awaitCase = (tx: Transaction, id: string, caseId: string): void =>
  tx.send(sql`
    UPDATE assignments
    SET case_id = ${caseId}, undecided = true
    WHERE id = ${id}
  `);

/**
 * Returns an assignment whose time is over by `now`, and locks its task until the commit. Tasks
 * that another transaction has locked are skipped.
 */
export const lockDueAssignment = (tx: Transaction, now: string) =>
  tx.first<Pick<Assignment, 'id' | 'taskId'>>(sql`
    SELECT s.id, s.task_id AS "taskId"
    FROM assignments s
    JOIN tasks k ON k.id = s.task_id
    WHERE s.due_at <= ${now}
    ORDER BY s.due_at
    LIMIT 1
    FOR NO KEY UPDATE OF k SKIP LOCKED
  `);

/** Marks an assignment as decided, so that later rounds no longer matter to it. */
export const markDecided = (tx: Transaction, id: string): void =>
  tx.send(sql`
    UPDATE assignments
    SET undecided = false
    WHERE id = ${id} AND undecided
  `);
