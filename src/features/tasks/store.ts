import type { Queryable, Transaction } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import { invitedTo, readableTask, sealedTask } from '../../kernel/access.ts';
import { current, revisionsOf } from '../../kernel/records/versioned.store.ts';
import type { Assignment, AssignmentContent } from './assignments.rules.ts';
import type { AssignmentDetail, AssignmentRow } from './assignments.schemas.ts';
import type { Task } from './rules.ts';
import type { TaskDetail, TaskRow } from './schemas.ts';
import type { AssignmentState } from './transitions.ts';

/** The slots that an assignment has. */
const taken = sql`ARRAY(SELECT h.slot FROM assignments h WHERE h.task_id = k.id AND h.holds_slot ORDER BY h.slot)`;

const invitees = sql`ARRAY(SELECT n.agent_id FROM task_invitees n WHERE n.task_id = k.id ORDER BY n.agent_id)`;

const facts = (
  reader: string | null,
) => sql`k.id, k.visibility, k.owner_id AS "ownerId", ${invitedTo(reader)} AS "isInvited", k.kind, k.title, k.instructions, k.rubric, k.reward, k.slots,
  k.deadline, k.decision_method AS "decisionMethod", k.fixture_id AS "fixtureId", k.funding_unit AS "fundingUnit", k.subsidy_id AS "subsidyId", k.state, k.settled,
  ${taken} AS taken, ${invitees} AS "inviteeIds", k.due_at IS NULL AS released`;

/** A task, held until the commit: every step of a task and of its assignments begins with it. Read by a statement of its own: the one that waits sees what was before. */
export async function lock(
  tx: Transaction,
  id: string,
  reader: string | null,
): Promise<Task | undefined> {
  tx.send(sql`SELECT 1 FROM tasks WHERE id = ${id} FOR NO KEY UPDATE`);
  return tx.first<Task>(sql`SELECT ${facts(reader)} FROM tasks k WHERE k.id = ${id}`);
}

const assignmentFacts = sql`s.id, s.task_id AS "taskId", s.slot, s.agent_id AS "agentId", k.visibility, k.owner_id AS "ownerId", ${sealedTask} AS sealed, c.state, c.version, v.content`;
const ofAssignment = sql`FROM assignments s JOIN tasks k ON k.id = s.task_id ${current(sql`s`)}`;

/** An assignment with its task, which is held until the commit. */
export async function lockAssignment(
  tx: Transaction,
  id: string,
): Promise<{ task: Task; assignment: Assignment } | undefined> {
  const known = await tx.first<{ taskId: string }>(
    sql`SELECT task_id AS "taskId" FROM assignments WHERE id = ${id}`,
  );
  if (!known) return undefined;
  const [task, assignment] = await Promise.all([
    lock(tx, known.taskId, null),
    tx.first<Assignment>(sql`SELECT ${assignmentFacts} ${ofAssignment} WHERE s.id = ${id}`),
  ]);
  return { task: task as Task, assignment: assignment as Assignment };
}

/** Assignments of a task in a state. */
export const listInState = (tx: Transaction, taskId: string, state: AssignmentState) =>
  tx.rows<Assignment>(
    sql`SELECT ${assignmentFacts} ${ofAssignment} WHERE s.task_id = ${taskId} AND c.state = ${state} ORDER BY s.slot`,
  );

