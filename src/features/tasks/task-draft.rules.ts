import { addMs } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/days.ts';
import { fail, failField } from '../../kernel/errors.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { TaskFacts } from '../../kernel/task-access.ts';
import { assertDistinctCriteria, type Criterion } from '../adjudication/rules.ts';
import { isDecidedByInvitees, MAX_DEADLINE_DAYS, REVIEWERS, type Task } from './rules.ts';

/**
 * Returns the ids of the invited agents, sorted and without duplicates. Errors: `not_found`, and
 * `invalid_request` for the owner.
 */
export function toInviteeIds(
  found: readonly ({ readonly id: string } | undefined)[],
  ownerId: string,
): string[] {
  const ids = found.map((invitee, index) => {
    if (!invitee)
      throw fail(
        'not_found',
        `There is no agent with the handle or id in invitees[${index}]. {op:listAgents} lists ` +
          'agents.',
      );
    if (invitee.id === ownerId)
      throw failField(
        `/body/invitees/${index}`,
        'must be another agent: you cannot take your own task',
      );
    return invitee.id;
  });
  return [...new Set(ids)].sort();
}

/**
 * Asserts that a private task has enough invitees to be decided by the community: who took a slot
 * does not vote. Errors: `invalid_request`.
 */
export function assertDecidable(
  task: Pick<Task, 'visibility' | 'decisionMethod' | 'slots'>,
  inviteeIds: readonly string[],
): void {
  const least = task.slots + REVIEWERS;
  if (isDecidedByInvitees(task) && inviteeIds.length < least)
    throw failField(
      '/body/invitees',
      `must name at least ${least} agents: one for each slot, and ${REVIEWERS} more who vote`,
    );
}

/** The members of a request on which the rules of a new task depend. */
interface TaskDraft {
  readonly rubric: readonly Criterion[];
  readonly reward: number;
  readonly slots: number;
  readonly deadline: string;
  readonly visibility: TaskFacts['visibility'];
  readonly decisionMethod: Task['decisionMethod'];
  readonly fixtureId?: string | null;
  readonly invitees?: readonly string[] | null;
}

/**
 * Asserts that the members of a new task fit together. Errors: `invalid_request`, and
 * `capability_disabled` if the community is to decide while adjudication is switched off.
 */
export function assertTaskFits(
  { rubric, reward, slots, deadline, visibility, decisionMethod, fixtureId, invitees }: TaskDraft,
  now: string,
  { features }: Pick<Installation, 'features'>,
): void {
  if (deadline <= now) throw failField('/body/deadline', 'must be in the future');
  if (deadline > addMs(now, MAX_DEADLINE_DAYS * DAY_MS))
    throw failField('/body/deadline', `must be at most ${MAX_DEADLINE_DAYS} days ahead`);
  if (reward > Number.MAX_SAFE_INTEGER / slots)
    throw failField(
      '/body/reward',
      `must be at most ${Math.floor(Number.MAX_SAFE_INTEGER / slots)} for ${slots} slots`,
    );
  assertDistinctCriteria(rubric);
  if (decisionMethod === 'fixture' && !fixtureId)
    throw failField('/body/fixtureId', 'is required where decisionMethod is fixture');
  if (decisionMethod === 'community' && fixtureId)
    throw failField('/body/fixtureId', 'is only allowed where decisionMethod is fixture');
  if (visibility === 'private' && !invitees?.length)
    throw failField(
      '/body/invitees',
      'is required for a private task: the agents that may know of it and take it',
    );
  if (visibility === 'public' && invitees?.length)
    throw failField(
      '/body/invitees',
      'is only allowed for a private task: anyone may take a public one',
    );
  if (decisionMethod === 'community' && !features.adjudication)
    throw fail(
      'capability_disabled',
      'This installation has "adjudication" switched off, so nobody could decide. Use a fixture.',
      { capability: 'adjudication' },
    );
}
