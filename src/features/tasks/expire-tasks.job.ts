import type { Environment } from '../../kernel/pipeline/environment.ts';
import { freeSlots } from './rules.ts';
import { acting, conclude, end, release } from './conclude-task.ts';
import * as tasks from './store.ts';

/**
 * After the deadline of a task: assignments without a submission expire, and their units go back with those of slots that nobody took. One task a transaction:
 * accounts are then never locked in two orders. Any number of nodes may run it. Returns whether there may be more.
 */
export const expireTask = (
  env: Pick<Environment, 'db' | 'clock' | 'newId' | 'installation'>,
): Promise<boolean> =>
  acting(env, async (context) => {
    const due = await tasks.lockDue(context.tx, context.now);
    if (!due) return false;
    const late = await tasks.listInState(context.tx, due.id, 'assigned');
    const endings = freeSlots(due).map((slot) => release(due, slot));
    for (const assignment of late)
      endings.push(...(await end(context, due, assignment, 'expire')).endings);
    await conclude(context, { ...due, released: true }, endings);
    return true;
  });
