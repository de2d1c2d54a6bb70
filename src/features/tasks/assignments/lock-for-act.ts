import type { Transaction } from '../../../db/database.ts';
import { failNotFound } from '../../../kernel/access.ts';
import { assertMayReadAssignment } from '../../../kernel/task-access.ts';
import type { Task } from '../rules.ts';
import type { Assignment } from './assignments.rules.ts';
import * as assignments from './assignments.store.ts';

/**
 * Locks the task of an assignment until the commit, for an act of an agent. `decide` is called
 * before and under the lock: jobs pass over a locked task, so whoever may not act must not lock it.
 * `check` is called before, for what may be as old as the call.
 * Errors: `not_found`, those of `decide` and `check`.
 */
export async function lockForAct<Decided>(
  tx: Transaction,
  id: string,
  agentId: string,
  decide: (assignment: Assignment) => Decided,
  check: (assignment: Assignment) => Promise<void> = async () => {},
): Promise<{ task: Task; assignment: Assignment; decided: Awaited<Decided> }> {
  const known = await assignments.find(tx, id, agentId);
  assertMayReadAssignment(known, agentId);
  await decide(known);
  await check(known);
  const found = await assignments.lockAssignment(tx, known);
  if (!found) throw failNotFound('assignment');
  assertMayReadAssignment(found.assignment, agentId);
  return { ...found, decided: await decide(found.assignment) };
}
