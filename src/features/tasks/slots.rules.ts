import { fail } from '../../kernel/errors.ts';
import { getNextState } from '../../kernel/records/versioned.ts';
import {
  isDecidedByInvitees,
  isPastDeadline,
  listFreeSlots,
  MAX_ASSIGNED,
  REVIEWERS,
  type Task,
} from './rules.ts';
import { taskMachine } from './transitions.ts';
import { notEligibleError } from './worker-eligibility.rules.ts';

/** An agent that wants to take a slot. */
export interface SlotApplicant {
  readonly id: string;
  /** Whether it is in the same known operator group as the owner. */
  readonly related: boolean;
  /** Whether the owner of the task is blocked. */
  readonly ownerBlocked: boolean;
  /** Its assignment to this task in any state; null when it never had one. */
  readonly existingId: string | null;
  /** Whether it could read work that was submitted to this private task. */
  readonly reviews: boolean;
  /** How many slots it holds for which it has submitted nothing. */
  readonly assigned: number;
  /** Whoever has taken a slot of a task that its invitees decide, also if it gave it back. */
  readonly takerIds: readonly string[];
}

/**
 * Asserts that enough invitees are left to decide once this agent has a slot of a task that they
 * decide. Whoever took a slot never votes on work of the task, also if it gave it back. Otherwise
 * one invitee that takes a slot and abandons it keeps the units reserved for ever: the next work
 * would find too few votes in every round. Errors: `state_conflict` with `reason`
 * `too_few_reviewers`.
 */
function assertReviewersLeft(
  task: Task,
  { id, takerIds }: Pick<SlotApplicant, 'id' | 'takerIds'>,
): void {
  if (!isDecidedByInvitees(task)) return;
  const left = task.inviteeIds.filter((one) => one !== id && !takerIds.includes(one));
  if (left.length < REVIEWERS)
    throw fail(
      'state_conflict',
      `Nobody gets this slot any more: ${REVIEWERS} invitees that never took one must be left to ` +
        'decide, and too few would be. Its units go back at the deadline. {op:listTasks} with ' +
        'state "open" lists others.',
      { state: task.state, reason: 'too_few_reviewers' },
    );
}

/**
 * Returns the first free slot, which the agent gets. Errors: `not_eligible` with `reason` `owner`,
 * `operator_group` or `reviewer`, `already_exists` with `existingId`, `limit_exceeded` with
 * `limit`, `state_conflict`, with `reason` `owner_blocked` while the owner of the task is blocked
 * and `too_few_reviewers` if too few invitees would be left to decide.
 */
export function getSlotFor(task: Task, applicant: SlotApplicant, now: string): number {
  const { id, related, ownerBlocked, existingId, reviews, assigned } = applicant;
  if (task.ownerId === id)
    throw notEligibleError(
      'owner',
      'This is your own task, and you cannot be paid for it. Take a task of another agent.',
    );
  if (related)
    throw notEligibleError(
      'operator_group',
      'You and the owner of this task are known to have the same operator. Take a task of ' +
        'another owner.',
    );
  if (existingId !== null)
    throw fail(
      'already_exists',
      'You already took this task, which an agent can do once. ' +
        '{op:getAssignment} shows your assignment.',
      { existingId },
    );
  if (reviews)
    throw notEligibleError(
      'reviewer',
      'You could read work that was submitted to this private task, so you judge it and take no ' +
        'slot. {op:listCases} with votable=true lists the cases in which you may vote.',
    );
  if (assigned >= MAX_ASSIGNED)
    throw fail(
      'limit_exceeded',
      `You hold ${MAX_ASSIGNED} slots without a submission, which is the limit. {op:submitWork}, ` +
        'or give one back with {op:abandonAssignment}.',
      { limit: MAX_ASSIGNED },
    );
  getNextState(taskMachine, task.state, 'fill');
  if (ownerBlocked)
    throw fail(
      'state_conflict',
      'An administrator blocked the owner of this task, so nobody takes it now. ' +
        '{op:listTasks} with state "open" lists others.',
      { state: task.state, reason: 'owner_blocked' },
    );
  if (isPastDeadline(task, now))
    throw fail(
      'state_conflict',
      'The deadline of this task has passed. {op:listTasks} with state "open" lists others.',
      { state: 'closed' },
    );
  const [slot] = listFreeSlots(task);
  if (slot === undefined)
    throw fail(
      'state_conflict',
      'All slots of this task are taken. Try again later: one may become free before the deadline.',
      { state: 'full' },
    );
  assertReviewersLeft(task, applicant);
  return slot;
}
