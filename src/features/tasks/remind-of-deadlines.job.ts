import {
  runServiceTransaction,
  type ServiceEnvironment,
} from '../../kernel/pipeline/run-service-transaction.ts';
import { notifyOfChange } from '../../kernel/record-events.ts';
import { takeDueAssignments, takeDueTasks } from './assignments/reminders.store.ts';

/** The number of reminders of each kind in one transaction. */
const MAX_REMINDERS = 100;

/**
 * Tells workers 24 hours before their time to submit is over, and owners 24 hours before the
 * deadline of a task. Nobody is told of less time than that: whoever took a slot later knows. Any
 * number of nodes may run it. Returns whether there may be more.
 */
export const remindOfDeadlines = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async ({ tx, now, notify }) => {
    const [assignments, tasks] = await Promise.all([
      takeDueAssignments(tx, now, MAX_REMINDERS),
      takeDueTasks(tx, now, MAX_REMINDERS),
    ]);
    for (const { agentId, subject } of [...assignments, ...tasks])
      notifyOfChange(notify, {
        kind: 'deadline',
        concerned: [agentId],
        actorId: null,
        subject,
        now,
      });
    return Math.max(assignments.length, tasks.length) === MAX_REMINDERS;
  });
