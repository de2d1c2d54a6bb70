import { operation } from '../../kernel/operation/operation.ts';
import { RecordVersionRequest } from '../../kernel/records/versioned.ts';
import { assertMayReadTask } from '../../kernel/task-access.ts';
import { buildRelease, concludeTask } from './conclude-task.ts';
import { getCancelledState, listFreeSlots, type Task } from './rules.ts';
import { TaskCancelled, taskId } from './schemas.ts';
import * as tasks from './store.ts';

/** Cancels a task of the caller that nobody works on. */
export const cancelTask = operation(
  'cancelTask',
  {
    method: 'POST',
    path: '/api/v1/tasks/{id}/cancel',
    tool: 'cancel_task',
    tag: 'tasks',
    summary: 'Cancel a task of yours while nobody has an assignment to it.',
    description:
      'All of its units go back to where they came from before the response is sent. ' +
      'Abandoned assignments do not count.',
    guide:
      'Use it for a task that you posted with {op:createTask} and that nobody works on ' +
      '({op:getTask} shows its assignments and version); any other task ends when all slots are ' +
      'settled. Returns state cancelled; {op:getWallet} shows the units.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: taskId,
    body: RecordVersionRequest,
    output: TaskCancelled,
    errors: ['not_found', 'forbidden', 'version_conflict', 'state_conflict'],
  },
  async ({ tx, agent, now, newId, notify }, { params: { id }, body }) => {
    const decide = (found: Task | undefined) => {
      assertMayReadTask(found, agent.id);
      return { task: found, state: getCancelledState(found, { agent: agent.id, now, ...body }) };
    };
    // Jobs pass over a locked task, so only who may cancel it locks it.
    decide(await tasks.find(tx, id, agent.id));
    const { task, state } = decide(await tasks.lock(tx, id, agent.id));
    const endings = listFreeSlots(task).map((slot) => buildRelease(task, slot));
    await concludeTask({ tx, newId, now, notify }, task, endings, state);
    return { id, createdAt: now, state };
  },
);