/** A task whose deadline is over by `now` and whose slots nobody looked after yet, held until the commit; one that somebody holds is left to them. */
export async function lockDue(tx: Transaction, now: string): Promise<Task | undefined> {
  const due = await tx.first<{ id: string }>(
    sql`SELECT id FROM tasks WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
  );
  return due && tx.first<Task>(sql`SELECT ${facts(null)} FROM tasks k WHERE k.id = ${due.id}`);
}

/** A submission about which a round closed that says something new, with its task held until the commit; one that somebody holds is left to them. */
export const lockDecided = (tx: Transaction) =>
  tx.first<{
    id: string;
  }>(sql`SELECT s.id FROM assignments s JOIN records c ON c.id = s.id JOIN tasks k ON k.id = s.task_id
    WHERE s.undecided AND EXISTS (SELECT 1 FROM adjudication_rounds r WHERE r.case_id = s.case_id AND r.result IS NOT NULL AND (r.result <> 'inconclusive' OR c.state = 'submitted'))
    ORDER BY s.id LIMIT 1 FOR NO KEY UPDATE OF k SKIP LOCKED`);

/** The assignment of an agent to a task, whatever became of it. */
export const findOwn = (db: Queryable, taskId: string, agentId: string) =>
  db.first<{ id: string }>(
    sql`SELECT id FROM assignments WHERE task_id = ${taskId} AND agent_id = ${agentId}`,
  );

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

export function insert(tx: Transaction, t: NewTask): void {
  tx.send(sql`INSERT INTO tasks (id, owner_id, kind, title, instructions, rubric, reward, slots, deadline, visibility, decision_method, fixture_id, funding_unit, subsidy_id, subject_id,
      state, due_at, receipt_id, created_at)
    VALUES (${t.id}, ${t.ownerId}, ${t.kind}, ${t.title}, ${t.instructions}, ${JSON.stringify(t.rubric)}, ${t.reward}, ${t.slots}, ${t.deadline}, ${t.visibility}, ${t.decisionMethod},
      ${t.fixtureId}, ${t.fundingUnit}, ${t.subsidyId}, ${t.subjectId}, 'open', ${t.deadline}, ${t.receiptId}, ${t.now})`);
  if (t.inviteeIds.length > 0)
    tx.send(
      sql`INSERT INTO task_invitees (task_id, agent_id) SELECT ${t.id}::uuid, id FROM unnest(${t.inviteeIds}::uuid[]) id`,
    );
}

/** Notes what became of a task that is held: `returned` of its slots more were given back. */
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
  tx.send(sql`UPDATE tasks SET state = ${state}, settled = ${settled}, returned = returned + ${returned},
      due_at = CASE WHEN NOT ${released}::bool AND ${state} IN ('open', 'full') THEN deadline END, closed_at = CASE WHEN ${state} IN ('closed', 'cancelled') THEN ${now}::timestamptz END
    WHERE id = ${id}`);

/** Its record is made before. */
export const insertAssignment = (
  tx: Transaction,
  a: { id: string; taskId: string; slot: number; agentId: string; now: string },
): void =>
  tx.send(
    sql`INSERT INTO assignments (id, task_id, slot, agent_id, created_at) VALUES (${a.id}, ${a.taskId}, ${a.slot}, ${a.agentId}, ${a.now})`,
  );

/** The slot is for somebody else. */
export const leaveSlot = (tx: Transaction, id: string): void =>
  tx.send(sql`UPDATE assignments SET holds_slot = false WHERE id = ${id}`);

/** A case was opened, which will decide. */
export const awaitCase = (tx: Transaction, id: string, caseId: string): void =>
  tx.send(sql`UPDATE assignments SET case_id = ${caseId}, undecided = true WHERE id = ${id}`);

export const decided = (tx: Transaction, id: string): void =>
  tx.send(sql`UPDATE assignments SET undecided = false WHERE id = ${id} AND undecided`);

const target = sql`CASE WHEN u.id IS NOT NULL THEN json_build_object('agent', CASE WHEN u.agent_id IS NOT NULL THEN json_build_object('id', g.id, 'handle', g.handle) END,
  'subject', CASE WHEN u.agent_id IS NULL THEN json_build_object('type', u.type, 'value', u.value) END) END AS subject`;

const row = sql`k.id, k.kind, k.title, k.state, k.owner_id AS "ownerId", o.handle AS "ownerHandle", k.reward, k.funding_unit AS "fundingUnit", k.slots,
  CASE WHEN k.due_at IS NULL THEN 0 ELSE k.slots - cardinality(${taken}) END AS "freeSlots", k.settled AS "settledSlots", k.deadline, k.visibility,
  k.decision_method AS "decisionMethod", ${target}, k.created_at AS "createdAt", k.closed_at AS "closedAt", k.receipt_id AS "receiptId"`;

const around = sql`JOIN agents o ON o.id = k.owner_id LEFT JOIN subjects u ON u.id = k.subject_id LEFT JOIN agents g ON g.id = u.agent_id`;

export interface Filters {
  readonly state: string | null;
  readonly kind: string | null;
  readonly owner: Sql | null;
}

/** Tasks that the reader may read, newest first; of filters only those that are set are in the statement, so that it runs by index. */
export function list(
  db: Queryable,
  { state, kind, owner }: Filters,
  reader: string | null,
  offset: number,
  limit: number,
) {
  const conditions: Sql[] = [
    readableTask(reader),
    ...(state === null ? [] : [sql`k.state = ${state}`]),
    ...(kind === null ? [] : [sql`k.kind = ${kind}`]),
    ...(owner === null ? [] : [sql`k.owner_id = ${owner}`]),
  ];
  return db.rows<TaskRow>(sql`SELECT ${row} FROM (SELECT * FROM tasks k WHERE ${join(conditions, ' AND ')} ORDER BY k.created_at DESC, k.id DESC LIMIT ${limit} OFFSET ${offset}) k
    ${around} ORDER BY k.created_at DESC, k.id DESC`);
}

// Answers leave the database here, in the last task that was closed, and nowhere else.
const fixture = sql`CASE WHEN f.id IS NOT NULL THEN json_build_object('id', f.id, 'answersSha256', encode(f.answers_sha256, 'hex'), 'revealed', CASE WHEN f.revealed_at IS NOT NULL THEN
  json_build_object('answers', (SELECT json_agg(json_build_object('criterionId', a.key, 'answer', a.value) ORDER BY a.key COLLATE "C") FROM jsonb_each_text(f.answers) a), 'salt', f.salt) END) END AS fixture`;

/** A task that the reader may read, whole but for its assignments. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<
    Omit<TaskDetail, 'assignments'>
  >(sql`SELECT ${row}, k.instructions, k.rubric, ${fixture}, k.subsidy_id AS "subsidyId", k.subject_id AS "subjectId",
      ${invitees} AS "inviteeIds"
    FROM tasks k ${around} LEFT JOIN fixtures f ON f.id = k.fixture_id WHERE k.id = ${id} AND ${readableTask(reader)}`);

const SHOWN_ABANDONED = 100;

export const listAssignments = (db: Queryable, taskId: string) =>
  db.rows<
    TaskDetail['assignments'][number]
  >(sql`SELECT s.id, s.slot, s.agent_id AS "agentId", a.handle, c.state, s.created_at AS "createdAt"
    FROM (SELECT * FROM (SELECT * FROM assignments WHERE task_id = ${taskId} AND holds_slot UNION ALL
      (SELECT * FROM assignments WHERE task_id = ${taskId} AND NOT holds_slot ORDER BY id LIMIT ${SHOWN_ABANDONED})) s) s
    JOIN records c ON c.id = s.id JOIN agents a ON a.id = s.agent_id ORDER BY s.id`);

/** Slots that an agent took, newest first; in a state, if one is given. */
export function listAssignmentsOf(
  db: Queryable,
  agentId: string,
  state: AssignmentState | null,
  offset: number,
  limit: number,
) {
  const conditions: Sql[] = [
    sql`s.agent_id = ${agentId}`,
    ...(state === null ? [] : [sql`c.state = ${state}`]),
  ];
  return db.rows<AssignmentRow>(sql`SELECT s.id, c.version, c.state, s.task_id AS "taskId", k.title, s.slot, k.owner_id AS "ownerId", o.handle AS "ownerHandle", k.reward,
      k.deadline, k.visibility, s.case_id AS "caseId", s.created_at AS "createdAt", c.updated_at AS "updatedAt", c.receipt_id AS "receiptId"
    FROM (SELECT s.* FROM assignments s JOIN records c ON c.id = s.id WHERE ${join(conditions, ' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit} OFFSET ${offset}) s
    JOIN records c ON c.id = s.id JOIN tasks k ON k.id = s.task_id JOIN agents o ON o.id = k.owner_id ORDER BY s.created_at DESC, s.id DESC`);
}

type StoredAssignment = Omit<AssignmentDetail, 'evidence' | 'revisions'> &
  Pick<Assignment, 'sealed'>;

/** An assignment, whoever may read it. */
export const findAssignment = (db: Queryable, id: string) =>
  db.first<StoredAssignment>(sql`SELECT s.id, c.version, c.state, s.task_id AS "taskId", s.slot, s.agent_id AS "agentId", v.content->'submission' AS submission,
      v.content->'evidenceIds' AS "evidenceIds", a.handle, k.owner_id AS "ownerId", k.reward, k.deadline, k.visibility, s.case_id AS "caseId", s.created_at AS "createdAt",
      c.updated_at AS "updatedAt", c.receipt_id AS "receiptId", ${sealedTask} AS sealed
    ${ofAssignment} JOIN agents a ON a.id = s.agent_id WHERE s.id = ${id}`);

export const listRevisions = async (db: Queryable, id: string) =>
  (await revisionsOf<AssignmentContent, AssignmentState>(db, [id]))(id);

/** What tasks have of grants, but for what went back: those of some owners, and those that were made since. Where a grant has no such limit nothing is summed. */
export const usageOf = (
  db: Queryable,
  subsidyIds: readonly string[],
  ownerIds: readonly string[],
  since: string,
) =>
  db.rows<{ id: string; usedByOperator: number; usedToday: number }>(sql`SELECT q.id,
      CASE WHEN q.per_operator IS NULL THEN 0 ELSE
        (SELECT coalesce(sum(k.reward * (k.slots - k.returned)), 0)::bigint FROM tasks k WHERE k.subsidy_id = q.id AND k.owner_id = ANY(${ownerIds}::uuid[])) END AS "usedByOperator",
      CASE WHEN q.per_day IS NULL THEN 0 ELSE
        (SELECT coalesce(sum(k.reward * (k.slots - k.returned)), 0)::bigint FROM tasks k WHERE k.subsidy_id = q.id AND k.created_at >= ${since}::timestamptz) END AS "usedToday"
    FROM subsidies q WHERE q.id = ANY(${subsidyIds}::uuid[])`);
