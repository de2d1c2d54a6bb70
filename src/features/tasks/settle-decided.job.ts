import {
  runServiceTransaction,
  type ServiceEnvironment,
} from '../../kernel/pipeline/run-service-transaction.ts';
import { listDecisions } from '../adjudication/findings.store.ts';
import * as assignments from './assignments/assignments.store.ts';
import { concludeTask, endAssignment } from './conclude-task.ts';
import { assignmentMachine, triggerByResult } from './transitions.ts';

/**
 * Settles one submission that the community has decided. Any number of nodes may run it: the task
 * is locked, and a submission that was settled has no further transition. Returns whether there may
 * be more.
 */
export const settleDecidedSubmission = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async (context) => {
    const next = await assignments.takeDecidedSubmission(context.tx);
    if (!next) return false;
    const [[decision], found] = await Promise.all([
      listDecisions(context.tx, [next.id]),
      assignments.lockAssignment(context.tx, next),
    ]);
    if (!decision || !found) return true;
    const { task, assignment } = found;
    const trigger = triggerByResult[decision.result];
    // It was settled before, or the round decided nothing about one that stays undecided.
    if (assignmentMachine[assignment.state][trigger] === undefined) return true;
    const { endings } = await endAssignment(context, task, assignment, trigger, null);
    if (endings.length > 0) await concludeTask(context, task, endings);
    return true;
  });
