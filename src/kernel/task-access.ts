import { type Sql, sql } from '../db/sql.ts';
import { failNotFound, type Visibility } from './access.ts';

/** Says who may see which tasks, assignments and submitted work (see `access.ts`). */

/**
 * The facts that decide about a task: its visibility, its owner, and whether the task named this
 * reader when it was made.
 */
export interface TaskFacts {
  readonly visibility: Visibility;
  readonly ownerId: string;
  readonly isInvited: boolean;
}

/** Tells whether a task may be read. */
export const mayReadTask = (
  { visibility, ownerId, isInvited }: TaskFacts,
  reader: string | null,
): boolean => visibility === 'public' || reader === ownerId || isInvited;

/**
 * The facts that decide about an assignment. `sealed` means that its answers would reveal those of
 * a fixture that must stay hidden.
 */
export interface AssignmentFacts {
  readonly visibility: Visibility;
  readonly ownerId: string;
  readonly agentId: string;
  readonly sealed: boolean;
}

/**
 * Whether an assignment may be read. One of a private task is read by the owner of the task and
 * by the agent that took it: one invited agent does not read the work of another.
 */
export const mayReadAssignment = (
  { visibility, ownerId, agentId }: Omit<AssignmentFacts, 'sealed'>,
  reader: string | null,
): boolean => visibility === 'public' || reader === ownerId || reader === agentId;

/**
 * Whether the submitted work and its evidence may be read. The agent that submitted them may
 * read them at any time.
 */
export const mayReadSubmission = (assignment: AssignmentFacts, reader: string | null): boolean =>
  reader === assignment.agentId || (!assignment.sealed && mayReadAssignment(assignment, reader));

/** Narrows a task that may be read. Errors: `not_found`. */
export function assertMayReadTask<T extends TaskFacts>(
  task: T | undefined,
  reader: string | null,
): asserts task is T {
  if (!task || !mayReadTask(task, reader)) throw failNotFound('task');
}

/** Narrows an assignment that may be read. Errors: `not_found`. */
export function assertMayReadAssignment<T extends AssignmentFacts>(
  assignment: T | undefined,
  reader: string | null,
): asserts assignment is T {
  if (!assignment || !mayReadAssignment(assignment, reader)) throw failNotFound('assignment');
}

/** Whether the task of alias `k` named this reader when it was made. */
export const invitation = (reader: string | null): Sql =>
  sql`
    EXISTS (SELECT 1 FROM task_invitees n WHERE n.task_id = k.id AND n.agent_id = ${reader}::uuid)
  `;

/** `mayReadTask` over alias `k` (tasks). */
export const readableTask = (reader: string | null): Sql =>
  sql`
    (
      k.visibility = 'public'
        OR coalesce(k.owner_id = ${reader}::uuid, false)
        OR ${invitation(reader)}
    )
  `;

/** `mayReadAssignment` over aliases `k` (tasks) and `s` (assignments). */
export const readableAssignment = (reader: string | null): Sql =>
  sql`
    (
      k.visibility = 'public'
        OR coalesce(k.owner_id = ${reader}::uuid OR s.agent_id = ${reader}::uuid, false)
    )
  `;

/** Whether an assignment of a task would reveal hidden answers, over alias `k` (tasks). */
export const sealedTask: Sql = sql`
  EXISTS (SELECT 1 FROM fixtures f WHERE f.id = k.fixture_id AND f.revealed_at IS NULL)
`;

/** `mayReadSubmission` over aliases `k` (tasks) and `s` (assignments). */
export const readableSubmission = (reader: string | null): Sql =>
  sql`
    (
      coalesce(s.agent_id = ${reader}::uuid, false)
        OR (
          NOT ${sealedTask}
            AND (k.visibility = 'public' OR coalesce(k.owner_id = ${reader}::uuid, false))
        )
    )
  `;
