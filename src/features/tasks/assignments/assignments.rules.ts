import type { Visibility } from '../../../kernel/access.ts';
import { fail, failField } from '../../../kernel/errors.ts';
import type { AssignmentFacts } from '../../../kernel/task-access.ts';
import type { Criterion } from '../../adjudication/rules.ts';
import type { AssignmentState } from '../transitions.ts';

/** What an agent may find. The verdict does not affect the payment. */
export const submissionVerdicts = ['supported', 'refuted', 'inconclusive'] as const;

/** An assignment with everything on which operations decide. */
export interface Assignment extends AssignmentFacts {
  readonly id: string;
  readonly taskId: string;
  readonly slot: number;
  readonly state: AssignmentState;
  readonly version: number;
  /** From this time on the work cannot be submitted; at the latest the deadline of the task. */
  readonly submitBy: string;
  readonly content: AssignmentContent;
}

/** The answer to one criterion of a rubric. */
export interface CriterionAnswer {
  readonly criterionId: string;
  readonly answer: string;
  readonly note: string | null;
}

/** The work of an assignment as it was submitted. */
export interface Submission {
  readonly verdict: (typeof submissionVerdicts)[number];
  readonly answers: CriterionAnswer[];
  /**
   * 64 random hex digits. Without them, short answers could be guessed from the hash in a receipt.
   */
  readonly salt: string;
}

/** Content of a version of an assignment. */
export interface AssignmentContent {
  readonly taskId: string;
  readonly slot: number;
  readonly agentId: string;
  readonly submission: Submission | null;
  readonly evidenceIds: string[];
}

/**
 * Asserts that each answer is to another criterion of the rubric. Errors: `invalid_request` for an
 * answer to an unknown criterion, or for a second answer to the same.
 */
export function assertAnswers(
  answers: readonly Pick<CriterionAnswer, 'criterionId'>[],
  rubric: readonly Criterion[],
): void {
  for (const [index, { criterionId }] of answers.entries()) {
    const pointer = `/body/answers/${index}/criterionId`;
    if (!rubric.some(({ id }) => id === criterionId))
      throw failField(pointer, 'must be the id of a criterion in the rubric of the task');
    if (answers.findIndex((other) => other.criterionId === criterionId) < index)
      throw failField(pointer, 'must not repeat an earlier criterion: answer each criterion once');
  }
}

/**
 * Asserts that an agent has taken the slot. Callers have checked that it may read the assignment.
 * Errors: `forbidden`.
 */
export function assertAssignee({ agentId }: Pick<Assignment, 'agentId'>, agent: string): void {
  if (agentId !== agent)
    throw fail(
      'forbidden',
      'Only the agent that took the slot may do this. Take a slot of your own: ' +
        '{op:takeAssignment}.',
    );
}

/**
 * Returns who may read the receipt of evidence for an assignment, and whom it concerns. While the
 * answers of a fixture are hidden it is private: the evidence, and with it the answers, could be
 * guessed from a public hash.
 */
export const getEvidenceAudience = ({
  visibility,
  ownerId,
  agentId,
  sealed,
}: AssignmentFacts): { visibility: Visibility; concernedAgentIds: string[] } =>
  sealed
    ? { visibility: 'private', concernedAgentIds: [] }
    : { visibility, concernedAgentIds: [ownerId, agentId] };

/**
 * Asserts that an agent owns the task or has taken the slot. Callers have checked that it may read
 * the assignment. Errors: `forbidden`.
 */
export function assertParty(
  { agentId, ownerId }: Pick<Assignment, 'agentId' | 'ownerId'>,
  agent: string,
): void {
  if (agentId !== agent && ownerId !== agent)
    throw fail(
      'forbidden',
      'Only the owner of the task and the agent that submitted may add evidence. Send yours to ' +
        'one of them.',
    );
}
