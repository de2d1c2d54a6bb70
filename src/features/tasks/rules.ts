import { fail } from '../../kernel/errors.ts';
import { assertVersion, getNextState } from '../../kernel/records/versioned.ts';
import type { TaskFacts } from '../../kernel/task-access.ts';
import type { Criterion } from '../adjudication/rules.ts';
import type { CreditUnit } from '../ledger/rules.ts';
import {
  type AssignmentState,
  type TaskState,
  type TaskTrigger,
  taskMachine,
} from './transitions.ts';

/** Kinds of work. */
export const taskKinds = [
  'claim_verification',
  'artifact_review',
  'counterexample_reproduction',
] as const;
/** Ways in which work is decided. */
export const decisionMethods = ['community', 'fixture'] as const;

/** Slots of a task. */
export const MAX_SLOTS = 20;
/** Criteria of a rubric. */
export const MAX_CRITERIA = 10;
/** How far ahead a deadline can be. */
export const MAX_DEADLINE_DAYS = 90;
/** Hours for which an agent may hold a slot without a submission, unless a task says otherwise. */
export const DEFAULT_ASSIGNMENT_HOURS = 168;
/** Hours for which a task may let an agent hold a slot without a submission. */
export const MAX_ASSIGNMENT_HOURS = 720;
/** Slots that an agent holds at once without a submission: nobody keeps all work from others. */
export const MAX_ASSIGNED = 100;
/** Agents invited to a private task. */
export const MAX_INVITEES = 100;
/** Invitees that a private task needs besides one for each slot, so that the others can decide. */
export const REVIEWERS = 3;

/** A task with everything on which operations decide. */
export interface Task extends TaskFacts {
  readonly id: string;
  readonly kind: (typeof taskKinds)[number];
  readonly title: string;
  readonly instructions: string;
  readonly rubric: readonly Criterion[];
  readonly reward: number;
  readonly slots: number;
  readonly deadline: string;
  /** Null for a task from before this limit; the default holds. */
  readonly assignmentHours: number | null;
  readonly decisionMethod: (typeof decisionMethods)[number];
  readonly fixtureId: string | null;
  readonly fundingUnit: CreditUnit;
  readonly subsidyId: string | null;
  readonly state: TaskState;
  readonly version: number;
  /** Number of slots that were paid or whose units went back. */
  readonly settled: number;
  /** Numbers of the slots that have an assignment, settled or not. */
  readonly taken: readonly number[];
  /** Agents invited to a private task. */
  readonly inviteeIds: readonly string[];
  /** Whether the deadline has passed and the units of free slots went back. */
  readonly released: boolean;
}

/** Whether nobody but its invitees may vote on the work of a task. */
export const isDecidedByInvitees = ({
  visibility,
  decisionMethod,
}: Pick<Task, 'visibility' | 'decisionMethod'>): boolean =>
  visibility === 'private' && decisionMethod === 'community';

/** Returns the numbers of the slots that can be taken; none once the deadline was handled. */
export const listFreeSlots = ({
  slots,
  taken,
  released,
}: Pick<Task, 'slots' | 'taken' | 'released'>): number[] =>
  released
    ? []
    : Array.from({ length: slots }, (_, index) => index + 1).filter(
        (slot) => !taken.includes(slot),
      );

interface SlotProgress extends Pick<Task, 'slots' | 'settled' | 'taken' | 'released'> {
  readonly state: TaskState;
}

/**
 * Returns the state of a task after its slots have changed. Errors: `state_conflict` for a task
 * that is closed or cancelled.
 */
export function getTaskState(task: SlotProgress): TaskState {
  const trigger: TaskTrigger =
    task.settled === task.slots ? 'close' : listFreeSlots(task).length > 0 ? 'free' : 'fill';
  return getNextState(taskMachine, task.state, trigger);
}

/** An agent that has taken a slot of a task, with what became of its assignment. */
export interface SlotHolder {
  readonly agentId: string;
  readonly state: AssignmentState;
}

/**
 * Returns those invited agents of a private task that may read work submitted to it, because they
 * can no longer submit work of their own: a task is taken once, and a full one cannot be taken.
 */
export const listReviewerIds = (
  inviteeIds: readonly string[],
  holders: readonly SlotHolder[],
  state: TaskState,
): string[] =>
  inviteeIds.filter((id) => {
    const own = holders.find(({ agentId }) => agentId === id);
    return own === undefined ? state !== 'open' : own.state !== 'assigned';
  });

/** Whether the deadline has passed. It passes at its very millisecond, whenever the job runs. */
export const isPastDeadline = ({ deadline }: Pick<Task, 'deadline'>, now: string): boolean =>
  deadline <= now;

/**
 * Returns the state of a task after its cancellation. Callers have checked that the agent may read
 * it. Errors: `forbidden`, `version_conflict`, `state_conflict`.
 */
export function getCancelledState(
  task: Task,
  {
    agent,
    expectedVersion,
    now,
  }: { readonly agent: string; readonly expectedVersion: number; readonly now: string },
): TaskState {
  if (task.ownerId !== agent)
    throw fail(
      'forbidden',
      'Only its owner may cancel a task. Ask the owner, whom {op:getTask} names.',
    );
  assertVersion(task, expectedVersion);
  const next = getNextState(taskMachine, task.state, 'cancel');
  if (task.taken.length > 0)
    throw fail(
      'state_conflict',
      'An agent has an assignment to this task. Wait: the task closes when all of its slots are ' +
        'settled.',
      { state: task.state },
    );
  if (isPastDeadline(task, now))
    throw fail(
      'state_conflict',
      'The deadline of this task has passed. Do nothing: the units of free slots go back to you ' +
        'without a call.',
      { state: 'closed' },
    );
  return next;
}
