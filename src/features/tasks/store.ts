import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { invitation, readableTask } from '../../kernel/task-access.ts';
import { getReminderTime } from './assignments/times.rules.ts';
import type { Task } from './rules.ts';
import type { TaskRow } from './schemas.ts';
import { inviteeIds, takenSlots } from './task-rows.store.ts';

const taskColumns = (reader: string | null) => sql`
  k.id, k.visibility, k.owner_id AS "ownerId", ${invitation(reader)} AS "isInvited", k.kind,
  k.title, k.instructions, k.rubric, k.reward, k.slots, k.deadline,
  k.assignment_hours AS "assignmentHours", k.version,
  k.decision_method AS "decisionMethod", k.fixture_id AS "fixtureId",
  k.funding_unit AS "fundingUnit", k.subsidy_id AS "subsidyId", k.state, k.settled,
  ${takenSlots} AS taken, ${inviteeIds} AS "inviteeIds", k.due_at IS NULL AS released
`;

/** Finds a task without a lock. Decide again under `lock`. */
export const find = (tx: Transaction, id: string, reader: string | null) =>
  tx.first<Task>(sql`SELECT ${taskColumns(reader)} FROM tasks k WHERE k.id = ${id}`);

/**
 * Returns a task and locks it until the commit. Every change of a task or of its assignments begins
 * with this lock. The task is read by a second statement, because one that waited for the lock
 * would see the assignments as they were before it waited. Without a reader, the caller has checked
 * access. A task that the reader may not know of is returned, but not locked.
 */
export async function lock(
  tx: Transaction,
  id: string,
  reader: string | null,
): Promise<Task | undefined> {
  tx.send(sql`
    SELECT 1 FROM tasks k
    WHERE k.id = ${id} AND ${reader === null ? sql`true` : readableTask(reader)}
    FOR NO KEY UPDATE
  `);
  return find(tx, id, reader);
}

/**
 * Returns a task whose deadline has passed by `now` and was not handled yet, and locks it until the
 * commit. Tasks that another transaction has locked are skipped.
 */
export async function lockDue(tx: Transaction, now: string): Promise<Task | undefined> {
  const due = await tx.first<{ id: string }>(sql`
    SELECT id FROM tasks
    WHERE due_at <= ${now}
    ORDER BY due_at
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  `);
  return due && find(tx, due.id, null);
}

/** A task to insert. */
export interface NewTask
  extends Pick<
    Task,
    | 'id'
    | 'ownerId'
    | 'visibility'
    | 'title'
    | 'instructions'
    | 'rubric'
    | 'reward'
    | 'slots'
    | 'deadline'
    | 'assignmentHours'
    | 'decisionMethod'
  > {
  readonly kind: TaskRow['kind'];
  readonly fundingUnit: Task['fundingUnit'];
  readonly fixtureId: string | null;
  readonly subsidyId: string | null;
  readonly subjectId: string | null;
  readonly inviteeIds: readonly string[];
  readonly receiptId: string;
  readonly now: string;
}

/** Inserts an open task with its invitees. */
export function insert(tx: Transaction, t: NewTask): void {
  tx.send(sql`
    INSERT INTO tasks (
      id, owner_id, kind, title, instructions, rubric, reward, slots, deadline,
      assignment_hours, visibility,
      decision_method, fixture_id, funding_unit, subsidy_id, subject_id, state, due_at, remind_at,
      receipt_id, created_at
    )
    VALUES (
      ${t.id}, ${t.ownerId}, ${t.kind}, ${t.title}, ${t.instructions}, ${JSON.stringify(t.rubric)},
      ${t.reward}, ${t.slots}, ${t.deadline}, ${t.assignmentHours}, ${t.visibility},
      ${t.decisionMethod}, ${t.fixtureId},
      ${t.fundingUnit}, ${t.subsidyId}, ${t.subjectId}, 'open', ${t.deadline},
      ${getReminderTime(t.deadline, t.now)}, ${t.receiptId}, ${t.now}
    )
  `);
  if (t.inviteeIds.length > 0)
    tx.send(sql`
      INSERT INTO task_invitees (task_id, agent_id)
      SELECT ${t.id}::uuid, id
      FROM unnest(${t.inviteeIds}::uuid[]) id
    `);
}

/** Updates a locked task. `returned` is the number of slots whose units go back now. */
export const update = (
  tx: Transaction,
  {
    id,
    state,
    settled,
    released,
    returned,
    now,
  }: Pick<Task, 'id' | 'state' | 'settled' | 'released'> & { returned: number; now: string },
): void =>
  tx.send(sql`
    UPDATE tasks
    SET version = version + 1, state = ${state}, settled = ${settled},
      returned = returned + ${returned},
      due_at = CASE WHEN NOT ${released}::bool AND ${state} IN ('open', 'full') THEN deadline END,
      closed_at = CASE WHEN ${state} IN ('closed', 'cancelled') THEN ${now}::timestamptz END
    WHERE id = ${id}
  `);
