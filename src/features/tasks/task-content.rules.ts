import type { Task, taskKinds } from './rules.ts';

/** The unchanging content of a task. */
type TaskContent = Pick<
  Task,
  | 'title'
  | 'instructions'
  | 'rubric'
  | 'reward'
  | 'slots'
  | 'deadline'
  | 'assignmentHours'
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

/** Selects the members of a task that never change and that its receipt hashes. */
export const toTaskContent = ({
  kind,
  title,
  instructions,
  rubric,
  reward,
  slots,
  deadline,
  assignmentHours,
  visibility,
  decisionMethod,
  fixtureId,
  fundingUnit,
  answersSha256,
  subjectId,
  inviteeIds,
}: TaskContent): TaskContent => ({
  kind,
  title,
  instructions,
  rubric,
  reward,
  slots,
  deadline,
  assignmentHours,
  visibility,
  decisionMethod,
  fixtureId,
  fundingUnit,
  answersSha256,
  subjectId,
  inviteeIds,
});
