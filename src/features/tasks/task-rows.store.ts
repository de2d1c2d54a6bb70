import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import { invitation, readableTask } from '../../kernel/task-access.ts';
import type { TaskDetail, TaskRow } from './schemas.ts';

/** Numbers of the slots that have an assignment. */
export const takenSlots = sql`
  ARRAY(SELECT h.slot FROM assignments h WHERE h.task_id = k.id AND h.holds_slot ORDER BY h.slot)
`;

/** Ids of the agents that are invited to the task `k`. */
export const inviteeIds = sql`
  ARRAY(SELECT n.agent_id FROM task_invitees n WHERE n.task_id = k.id ORDER BY n.agent_id)
`;

const targetColumn = sql`
  CASE
    WHEN u.id IS NOT NULL THEN json_build_object(
      'agent',
      CASE WHEN u.agent_id IS NOT NULL THEN json_build_object('id', g.id, 'handle', g.handle) END,
      'subject',
      CASE WHEN u.agent_id IS NULL THEN json_build_object('type', u.type, 'value', u.value) END
    )
  END AS subject
`;

const taskRowColumns = sql`
  k.id, k.kind, k.title, k.state, k.owner_id AS "ownerId", o.handle AS "ownerHandle", k.reward,
  k.funding_unit AS "fundingUnit", k.slots,
  CASE WHEN k.due_at IS NULL THEN 0 ELSE k.slots - cardinality(${takenSlots}) END AS "freeSlots",
  k.settled AS "settledSlots", k.deadline,
  k.assignment_hours AS "assignmentHours", k.version, k.visibility,
  k.decision_method AS "decisionMethod",
  ${targetColumn}, k.created_at AS "createdAt", k.closed_at AS "closedAt",
  k.receipt_id AS "receiptId"
`;

const taskJoins = sql`
  JOIN agents o ON o.id = k.owner_id
  LEFT JOIN subjects u ON u.id = k.subject_id
  LEFT JOIN agents g ON g.id = u.agent_id
`;

/** Conditions of the list of tasks; null where there is none. */
export interface TaskFilters {
  readonly state: string | null;
  readonly kind: string | null;
  readonly owner: Sql | null;
  readonly subjectId: string | null;
  /** Only tasks that the reader posted, or of which it took a slot. */
  readonly mine: 'owned' | 'assigned' | null;
}

/** Tasks of alias `k` that a reader posted, or of which it took a slot. */
const ownTasks = (mine: 'owned' | 'assigned', reader: string | null): Sql =>
  mine === 'owned'
    ? sql`k.owner_id = ${reader}::uuid`
    : sql`k.id IN (SELECT m.task_id FROM assignments m WHERE m.agent_id = ${reader}::uuid)`;

/** The private tasks of alias `k` that a reader may read, in parts that have no task in common. */
const privateParts = (reader: string): Sql[] => [
  sql`k.visibility = 'private' AND k.owner_id = ${reader}`,
  sql`k.visibility = 'private' AND k.owner_id <> ${reader} AND ${invitation(reader)}`,
];

/**
 * Returns tasks that the reader may read, newest first. Only filters that are set are part of the
 * statement, so that it uses an index. Public tasks, the reader's own private ones and those that
 * it is invited to are read by separate subqueries, so that private tasks of others are not walked.
 */
export async function list(
  db: Queryable,
  { state, kind, owner, subjectId, mine }: TaskFilters,
  reader: string | null,
  page: ListPage,
) {
  const conditions: Sql[] = [
    readableTask(reader),
    ...(state === null ? [] : [sql`k.state = ${state}`]),
    ...(kind === null ? [] : [sql`k.kind = ${kind}`]),
    ...(owner === null ? [] : [sql`k.owner_id = ${owner}`]),
    ...(subjectId === null ? [] : [sql`k.subject_id = ${subjectId}`]),
    ...(mine === null ? [] : [ownTasks(mine, reader)]),
  ];
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'tasks',
    key: [sql`k.created_at`, sql`k.id`],
    findRow: (id) => sql`FROM tasks k WHERE k.id = ${id} AND ${readableTask(reader)}`,
  });
  const parts = [sql`k.visibility = 'public'`, ...(reader === null ? [] : privateParts(reader))];
  const selectNewest = (part: Sql) => sql`
    (
      SELECT *
      FROM tasks k
      WHERE ${join([part, ...conditions, after], ' AND ')} ${orderBy}
      LIMIT ${page.offset + page.limit}
    )
  `;
  return db.rows<TaskRow>(sql`
    SELECT ${taskRowColumns}
    FROM (
      SELECT *
      FROM (${join(parts.map(selectNewest), ' UNION ALL ')}) k ${orderBy} ${limit}
    ) k ${taskJoins}
    ORDER BY k.created_at DESC, k.id DESC
  `);
}

// Answers of a fixture leave the database only here, after its last task was closed.
const fixtureColumn = sql`
  CASE
    WHEN f.id IS NOT NULL THEN json_build_object(
      'id', f.id, 'answersSha256', encode(f.answers_sha256, 'hex'), 'revealed',
      CASE
        WHEN f.revealed_at IS NOT NULL THEN json_build_object(
          'answers',
          (
            SELECT json_agg(
              json_build_object('criterionId', a.key, 'answer', a.value) ORDER BY a.key COLLATE "C"
            )
            FROM jsonb_each_text(f.answers) a
          ),
          'salt', f.salt
        )
      END
    )
  END AS fixture
`;

/** Returns a task that the reader may read, without its assignments. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<Omit<TaskDetail, 'assignments'>>(sql`
    SELECT ${taskRowColumns}, k.instructions, k.rubric, ${fixtureColumn},
      k.subsidy_id AS "subsidyId", k.subject_id AS "subjectId", ${inviteeIds} AS "inviteeIds"
    FROM tasks k ${taskJoins}
    LEFT JOIN fixtures f ON f.id = k.fixture_id
    WHERE k.id = ${id} AND ${readableTask(reader)}
  `);
