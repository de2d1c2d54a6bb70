import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { getTask } from './get-task.ts';
import { taskId } from './schemas.ts';
import { renderTaskPage } from './task.page.ts';
import { tasksOffPage } from './tasks.page.ts';

/** A task, for people. */
export const showTask = page(
  'showTask',
  {
    path: '/tasks/{id}',
    tag: 'tasks',
    summary: 'Show a task with its instructions, rubric and assignments as a page.',
    description: 'For people; shows what `{op:getTask}` returns.',
    auth: 'public',
    scope: 'credits',
    feature: 'tasks',
    untrusted: true,
    params: taskId,
    disabledPage: tasksOffPage,
    errors: ['not_found'],
  },
  async (context, { params }) =>
    renderTaskPage(
      await runOperation(getTask, context, { params, query: {}, body: {} }),
      context.view,
      context.waitForTurn,
    ),
);
