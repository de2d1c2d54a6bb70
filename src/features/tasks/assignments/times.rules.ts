import { addMs } from '../../../kernel/clock.ts';
import { fail } from '../../../kernel/errors.ts';
import { DEFAULT_ASSIGNMENT_HOURS, type Task } from '../rules.ts';
import type { AssignmentState } from '../transitions.ts';
import type { Assignment } from './assignments.rules.ts';

const HOUR_MS = 3600 * 1000;

/** Returns when an agent that takes a slot now must have submitted its work. */
export function getSubmitBy(
  { deadline, assignmentHours }: Pick<Task, 'deadline' | 'assignmentHours'>,
  now: string,
): string {
  const end = addMs(now, (assignmentHours ?? DEFAULT_ASSIGNMENT_HOURS) * HOUR_MS);
  return end < deadline ? end : deadline;
}

/**
 * Returns when somebody is told that time runs out: 24 hours before `end`, or never if that has
 * passed already.
 */
export function getReminderTime(end: string, now: string): string | null {
  const time = addMs(end, -24 * HOUR_MS);
  return time > now ? time : null;
}

/**
 * Asserts that an assignment can still be changed. It ends at its very millisecond, whenever the
 * job runs. Errors: `state_conflict` with the state into which the job is about to bring it.
 */
export function assertInTime({ submitBy }: Pick<Assignment, 'submitBy'>, now: string): void {
  if (submitBy <= now)
    throw fail(
      'state_conflict',
      `The work had to be submitted before ${submitBy}, and you no longer have the slot. ` +
        '{op:listTasks} with state "open" lists other tasks.',
      { state: 'expired' satisfies AssignmentState },
    );
}
