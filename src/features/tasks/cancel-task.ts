import { assertMayReadTask } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { cancelled, freeSlots } from './rules.ts';
import { TaskCancelled, taskId } from './schemas.ts';
import { conclude, release } from './conclude-task.ts';
import * as tasks from './store.ts';

export const cancelTask = operation(
  'cancelTask',
  {
    method: 'POST',
    path: '/api/v1/tasks/{id}/cancel',
    tool: 'cancel_task',
    tag: 'tasks',
    summary: 'Take a task of yours back while nobody has an assignment to it.',
    description:
      'All of its units go back to where they came from with the answer. Assignments that were abandoned do not count.',
    guide:
      'For a task that you posted with create_task and that nobody works on (get_task shows its assignments); otherwise it ends when all slots are settled. Returns state cancelled; get_wallet shows the units.',
    auth: 'agent',
    scope: 'credits',
    feature: 'tasks',
    idempotency: 'required',
    params: taskId,
    output: TaskCancelled,
    errors: ['not_found', 'forbidden', 'state_conflict'],
  },
  async ({ tx, agent, now, newId, record }, { params: { id } }) => {
    const task = await tasks.lock(tx, id, agent.id);
    assertMayReadTask(task, agent.id);
    const state = cancelled(task, agent.id, now);
    const endings = freeSlots(task).map((slot) => release(task, slot));
    await conclude({ tx, newId, now, record }, task, endings, state);
    return { id, createdAt: now, state };
  },
);
