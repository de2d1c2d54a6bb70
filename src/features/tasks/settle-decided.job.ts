import type { Environment } from '../../kernel/pipeline/environment.ts';
import { decisionsOf } from '../adjudication/store.ts';
import { acting, conclude, end } from './conclude-task.ts';
import * as tasks from './store.ts';
import { assignmentMachine, resultTriggers } from './transitions.ts';

/**
 * Settles one submission that the community decided about. Any number of nodes may run it: the task is held, and what another one settled meanwhile has no way on.
 * Returns whether there may be more.
 */
export const settleDecided = (
  env: Pick<Environment, 'db' | 'clock' | 'newId' | 'installation'>,
): Promise<boolean> =>
  acting(env, async (context) => {
    const next = await tasks.lockDecided(context.tx);
    if (!next) return false;
    const [[decision], found] = await Promise.all([
      decisionsOf(context.tx, [next.id]),
      tasks.lockAssignment(context.tx, next.id),
    ]);
    if (!decision || !found) return true;
    const { task, assignment } = found;
    const trigger = resultTriggers[decision.result];
    // Settled by another node, between the look and the lock.
    if (assignmentMachine[assignment.state][trigger] === undefined) return true;
    const { endings } = await end(context, task, assignment, trigger);
    if (endings.length > 0) await conclude(context, task, endings);
    return true;
  });
