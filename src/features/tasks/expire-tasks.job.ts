import {
  runServiceTransaction,
  type ServiceContext,
  type ServiceEnvironment,
} from '../../kernel/pipeline/run-service-transaction.ts';
import { revise } from '../../kernel/records/versioned.store.ts';
import { getNextState } from '../../kernel/records/versioned.ts';
import type { Assignment } from './assignments/assignments.rules.ts';
import * as assignments from './assignments/assignments.store.ts';
import { tellParties } from './assignments/tell-parties.ts';
import { buildRelease, concludeTask } from './conclude-task.ts';
import { listFreeSlots, type Task } from './rules.ts';
import * as tasks from './store.ts';
import { assignmentMachine } from './transitions.ts';

/**
 * Expires an assignment of a locked task that was not submitted in time, and frees its slot. The
 * new version names the owner of the task as its author. Returns the task with that slot free.
 */
async function expireAssignment(
  { tx, now, notify }: ServiceContext,
  task: Task,
  { id, version, state: before, content, slot, agentId }: Assignment,
): Promise<Task> {
  const state = getNextState(assignmentMachine, before, 'expire');
  const { ownerId } = task;
  await revise(tx, {
    id,
    expectedVersion: version,
    state,
    authorId: ownerId,
    content,
    receiptId: null,
    now,
  });
  assignments.releaseSlot(tx, id);
  tellParties(notify, { id, state, ownerId, agentId, actorId: null, now });
  return { ...task, taken: task.taken.filter((one) => one !== slot) };
}

/**
 * Expires one task after its deadline: assignments without a submission expire, and the units of
 * their slots go back together with those of slots that nobody took. Each transaction expires one
 * task, so accounts are never locked in different orders. Any number of nodes may run it. Returns
 * whether there may be more.
 */
export const expireTask = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async (context) => {
    let task = await tasks.lockDue(context.tx, context.now);
    if (!task) return false;
    const unsubmitted = await assignments.listAssignmentsInState(context.tx, task.id, 'assigned');
    for (const assignment of unsubmitted) task = await expireAssignment(context, task, assignment);
    const due = task;
    const endings = listFreeSlots(due).map((slot) => buildRelease(due, slot));
    await concludeTask(context, { ...due, released: true }, endings);
    return true;
  });

/**
 * Expires one assignment that was not submitted in time, although the deadline of its task has not
 * passed: another agent can take the slot. Any number of nodes may run it: the task is locked, and
 * an assignment that was submitted or has ended meanwhile stays as it is. Returns whether there may
 * be more.
 */
export const expireDueAssignment = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async (context) => {
    const due = await assignments.lockDueAssignment(context.tx, context.now);
    if (!due) return false;
    const found = await assignments.lockAssignment(context.tx, due);
    if (!found) return true;
    const { task, assignment } = found;
    // A process of an earlier version leaves the time running when work is submitted.
    if (assignment.state !== 'assigned') assignments.stopTime(context.tx, due.id);
    else await concludeTask(context, await expireAssignment(context, task, assignment), []);
    return true;
  });
