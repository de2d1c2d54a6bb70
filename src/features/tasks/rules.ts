import type { TaskFacts } from '../../kernel/access.ts';
import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import { nextState } from '../../kernel/records/versioned.ts';
import { assertDistinct, type Criterion } from '../adjudication/rules.ts';
import type { Unit } from '../ledger/rules.ts';
import { type TaskState, type TaskTrigger, taskMachine } from './transitions.ts';

export const taskKinds = [
  'claim_verification',
  'artifact_review',
  'counterexample_reproduction',
] as const;
export const decisionMethods = ['community', 'fixture'] as const;

export const MAX_SLOTS = 20;
export const MAX_CRITERIA = 10;
export const MAX_INVITEES = 100;

/** A task as steps decide about it. */
export interface Task extends TaskFacts {
  readonly id: string;
  readonly kind: (typeof taskKinds)[number];
  readonly title: string;
  readonly instructions: string;
  readonly rubric: readonly Criterion[];
  readonly reward: number;
  readonly slots: number;
  readonly deadline: string;
  readonly decisionMethod: (typeof decisionMethods)[number];
  readonly fixtureId: string | null;
  readonly fundingUnit: Unit;
  readonly subsidyId: string | null;
  readonly state: TaskState;
  /** Slots whose units are where they stay. */
  readonly settled: number;
  /** Slots that an assignment has, settled or not. */
  readonly taken: readonly number[];
  /** Who was named when a private one was made. */
  readonly inviteeIds: readonly string[];
  /** The deadline is over, and what nobody took was given back. */
  readonly released: boolean;
}

type Content = Pick<
  Task,
  | 'title'
  | 'instructions'
  | 'rubric'
  | 'reward'
  | 'slots'
  | 'deadline'
  | 'visibility'
  | 'decisionMethod'
  | 'fixtureId'
  | 'fundingUnit'
> & {
  readonly kind: (typeof taskKinds)[number];
  readonly answersSha256: string | null;
  readonly subjectId: string | null;
  readonly inviteeIds: readonly string[];
};

/** What a task says, which never changes: what its receipt hashes. */
export const contentOf = ({
  kind,
  title,
  instructions,
  rubric,
  reward,
  slots,
  deadline,
  visibility,
  decisionMethod,
  fixtureId,
  fundingUnit,
  ...rest
}: Content): Content => {
  const { answersSha256, subjectId, inviteeIds } = rest;
  return {
    ...{
      kind,
      title,
      instructions,
      rubric,
      reward,
      slots,
      deadline,
      visibility,
      decisionMethod,
      fixtureId,
      fundingUnit,
    },
    ...{ answersSha256, subjectId, inviteeIds },
  };
};

/** Ids of those who were named, each once and in order. Errors: `not_found`, `invalid_request` for the owner. */
export function assertInvitees(
  found: readonly ({ readonly id: string } | undefined)[],
  ownerId: string,
): string[] {
  const ids = found.map((invitee, index) => {
    if (!invitee)
      throw fail(
        'not_found',
        `There is no agent as invitees[${index}] names it. GET /api/v1/agents lists them.`,
      );
    if (invitee.id === ownerId)
      throw invalid(
        `/body/invitees/${index}`,
        'must be somebody else: nobody takes a task of their own',
      );
    return invitee.id;
  });
  return [...new Set(ids)].sort();
}

/** Who this task is not for, and why. */
export const notEligible = (reason: string, detail: string): StoaError =>
  fail('not_eligible', detail, { reason });

interface Actor {
  readonly id: string;
  readonly blocked: boolean;
  readonly synthetic: boolean;
}

/** Held since: it may have been blocked after its key was looked at. Errors: `agent_blocked`, `not_eligible` with `reason` `synthetic`. */
export function assertMayWork(agent: Actor | undefined): asserts agent is Actor {
  if (!agent || agent.blocked)
    throw fail(
      'agent_blocked',
      'An administrator blocked this agent a moment ago. Nothing was done.',
    );
  if (agent.synthetic)
    throw notEligible(
      'synthetic',
      'An administrator flagged this agent as synthetic. It can neither post tasks nor be paid for them; ask the administrators.',
    );
}

interface Request {
  readonly rubric: readonly Criterion[];
  readonly reward: number;
  readonly slots: number;
  readonly deadline: string;
  readonly visibility: TaskFacts['visibility'];
  readonly decisionMethod: Task['decisionMethod'];
  readonly fixtureId?: string | null;
  readonly invitees?: readonly string[] | null;
}

/** Errors: `invalid_request` for members that do not go together, `capability_disabled` where there is no community to decide. */
export function assertFits(
  { rubric, reward, slots, deadline, visibility, decisionMethod, fixtureId, invitees }: Request,
  now: string,
  { features }: Pick<Installation, 'features'>,
): void {
  if (deadline <= now) throw invalid('/body/deadline', 'must be in the future');
  if (reward > Number.MAX_SAFE_INTEGER / slots)
    throw invalid(
      '/body/reward',
      `must be at most ${Math.floor(Number.MAX_SAFE_INTEGER / slots)} for ${slots} slots`,
    );
  assertDistinct(rubric);
  if (decisionMethod === 'fixture' && !fixtureId)
    throw invalid('/body/fixtureId', 'is required where decisionMethod is fixture');
  if (decisionMethod === 'community' && fixtureId)
    throw invalid('/body/fixtureId', 'belongs to decisionMethod fixture');
  if (visibility === 'private' && !invitees?.length)
    throw invalid(
      '/body/invitees',
      'is required for a private task: who may know of it and take it',
    );
  if (visibility === 'public' && invitees?.length)
    throw invalid('/body/invitees', 'belongs to a private task; a public one is for anyone');
  if (decisionMethod === 'community' && !features.adjudication)
    throw fail(
      'capability_disabled',
      'This installation has "adjudication" switched off, so nobody could decide. Use a fixture.',
      {
        capability: 'adjudication',
      },
    );
}

/** Slots that can still be taken, as far as the deadline allows. */
export const freeSlots = ({
  slots,
  taken,
  released,
}: Pick<Task, 'slots' | 'taken' | 'released'>): number[] =>
  released
    ? []
    : Array.from({ length: slots }, (_, index) => index + 1).filter(
        (slot) => !taken.includes(slot),
      );

interface Standing extends Pick<Task, 'slots' | 'settled' | 'taken' | 'released'> {
  readonly state: TaskState;
}

/** The state that a task comes to when something became of its slots. Errors: `state_conflict` for one that is over. */
export function standing(task: Standing): TaskState {
  const trigger: TaskTrigger =
    task.settled === task.slots ? 'close' : freeSlots(task).length > 0 ? 'free' : 'fill';
  return nextState(taskMachine, task.state, trigger);
}

/** At the very millisecond of the deadline it is over, whether or not the job came round. */
export const isOver = ({ deadline }: Pick<Task, 'deadline'>, now: string): boolean =>
  deadline <= now;

/** The state that cancelling brings a task to. Errors: `forbidden`, `state_conflict`. It is known that the agent may read the task. */
export function cancelled(task: Task, agent: string, now: string): TaskState {
  if (task.ownerId !== agent) throw fail('forbidden', 'Only its owner may cancel a task.');
  const next = nextState(taskMachine, task.state, 'cancel');
  if (task.taken.length > 0)
    throw fail(
      'state_conflict',
      'Somebody has an assignment to this task. It closes when all of its slots are settled.',
      { state: task.state },
    );
  if (isOver(task, now))
    throw fail(
      'state_conflict',
      'Its deadline is over; what nobody took is given back by itself.',
      { state: 'closed' },
    );
  return next;
}
