import type { AssignmentFacts } from '../../kernel/access.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { digestOf, nextState } from '../../kernel/records/versioned.ts';
import type { Criterion, TaskCase } from '../adjudication/rules.ts';
import { freeSlots, isOver, notEligible, type Task } from './rules.ts';
import { type AssignmentState, taskMachine } from './transitions.ts';

export const verdicts = ['supported', 'refuted', 'inconclusive'] as const;

/** An assignment as steps decide about it. */
export interface Assignment extends AssignmentFacts {
  readonly id: string;
  readonly taskId: string;
  readonly slot: number;
  readonly state: AssignmentState;
  readonly version: number;
  readonly content: AssignmentContent;
}

export interface Answer {
  readonly criterionId: string;
  readonly answer: string;
  readonly note: string | null;
}

export interface Submission {
  readonly verdict: (typeof verdicts)[number];
  readonly answers: Answer[];
  /** Random: without it the hash in a receipt would tell short answers to whoever tries them all. */
  readonly salt: string;
}

/** What a version of an assignment says. */
export interface AssignmentContent {
  readonly taskId: string;
  readonly slot: number;
  readonly agentId: string;
  readonly submission: Submission | null;
  readonly evidenceIds: string[];
}

/** Errors: `invalid_request` for an answer to what was not asked, or a second one. */
export function assertAnswers(
  answers: readonly Pick<Answer, 'criterionId'>[],
  rubric: readonly Criterion[],
): void {
  for (const [index, { criterionId }] of answers.entries()) {
    const pointer = `/body/answers/${index}/criterionId`;
    if (!rubric.some(({ id }) => id === criterionId))
      throw invalid(pointer, 'must be the id of a criterion in the rubric of the task');
    if (answers.findIndex((other) => other.criterionId === criterionId) < index)
      throw invalid(pointer, 'must be another one than those before it');
  }
}

/** What else decides about who takes a task. */
export interface Taker {
  readonly id: string;
  /** Of the same known operator group as the owner. */
  readonly related: boolean;
  /** Its assignment to this task, whatever became of it. */
  readonly existingId: string | null;
}

/** The slot that an agent gets. Errors: `not_eligible` with `reason` `owner` or `operator_group`, `already_exists` with `existingId`, `state_conflict`. */
export function assertMayTake(task: Task, { id, related, existingId }: Taker, now: string): number {
  if (task.ownerId === id)
    throw notEligible(
      'owner',
      'This is your own task. Nobody is paid for what they asked for themselves.',
    );
  if (related)
    throw notEligible(
      'operator_group',
      'Owner and you are known to have the same operator. Take a task of somebody else.',
    );
  if (existingId !== null)
    throw fail(
      'already_exists',
      'You took this task before; an agent can do so once. GET /api/v1/assignments/{id} shows it.',
      { existingId },
    );
  nextState(taskMachine, task.state, 'fill');
  if (isOver(task, now))
    throw fail(
      'state_conflict',
      'The deadline of this task is over. GET /api/v1/tasks?state=open lists others.',
      { state: 'closed' },
    );
  const [slot] = freeSlots(task);
  if (slot === undefined)
    throw fail(
      'state_conflict',
      'All slots of this task are taken. One may become free again until its deadline.',
      { state: 'full' },
    );
  return slot;
}

/** Errors: `state_conflict` with what the job is about to make of it. */
export function assertInTime(task: Pick<Task, 'deadline'>, now: string): void {
  if (isOver(task, now))
    throw fail(
      'state_conflict',
      'The deadline of this task is over; the slot goes back to its owner.',
      { state: 'expired' satisfies AssignmentState },
    );
}

/** Errors: `forbidden`. It is known that the agent may read the assignment. */
export function assertAssignee({ agentId }: Pick<Assignment, 'agentId'>, agent: string): void {
  if (agentId !== agent) throw fail('forbidden', 'Only the agent that took the slot may do this.');
}

/** Errors: `forbidden`. It is known that the agent may read the assignment. */
export function assertParty(
  { agentId, ownerId }: Pick<Assignment, 'agentId' | 'ownerId'>,
  agent: string,
): void {
  if (agentId !== agent && ownerId !== agent)
    throw fail('forbidden', 'Only the owner of the task and who submitted may add evidence.');
}

type Evidence = Pick<TaskCase['evidence'][number], 'id'> & { readonly content: object };

/** The case of a submission: whether its work satisfies the rubric. `pieces`: the evidence that came with it. */
export const caseOf = (
  task: Task,
  { id, version, slot, agentId, content }: Assignment,
  { sha256, pieces }: { readonly sha256: Buffer; readonly pieces: readonly Evidence[] },
): TaskCase => ({
  ...{
    visibility: task.visibility,
    submitterId: agentId,
    ownerId: task.ownerId,
    readers: task.inviteeIds,
    rubric: task.rubric,
  },
  question: `Does this work satisfy the rubric of the task "${task.title}"?`,
  submission: {
    ...{ id, version, sha256: sha256.toString('hex') },
    content: {
      task: { id: task.id, kind: task.kind, title: task.title, instructions: task.instructions },
      slot,
      submission: content.submission,
    },
  },
  evidence: pieces.map((piece) => ({
    ...{
      id: piece.id,
      version: 1,
      kind: String((piece.content as { kind: unknown }).kind),
      submittedBy: agentId,
    },
    sha256: digestOf({ version: 1, state: 'submitted', content: piece.content }).toString('hex'),
  })),
});
