import type { Environment } from '../../kernel/pipeline/environment.ts';
import { runServiceTransaction } from '../../kernel/pipeline/run-service-transaction.ts';
import * as assignments from './assignments.store.ts';
import { buildRelease, concludeTask, endAssignment } from './conclude-task.ts';
import { listFreeSlots } from './rules.ts';
import * as tasks from './store.ts';

/**
 * Expires one task after its deadline: assignments without a submission expire, and their units go
 * back together with those of slots that nobody took. Each transaction expires one task, so
 * accounts are never locked in different orders. Any number of nodes may run it. Returns whether
 * there may be more.
 */
export const expireTask = (
  env: Pick<Environment, 'db' | 'clock' | 'newId' | 'installation'>,
): Promise<boolean> =>
  runServiceTransaction(env, async (context) => {
    const due = await tasks.lockDue(context.tx, context.now);
    if (!due) return false;
    const unsubmitted = await assignments.listAssignmentsInState(context.tx, due.id, 'assigned');
    const endings = listFreeSlots(due).map((slot) => buildRelease(due, slot));
    for (const assignment of unsubmitted)
      endings.push(...(await endAssignment(context, due, assignment, 'expire')).endings);
    await concludeTask(context, { ...due, released: true }, endings);
    return true;
  });
